"""What the advice says of supported numbers, and where it says nothing."""

import pytest

from grounding.reference.advice import Advice, advised
from grounding.units import parsed_units, shipped_units


def mismatches(answer: str, *evidence: str) -> list[tuple[str, str | None, int | None]]:
    found = advised(answer, evidence).findings
    return [(f.text, f.nearest, f.passage) for f in found if f.kind == "qualifier_mismatch"]


def unread(answer: str, *evidence: str) -> list[str]:
    found = advised(answer, evidence).findings
    return [f.text for f in found if f.kind == "unread_numeral"]


def told(advice: Advice, kind: str) -> list[tuple[str, int | None]]:
    return [(f.text, f.passage) for f in advice.findings if f.kind == kind]


@pytest.mark.parametrize(
    ("answer", "evidence", "text", "nearest"),
    [
        ("Take 5 mg.", "Take 5 g.", "5 mg", "5 g"),
        ("mỗi 12 giờ", "mỗi 12 ngày", "12 giờ", "12 ngày"),
        ("$35M", "35%", "$35M", "35%"),
        ("$35M", "$35 thousand", "$35M", "$35 thousand"),
        ("25 mg/kg/lần", "25 mg/kg/ngày", "25 mg/kg/lần", "25 mg/kg/ngày"),
        ("5 mg/kg", "5 mg", "5 mg/kg", "5 mg"),
        ("5 mg", "5 mg/kg", "5 mg", "5 mg/kg"),
        ("5 ml", "5 ml/h", "5 ml", "5 ml/h"),
        ("15 mg mỗi lần", "15 mg mỗi ngày", "15 mg mỗi lần", "15 mg mỗi ngày"),
        ("2 times a week", "2 times a day", "2 times a week", "2 times a day"),
        ("it fell by -5", "it fell by 5", "-5", "5"),
        ("it is 5", "it is −5", "5", "−5"),
        ("the 3rd dose", "3 doses", "3rd", "3 doses"),
        ("liều thứ 3", "3 liều", "thứ 3", "3 liều"),
        ("12 per day", "12 per week", "12 per day", "12 per week"),
        ("€5", "$5", "€5", "$5"),
        ("5‰", "5%", "5‰", "5%"),
        ("5 Mbps", "5 MB", "5 Mbps", "5 MB"),
        ("-$5 million per year", "$5", "-$5 million per year", "$5"),
    ],
)
def test_what_is_added_or_changed_is_a_mismatch(
    answer: str, evidence: str, text: str, nearest: str
) -> None:
    assert mismatches(answer, evidence) == [(text, nearest, 1)]


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("5", "5 mg"),
        ("15 mg", "15 mg per day"),
        ("15 mg daily", "15 mg/day"),
        ("5 mcg and 6 µg", "5 μg and 6 microgram"),
        ("400 UI", "400 đơn vị"),
        ("12 gi\u01a1\u0300", "12 giờ"),
        ("4-6 hours", "4 - 6 hours"),
        ("on 2020-05-06", "2020 05 06"),
        ("4 hours", "every 4 to 6 hours"),
        ("$5 million", "$5, $6 and $7 million"),
        ("$7", "$5 to 7 million"),
        ("-5.2%", "a change of (5.2)%"),
        ("$14,158 thousand", "in $'000 | $14,158"),
        ("3 million", "(in millions) | 3 |"),
        ("August 13th", "13 August"),
        ("the 13th of August", "August 13"),
        ("ngày 12 tháng 3 năm 2024", "12/3/2024"),
        ("the 1990s", "in 1990"),
        ("Form 10-K", "Form 10"),
        ("2 viên mỗi lần", "2 viên (500 mg) mỗi lần"),
        ("49-year-old", "49 - year - old"),
        ("10 years", "10+ years"),
        ("5 mg", "5\nmg"),
        ("5 mg", "**5** mg"),
        ("5 mg", "5[1] mg"),
        ("35 $40", "35 and $40"),
    ],
)
def test_what_is_dropped_or_spelled_otherwise_is_none(answer: str, evidence: str) -> None:
    assert mismatches(answer, evidence) == []


def test_one_occurrence_that_agrees_is_enough_and_the_nearest_is_the_first() -> None:
    assert mismatches("5 mg", "5 g", "5 ml, or 5 mg") == []
    assert mismatches("5 mg", "6", "5 ml, or 5 g") == [("5 mg", "5 ml", 2)]


def test_a_refused_number_has_no_mismatch() -> None:
    assert mismatches("7 mg", "5 g") == []


def test_a_citation_between_a_number_and_its_unit_is_one_space_to_read() -> None:
    [finding] = advised("Take 5[1] mg.", ["5 g"]).findings
    assert (finding.text, finding.start, finding.end) == ("5[1] mg", 5, 12)


def test_graded_annotations_are_no_text() -> None:
    answer = "Take 5[input:x] mg"
    assert [f.text for f in advised(answer, ["5 g"], annotated=True).findings] == [answer[5:]]
    assert advised(answer, ["5 g"]).findings == ()


def test_a_unit_of_the_users_counts() -> None:
    units = parsed_units("furlong | length | en | - | furlongs", "mine", shipped_units())
    assert advised("5 furlongs", ["5 miles"]).findings == ()
    assert len(advised("5 furlongs", ["5 miles"], units=units).findings) == 1


@pytest.mark.parametrize(
    ("answer", "stretches"),
    [
        ("uống .5 mg và ,25 mg, 3.5, so.5", [".5", ",25"]),
        ("10⁶ of 5 m², CO₂, text.¹ but ²", ["10⁶", "²"]),
        ("1½, 1 ½, 4-½, ⅔, Ⅷ, ①", ["1½", "1 ½", "4-½", "⅔", "Ⅷ", "①"]),
        ("1/2, 3⁄4, on 12/05/2024, 1 1/2, 4-1/2", ["1/2", "3⁄4", "12/05/2024", "1 1/2", "4-1/2"]),
        ("x/2020/05/12, B12/13, v1/2", []),
        ("1e6 and 2E-3, not a1e6 or 1e6x", ["1e6", "2E-3"]),
        ("2^6, 10^-3, 10^{6}, x^2", ["2^6", "10^-3", "10^{6}"]),
        ("1.5 × 10⁶, 2x10^3", ["1.5 × 10⁶", "2x10^3"]),
        ("7·5, 7'500, 7’500, 1_000, v1_2, 1_2_", ["7·5", "7'500", "7’500", "1_000"]),
        ("40 000, 2004 300 000, 1 234 567.5", ["40 000", "1 234 567.5"]),
        ("two hundred, hai mươi, the one, first", ["two hundred", "hai mươi"]),
    ],
)
def test_what_the_rule_does_not_read_whole_is_told(answer: str, stretches: list[str]) -> None:
    assert unread(answer) == stretches


@pytest.mark.parametrize(
    ("answer", "evidence", "stretches"),
    [
        ("1/2", "11/2 or 1/2/2024", ["1/2"]),
        ("1/2", "take 1/2", []),
        ("½", "1½", ["½"]),
        ("Two Hundred", "two hundred", []),
        ("two", "two hundred", ["two"]),
        ("two", "2", ["two"]),
    ],
)
def test_none_is_told_where_the_same_stretch_stands_in_the_evidence(
    answer: str, evidence: str, stretches: list[str]
) -> None:
    assert unread(answer, evidence) == stretches


def test_a_number_that_only_stands_where_it_is_not_cited_is_told_with_its_place() -> None:
    advice = advised("It is 7 [1].", ["six", "7", "7"])
    assert told(advice, "supported_but_not_cited") == [("7", 2)]
    assert told(advised("It is 7.", ["7"]), "supported_but_not_cited") == []


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("7 [1]. 8 [2].", []),
        ("7 [2]. 8 [1].", ["7", "8"]),
        ("[1] 7", []),
        ("[1], 8", ["8"]),
        ("8 [1], [2]; [9]", []),
        ("8 [1] and [2]", ["8"]),
        ("8\n[1]", []),
        ("[2]\r7", []),
        ("7 [9]", ["7"]),
    ],
)
def test_the_own_citation_is_the_next_run_on_the_line_else_the_last(
    answer: str, texts: list[str]
) -> None:
    found = told(advised(answer, ["7", "8"]), "not_in_nearest_citation")
    assert [text for text, _ in found] == texts


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("7", None),
        ("7 [1]", True),
        ("7 [2]", False),
        ("7 [1] [3]", False),
        ("none [1]", True),
        ("none [3]", False),
        ("9 [1]", False),
    ],
)
def test_the_verdict_against_the_cited_passages_alone(answer: str, verdict: bool | None) -> None:
    assert advised(answer, ["7", "8"]).grounded_in_cited is verdict


def test_the_distinct_numbers_of_the_evidence_are_counted_where_there_is_one_to_find() -> None:
    assert advised("7", ["7 8", "8 [9] 10"]).n_evidence_numbers == 3
    assert advised("none", ["7"]).n_evidence_numbers is None


def test_there_is_one_trace_per_number_supported_or_not() -> None:
    traces = advised("7, 9 and 7 [2]", ["7", "8 7", "7"]).traces
    assert [(t.text, t.supported, t.passages, t.cited) for t in traces] == [
        ("7", True, (1, 2, 3), True),
        ("9", False, (), False),
        ("7", True, (1, 2, 3), True),
    ]
    assert [t.cited for t in advised("7", ["7"]).traces] == [None]


def test_findings_stand_by_place_and_then_kind_and_their_text_is_that_of_the_answer() -> None:
    answer = "So .5 ml [1] or 5 [2] ½"
    findings = advised(answer, ["4", "5 g"]).findings
    assert [f[:3] for f in findings] == sorted(f[:3] for f in findings)
    assert all(answer[f.start : f.end] == f.text for f in findings)
    assert {f.kind for f in findings} >= {"unread_numeral", "qualifier_mismatch"}
