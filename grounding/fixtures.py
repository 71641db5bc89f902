"""Truth tables of one book: what an answer may claim, and what the book does not say.

A fixture is checked whole before it is used. Ids are compared after case folding and values in
their normal form; both are made once, here, so that grading is a lookup.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from grounding.errors import FixtureError, InputError
from grounding.faults import JsonObject, faults
from grounding.folding import casefold, normalise_value


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the book, with what a good answer holds."""

    question_id: str
    prompt: str | None = None
    facts: tuple[str, ...] = ()
    """Ids of the facts that it claims."""
    negative_facts: tuple[str, ...] = ()
    """Ids of what it declares unsupported."""
    inputs: tuple[str, ...] = ()
    """Ids of the facts that it derives from."""


@dataclass(frozen=True, slots=True)
class BookFixture:
    """The truth tables of one book. `build`, `parse_fixture` and `load_book_fixture` check them."""

    fixture_id: str
    facts: Mapping[str, tuple[str, ...]]
    """Folded fact id to the accepted values, as written."""
    negative_facts: Mapping[str, str | None]
    """Folded id of what the book does not say, to that in words."""
    questions: tuple[Question, ...] = ()
    """With folded ids."""
    title: str | None = None
    passages: tuple[str, ...] = ()
    """The text of the book, where the fixture brings it."""
    accepted: Mapping[str, frozenset[str]] = field(init=False, repr=False, compare=False)
    """Folded fact id to the accepted values, in normal form."""

    def __post_init__(self) -> None:
        accepted = {
            fact: frozenset(map(normalise_value, values)) for fact, values in self.facts.items()
        }
        object.__setattr__(self, "accepted", MappingProxyType(accepted))

    @classmethod
    def build(
        cls,
        fixture_id: str,
        facts: Mapping[str, Iterable[str]],
        negative_facts: Iterable[str] | Mapping[str, str | None] = (),
        questions: Iterable[Question] = (),
        title: str | None = None,
        passages: Iterable[str] = (),
    ) -> "BookFixture":
        """A fixture from plain values, checked like a file.

        >>> book = BookFixture.build("harbor", {"Keeper": ["Ada Lumen"]}, ["harbor-fire"])
        >>> book.accepts("keeper", "ADA  LUMEN")
        True
        """
        said = negative_facts if isinstance(negative_facts, Mapping) else {}
        unsaid = _listed(negative_facts)
        document = {
            "fixture_id": fixture_id,
            "title": title,
            "facts": [{"fact_id": fact, "values": _listed(facts[fact])} for fact in facts],
            "negative_facts": [
                _without_none({"negative_fact_id": name, "statement": said.get(name)})
                for name in unsaid
            ]
            if isinstance(unsaid, list)
            else unsaid,
            "questions": [
                {key: _listed(part) for key, part in _without_none(asdict(question)).items()}
                for question in questions
            ],
            "passages": _listed(passages),
        }
        return _checked(_without_none(document), f"fixture {fixture_id!r}")

    def accepts(self, fact_id: str, value: str) -> bool:
        """Whether a value, in any spelling that normalises alike, is accepted for a fact."""
        return normalise_value(value) in self.accepted.get(casefold(fact_id), frozenset())

    def question(self, question_id: str) -> Question:
        """The question of an id, compared as it is."""
        for question in self.questions:
            if question.question_id == question_id:
                return question
        have = ", ".join(question.question_id for question in self.questions) or "none"
        raise InputError(f"fixture {self.fixture_id!r} has no question {question_id!r}, but {have}")


def parse_fixture(text: str | bytes, where: str) -> BookFixture:
    """A fixture from the text of its JSON file, or from its bytes.

    Raises FixtureError with all faults at once, each with `where`, the name of the file.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        # Numbers have no place in a truth table, so that a float is enough to refuse one. An int
        # would not do: Python raises on one of more than 4,300 digits.
        document = json.loads(
            decoded.removeprefix("\ufeff"), object_pairs_hook=JsonObject, parse_int=float
        )
    except UnicodeDecodeError as error:
        byte = f"byte 0x{error.object[error.start]:02X} at offset {error.start}"
        raise FixtureError(f"{where}: not UTF-8: {byte}; save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FixtureError(f"{where}: not JSON: {error.msg} at {place}") from None
    except RecursionError:
        raise FixtureError(f"{where}: nested too deeply; a truth table needs four levels") from None
    return _checked(document, where)


def load_book_fixture(path: str | Path | None = None) -> BookFixture:
    """The fixture of a JSON file; without an argument the bundled book, Glass Harbor.

    Raises FixtureError with all faults at once.

    >>> load_book_fixture().facts["founding.year"]
    ('1911',)
    """
    file = _bundled() if path is None else Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise FixtureError(f"{file}: cannot be read: {error.strerror or error}") from None
    return parse_fixture(content, str(file))


def _bundled() -> Path:
    """The file of the bundled book: in the package when it is installed, else in the checkout."""
    package = Path(__file__).parent
    folders = (package / "_data", package.parent / "data")
    files = [folder / "fixtures" / "glass_harbor.json" for folder in folders]
    return next((file for file in files if file.exists()), files[0])


def _checked(document: Any, where: str) -> BookFixture:
    """The fixture that a document spells, once nothing is wrong with it."""
    if found := faults(document):
        raise FixtureError(f"{where}: {fault}" for fault in found)
    facts = {casefold(fact["fact_id"]): tuple(fact["values"]) for fact in document["facts"]}
    negative_facts = {
        casefold(negative["negative_fact_id"]): negative.get("statement")
        for negative in document.get("negative_facts", ())
    }
    return BookFixture(
        fixture_id=document["fixture_id"],
        facts=MappingProxyType(facts),
        negative_facts=MappingProxyType(negative_facts),
        questions=tuple(map(_question, document.get("questions", ()))),
        title=document.get("title"),
        passages=tuple(document.get("passages", ())),
    )


def _question(entry: Mapping[str, Any]) -> Question:
    lists = ("facts", "negative_facts", "inputs")
    folded = {key: tuple(map(casefold, entry.get(key, ()))) for key in lists}
    return Question(entry["question_id"], entry.get("prompt"), **folded)


def _listed(values: Any) -> Any:
    """A sequence as a list, as JSON has it. A text is none: it stays, and is refused as such."""
    return list(values) if isinstance(values, Iterable) and not isinstance(values, str) else values


def _without_none(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if value is not None}
