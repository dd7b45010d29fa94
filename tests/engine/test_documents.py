"""What is wrong with a document is one line: where, what was found, what is allowed."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from tabia.engine.documents import (
    MAX_BYTES,
    Allowed,
    DocumentError,
    Strict,
    parse_toml,
    require_shallow,
    validate,
)


class Inner(Strict):
    size: Annotated[int, Field(ge=1, le=9)] = 1
    word: Annotated[str, Field(pattern="^[a-z]+$"), Allowed("a word")] = "a"


class Outer(Strict):
    kind: Literal["this", "that"]
    inner: Inner = Inner()
    share: Annotated[float, Field(ge=0, le=1)] | None = None
    flags: Annotated[list[Literal["on", "off"]], Field(max_length=2)] = Field(default_factory=list)
    named: dict[Annotated[str, Field(pattern="^[A-Z]$"), Allowed("a capital")], Inner] = Field(
        default_factory=dict
    )
    yes: bool = False
    title: Annotated[str, Field(min_length=1, max_length=5)] | None = None


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({}, 'x:kind: missing; needed: "this" or "that"'),
        ({"kind": "those"}, 'x:kind: found "those"; allowed: "this" or "that"'),
        (
            {"kind": "this", "iner": {}},
            (
                'x:iner: unknown key; did you mean "inner"? '
                "allowed: flags, inner, kind, named, share, title, yes"
            ),
        ),
        # A misspelt key is reported as such, not as the missing one.
        (
            {"knid": "this"},
            (
                'x:knid: unknown key; did you mean "kind"? '
                "allowed: flags, inner, kind, named, share, title, yes"
            ),
        ),
        (
            {"kind": "this", "inner": {"zzz": 1}},
            "x:inner.zzz: unknown key; allowed: size, word",
        ),
        (
            {"kind": "this", "inner": 5},
            "x:inner: found 5; allowed: a table with the keys size, word",
        ),
        (
            {"kind": "this", "inner": {"size": 10}},
            "x:inner.size: found 10; allowed: a whole number from 1 to 9",
        ),
        (
            {"kind": "this", "inner": {"size": True}},
            "x:inner.size: found true; allowed: a whole number from 1 to 9",
        ),
        (
            {"kind": "this", "inner": {"size": "4"}},
            'x:inner.size: found "4"; allowed: a whole number from 1 to 9',
        ),
        ({"kind": "this", "inner": {"word": "9"}}, 'x:inner.word: found "9"; allowed: a word'),
        (
            {"kind": "this", "share": 2.5},
            "x:share: found 2.5; allowed: a number from 0 to 1",
        ),
        ({"kind": "this", "yes": 1}, "x:yes: found 1; allowed: true or false"),
        (
            {"kind": "this", "flags": ["on", "up"]},
            'x:flags.1: found "up"; allowed: "on" or "off"',
        ),
        (
            {"kind": "this", "flags": ["on"] * 3},
            'x:flags: found a list of 3; allowed: a list of 0 to 2, each "on" or "off"',
        ),
        (
            {"kind": "this", "named": {"a": {}}},
            'x:named.a: found the key "a"; allowed as a key: a capital',
        ),
        (
            {"kind": "this", "named": {"A": {"size": 0}}},
            "x:named.A.size: found 0; allowed: a whole number from 1 to 9",
        ),
        (
            {"kind": "this", "title": "sesquipedalian"},
            'x:title: found "sesquipedalian"; allowed: a text of 1 to 5 characters',
        ),
    ],
)
def test_problems(data: dict[str, Any], line: str) -> None:
    with pytest.raises(DocumentError) as error:
        validate(Outer, data, "x")
    assert str(error.value) == line


def test_parts_of_a_problem() -> None:
    with pytest.raises(DocumentError) as error:
        validate(Inner, {"size": 0}, "a.toml", "named.A")
    assert (error.value.source, error.value.key) == ("a.toml", "named.A.size")
    assert error.value.problem == "found 0; allowed: a whole number from 1 to 9"


def test_a_good_document() -> None:
    outer = validate(Outer, {"kind": "that", "named": {"Z": {"word": "zed"}}}, "x")
    assert outer.named["Z"] == Inner(word="zed")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = ", "at end of document"),
        ("a = 1\na = 2\nb = 3", "line 2"),
        ("a = 1\nb =", "not valid TOML"),
        ("a = '''", "not valid TOML"),
        ("\x00", "not valid TOML"),
        (f"a = {'9' * 5000}", "not valid TOML"),
        ("a = 1" + " " * MAX_BYTES, "too long; allowed: 64 KiB"),
        ("a = " + "[" * 30_000, "nested too deep; allowed: 8 levels"),
        ("a = " + "[" * 12 + "]" * 12, "nested too deep; allowed: 8 levels"),
        (".".join("abcdefghij") + " = 1", "nested too deep; allowed: 8 levels"),
    ],
    ids=range(10),
)
def test_texts_that_are_no_documents(text: str, says: str) -> None:
    with pytest.raises(DocumentError) as error:
        parse_toml(text, "x.toml")
    assert str(error.value).startswith("x.toml: ")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_depth_is_measured_without_recursion() -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(DocumentError, match="nested too deep"):
        require_shallow(deep, "x")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {}, optional={"kind": JSON, "inner": JSON, "flags": JSON, "named": JSON, "title": JSON}
    )
    | st.dictionaries(st.text(), JSON)
)
def test_whatever_comes_is_a_model_or_one_printable_line(data: dict[str, Any]) -> None:
    line = ""
    try:
        validate(Outer, data, "x")
    except DocumentError as error:
        line = str(error)
    assert line.isprintable()
    assert len(line) < 500


@pytest.mark.parametrize("huge", [10**5000, -(10**5000)], ids=["large", "small"])
def test_numbers_too_long_to_write_are_no_way_to_break_the_message(huge: int) -> None:
    with pytest.raises(DocumentError, match="found a huge number"):
        validate(Inner, {"size": huge}, "x")


def test_control_characters_and_direction_marks_are_made_visible() -> None:
    error = DocumentError("x\n", "a\x1b[31m", "found \u202e\ud800")
    assert str(error) == "x\\u000a:a\\u001b[31m: found \\u202e\\ud800"
