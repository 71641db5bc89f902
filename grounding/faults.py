"""Every fault of one truth table at once, so that nobody mends them one by one.

A document is a truth table in the shape of its JSON file: objects as dicts, lists as lists. The
same check serves JSON files, tables built in Python, and rows of Parquet gathered per fixture.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from grounding.folding import casefold, normalise_value

_TEXT, _TEXTS, _OBJECTS = "a text", "a list of texts", "a list of objects"

# Per object: key → (what it holds, whether it must be there).
_SHAPE: dict[str, dict[str, tuple[str, bool]]] = {
    "fixture": {
        "fixture_id": (_TEXT, True),
        "title": (_TEXT, False),
        "facts": (_OBJECTS, True),
        "negative_facts": (_OBJECTS, False),
        "questions": (_OBJECTS, False),
        "passages": (_TEXTS, False),
    },
    "facts": {
        "fact_id": (_TEXT, True),
        "values": (_TEXTS, True),
        "statement": (_TEXT, False),
    },
    "negative_facts": {
        "negative_fact_id": (_TEXT, True),
        "statement": (_TEXT, False),
    },
    "questions": {
        "question_id": (_TEXT, True),
        "prompt": (_TEXT, False),
        "facts": (_TEXTS, False),
        "negative_facts": (_TEXTS, False),
        "inputs": (_TEXTS, False),
    },
}
_ID = re.compile(r"[A-Za-z0-9_.-]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TYPES = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list"}

Document = Mapping[str, object]


class JsonObject(dict[str, object]):
    """An object of a JSON file that remembers which of its keys stood there more than once."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.repeated = [key for key, count in counts.items() if count > 1]


def faults(document: object) -> tuple[str, ...]:
    """What is wrong with a truth table, one line a fault, each with its place; empty if nothing is.

    >>> faults({"fixture_id": "x", "facts": [{"fact_id": "a b", "values": ["1"]}]})
    ("facts[0].fact_id: 'a b' is no id; wanted ASCII letters, digits, '_', '.' and '-'",)
    """
    well_formed: Document = document if isinstance(document, Mapping) else {}
    found = (
        *_text_faults(document, ""),
        *_object_faults(document, "", "fixture"),
        *_id_faults(well_formed),
        *_value_faults(well_formed),
        *_question_faults(well_formed),
    )
    return found or tuple(_nothing_stated(well_formed))


def _text_faults(value: object, place: str, depth: int = 0) -> Iterator[str]:
    """Lone surrogates and repeated keys, as deep as a truth table goes."""
    if isinstance(value, str) and (found := _SURROGATE.search(value)):
        point = f"U+{ord(found[0]):04X}"
        yield f"{place}: holds the lone surrogate {point}, which is no character; write it whole"
    elif isinstance(value, Mapping) and depth < 5:
        for key in getattr(value, "repeated", ()):
            yield f"{_within(place)}the key {_shown(key)} stands there more than once; keep one"
        for key, part in value.items():
            yield from _text_faults(part, f"{place}.{key}" if place else str(key), depth + 1)
    elif isinstance(value, list) and depth < 5:
        for position, part in enumerate(value):
            yield from _text_faults(part, f"{place}[{position}]", depth + 1)


def _object_faults(value: object, place: str, kind: str) -> Iterator[str]:
    """Missing and unknown keys and wrong types of one object and of those inside it."""
    if not isinstance(value, Mapping):
        yield f"{_within(place)}{_type(value)}; wanted an object"
        return
    shape = _SHAPE[kind]
    for key in value:
        if key not in shape:
            yield f"{_within(place)}unknown key {_shown(key)}; wanted {', '.join(shape)}"
    for key, (wanted, needed) in shape.items():
        inner = f"{place}.{key}" if place else key
        if key not in value:
            if needed:
                yield f"{_within(place)}no key '{key}'; it must be there"
        elif wanted == _TEXT or not isinstance(value[key], list):
            if wanted != _TEXT or not isinstance(value[key], str):
                yield f"{inner}: {_type(value[key])}; wanted {wanted}"
        else:
            for position, part in enumerate(value[key]):
                if wanted == _OBJECTS:
                    yield from _object_faults(part, f"{inner}[{position}]", key)
                elif not isinstance(part, str):
                    yield f"{inner}[{position}]: {_type(part)}; wanted a text"


def _nothing_stated(document: Document) -> Iterator[str]:
    """A fixture without a row in any table: no answer could name it."""
    tables = [document.get(kind) for kind in ("facts", "negative_facts", "questions")]
    if all(table in (None, []) for table in tables):
        yield "states nothing; wanted a fact, a negative fact or a question"


def _id_faults(document: Document) -> Iterator[str]:
    """Ids that are empty, illegal, or the same once case is folded."""
    if document.get("fixture_id") == "":
        yield "fixture_id: empty; wanted a name"
    seen: dict[str, str] = {}
    for kind, key in (("facts", "fact_id"), ("negative_facts", "negative_fact_id")):
        for place, written in _ids(document, kind, key):
            if not _ID.fullmatch(written):
                wanted = "ASCII letters, digits, '_', '.' and '-'"
                yield f"{place}: {_shown(written)} is no id; wanted {wanted}"
            elif first := seen.get(casefold(written)):
                rule = "an id names one fact or one negative fact, whatever its case"
                yield f"{place}: {_shown(written)} is {first} already; {rule}"
            else:
                seen[casefold(written)] = place


def _value_faults(document: Document) -> Iterator[str]:
    """Facts that no claim could state: without a value, or with one that is all white space."""
    for place, fact in _entries(document, "facts"):
        if fact.get("values") == []:
            yield f"{place}.values: empty; wanted at least one accepted value"
        for inner, value in _texts(place, fact, "values"):
            if not normalise_value(value):
                yield f"{inner}: {_shown(value)} is empty once normalised; wanted a value"


def _question_faults(document: Document) -> Iterator[str]:
    """Question ids that are empty or repeated, and references that resolve to nothing."""
    facts = {casefold(written) for _, written in _ids(document, "facts", "fact_id")}
    negative = _ids(document, "negative_facts", "negative_fact_id")
    known = {
        "facts": ("fact", facts),
        "negative_facts": ("negative fact", {casefold(written) for _, written in negative}),
        "inputs": ("fact", facts),
    }
    seen: dict[str, str] = {}
    for place, written in _ids(document, "questions", "question_id"):
        if not written:
            yield f"{place}: empty; wanted a name"
        elif written in seen:
            yield f"{place}: {_shown(written)} is {seen[written]} already; wanted one of each"
        seen.setdefault(written, place)
    for place, question in _entries(document, "questions"):
        for key, (name, ids) in known.items():
            for inner, reference in _texts(place, question, key):
                if casefold(reference) not in ids:
                    yield f"{inner}: {_shown(reference)} is no {name} of this fixture"


def _entries(document: Document, kind: str) -> list[tuple[str, Document]]:
    """The objects of a list with their places; what is no object was reported as such."""
    entries = document.get(kind)
    numbered = enumerate(entries if isinstance(entries, list) else [])
    return [(f"{kind}[{n}]", entry) for n, entry in numbered if isinstance(entry, Mapping)]


def _texts(place: str, entry: Document, key: str) -> list[tuple[str, str]]:
    """The texts of a list with their places."""
    texts = entry.get(key)
    numbered = enumerate(texts if isinstance(texts, list) else [])
    return [(f"{place}.{key}[{n}]", text) for n, text in numbered if isinstance(text, str)]


def _ids(document: Document, kind: str, key: str) -> list[tuple[str, str]]:
    """The ids of a list of objects with their places."""
    found = [(f"{place}.{key}", entry.get(key)) for place, entry in _entries(document, kind)]
    return [(place, written) for place, written in found if isinstance(written, str)]


def _within(place: str) -> str:
    return f"{place}: " if place else ""


def _shown(text: str) -> str:
    """A text in quotes, cut where it is long, with what cannot be printed escaped."""
    return repr(text if len(text) <= 60 else f"{text[:59]}…")


def _type(value: object) -> str:
    """What a value is, in the words of JSON."""
    if isinstance(value, Mapping):
        return "an object"
    return "null" if value is None else _TYPES.get(type(value), type(value).__name__)
