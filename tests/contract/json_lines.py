"""Lines of JSON to put into files of answers."""

import json


def line(key: object = "a", /, **more: object) -> str:
    values = {"answer_id": key, "answer": "It is 5 [1].", "evidence": ["5"], **more}
    return json.dumps(values, ensure_ascii=False) + "\n"


def raw(members: str, key: str = "a") -> str:
    """A line with members that are written as they stand."""
    return line(key)[:-2] + f", {members}}}\n"
