"""The letters of the Latin, Greek and Cyrillic scripts of Unicode 16.0, pinned.

What may stand before a number in a name such as `B12`, and what a number word is made of: general
category L, but for ª and º, which stand behind numbers. Units such as µ belong to no one script.
Python and polars follow the Unicode versions of their own, so this table decides.
"""

_RANGES = """
41-5A 61-7A C0-D6 D8-F6 F8-2B8 2E0-2E4 370-373 376-377 37A-37D 37F-37F 386-386 388-38A 38C-38C
38E-3A1 3A3-3E1 3F0-3F5 3F7-481 48A-52F 1C80-1C8A 1D00-1DBF 1E00-1F15 1F18-1F1D 1F20-1F45 1F48-1F4D
1F50-1F57 1F59-1F59 1F5B-1F5B 1F5D-1F5D 1F5F-1F7D 1F80-1FB4 1FB6-1FBC 1FBE-1FBE 1FC2-1FC4 1FC6-1FCC
1FD0-1FD3 1FD6-1FDB 1FE0-1FEC 1FF2-1FF4 1FF6-1FFC 2071-2071 207F-207F 2090-209C 2126-2126 212A-212B
2132-2132 214E-214E 2183-2184 2C60-2C7F A640-A66E A67F-A69D A722-A787 A78B-A7CD A7D0-A7D1 A7D3-A7D3
A7D5-A7DC A7F2-A7FF AB30-AB5A AB5C-AB64 AB65-AB69 FB00-FB06 FF21-FF3A FF41-FF5A 10780-10785
10787-107B0 107B2-107BA 1DF00-1DF1E 1DF25-1DF2A 1E030-1E06D
"""


def letter_class() -> str:
    """All these letters as a character class without brackets, for Rust's and Python's regex."""
    bounds = (stretch.split("-") for stretch in _RANGES.split())
    return "".join(f"{chr(int(first, 16))}-{chr(int(last, 16))}" for first, last in bounds)
