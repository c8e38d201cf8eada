"""The few lines of a half that a variant runs."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import snippets
from harness.project import Project

PROJECT = Project()
PYTHON = '''"""Question?"""

import torch


def run(variant: str) -> None:
    """Do it."""
    del variant
    model = make()

    match variant:
        case "a" | "b":
            # why
            model.first()
        case "called":
            helper()
        case "no_op":
            pass
        case _:
            model.rest()
    observe("x", model)


def helper() -> None:
    """Help."""
    helped()
'''
RUST = """//! Question?

use crate::support::observe;

/// Does "it" {
pub fn run(variant: &str) {
    let model = make('{', "}", r#"{"a" => 1,"#); // a { in a comment
    /* and { one here */
    let model = match variant {
        "a" | "b" => model.first::<2, Float>(|w| w * 0.5),
        "block" => {
            model.block("}, {")
        }
        "called" => helper(),
        "quoted" => format!("\\"a\\" => {{"),
        "last" => model.last()
    };
    observe("x", model);
}

fn helper() -> Model {
    helped()
}
"""


def python(body: str, variant: str) -> str:
    """Return the snippet of a torch half whose `run` does this."""
    source = "def run(variant):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return snippets.of(source, ".py", variant)


def rust(body: str, variant: str) -> str:
    """Return the snippet of a burn half whose `run` does this."""
    source = (
        "pub fn run(variant: &str) {\n" + textwrap.indent(textwrap.dedent(body), "    ") + "}\n"
    )
    return snippets.of(source, ".rs", variant)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("a", 'case "a" | "b":\n    # why\n    model.first()'),
        ("b", 'case "a" | "b":\n    # why\n    model.first()'),
        ("no_op", 'case "no_op":\n    pass'),
        ("called", "helped()"),
        ("else", "case _:\n    model.rest()"),
    ],
)
def test_the_arm_of_a_python_match(variant, expected):
    """The arm that names the variant, else the one for all others; a sole call is followed."""
    assert expected == snippets.of(PYTHON, ".py", variant)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("a", '"a" | "b" => model.first::<2, Float>(|w| w * 0.5),'),
        ("b", '"a" | "b" => model.first::<2, Float>(|w| w * 0.5),'),
        ("block", '"block" => {\n    model.block("}, {")\n}'),
        ("called", "helped()"),
        ("quoted", '"quoted" => format!("\\"a\\" => {{"),'),
        ("last", '"last" => model.last()'),
    ],
)
def test_the_arm_of_a_rust_match(variant, expected):
    """Braces and arrows in strings, characters and comments part no arms."""
    assert expected == snippets.of(RUST, ".rs", variant)


BRANCHES = """\
if variant == "a":
    one()
elif variant != "b":
    two()
else:
    three()
if variant in ("c", "d"):
    four()
    five()
if other == "a" and variant == "a":
    six()
"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("a", 'if variant == "a":\n    one()'),
        ("b", "three()"),
        ("c", 'elif variant != "b":\n    two()\nif variant in ("c", "d"):\n    four()\n    five()'),
    ],
)
def test_the_branches_of_a_python_half(variant, expected):
    """Every branch that the variant takes, in order; a condition of more than it is left alone."""
    assert expected == python(BRANCHES, variant)


RUST_BRANCHES = """\
let a = if variant == "a" { one() } else { two() };
if variant != "b" {
    three();
    if variant == "a" {
        four();
    }
} else {
    five();
}
if variant == "a" || six() {
    seven();
}
"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (
            "a",
            'let a = if variant == "a" { one() } else { two() };\nif variant != "b" {\n    three();\n    if variant == "a" {\n        four();\n    }\n}',
        ),
        ("b", 'let a = if variant == "a" { one() } else { two() };\nfive();'),
    ],
)
def test_the_branches_of_a_rust_half(variant, expected):
    """Every branch that the variant takes, in order; one within another is not shown twice."""
    assert expected == rust(RUST_BRANCHES, variant)


def test_a_branch_in_another_variants_arm():
    """What an arm asks is that arm's own business."""
    source = 'match variant {\n    "a" | "b" => if variant == "a" { x() } else { y() },\n    _ => z(),\n}\n'

    assert "_ => z()," == rust(source, "c")


def test_what_all_others_do_is_left_out_where_one_is_named():
    """An arm for all other variants says nothing of a variant that is named elsewhere."""
    body = 'let m = match variant {\n    "x" => x(),\n    _ => rest(),\n};\n'
    named = 'match variant {\n    "a" => a(1),\n    _ => unreachable!("{variant}"),\n}\n'

    assert '"a" => a(1),' == rust(body + named, "a")
    assert "_ => rest()," == rust(body + named, "b")


def test_an_entry_of_a_python_table():
    """A table of functions by variant leads to the function's body."""
    source = 'def run(variant):\n    {"a": one, "b": two}[variant]()\n\ndef two():\n    """Doc."""\n    x()\n'

    assert "x()" == snippets.of(source, ".py", "b")


@pytest.mark.parametrize(
    ("source", "suffix", "expected"),
    [
        (
            'def run(variant):\n    """Doc."""\n    del variant\n    x()\n    y()\n',
            ".py",
            "x()\ny()",
        ),
        ("pub fn run(_variant: &str) {\n    x();\n\n    y();\n}\n", ".rs", "x();\n\ny();"),
        ("def run(variant:\n", ".py", "def run(variant:"),
        ("use x;\n", ".rs", "use x;"),
        ("x = 1\n", ".py", "x = 1"),
    ],
)
def test_a_half_that_asks_for_no_variant(source, suffix, expected):
    """The body of `run`; where there is none, or the file cannot be read, its text."""
    assert expected == snippets.of(source, suffix, "a")


def test_a_long_snippet_is_cut():
    """At most fifteen lines, the last of which says that there is more."""
    long = python("\n".join(f"line_{n}()" for n in range(40)), "a").splitlines()

    assert (15, "line_13()", "…") == (len(long), long[-2], long[-1])
    assert 15 == len(python("\n".join("x()" for _ in range(15)), "a").splitlines())


@given(st.text(), st.sampled_from([".py", ".rs"]))
def test_any_text_has_a_snippet(source, suffix):
    """Whatever a file holds, a snippet is at most fifteen lines and no error."""
    assert len(snippets.of(source, suffix, "a").splitlines()) <= 15


@given(
    st.lists(
        st.sampled_from(
            [
                "match variant {",
                '"a" =>',
                "{",
                "}",
                '"',
                "'",
                "::<",
                ">",
                ",",
                "if variant ==",
                "else",
                "_",
                "//",
                "\n",
                "fn run(",
                ")",
            ]
        ),
        max_size=25,
    )
)
def test_any_torn_rust_has_a_snippet(words):
    """A half that does not even parse is no error: it may be what does not compile."""
    assert len(snippets.of(" ".join(words), ".rs", "a").splitlines()) <= 15


@pytest.mark.parametrize("suffix", [".py", ".rs"])
@pytest.mark.parametrize("experiment", PROJECT.contracts)
def test_every_half_has_its_snippets(experiment, suffix):
    """Each variant of the repository's own halves has lines, and they are the file's."""
    folder = {".py": "harness/experiments", ".rs": "rust/src/experiments"}[suffix]
    path = PROJECT.root / folder / f"{experiment}{suffix}"
    if not path.exists():
        assert PROJECT.contracts[experiment].variants
        return
    source = path.read_text("utf-8")
    lines = {line.strip() for line in source.splitlines()} | {"…"}

    for variant in PROJECT.contracts[experiment].variants:
        found = snippets.of(source, suffix, variant)
        assert found
        assert {line.strip() for line in found.splitlines()} <= lines


# --- lines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "suffix", "variant"),
    [
        *((PYTHON, ".py", name) for name in ("a", "b", "called", "no_op", "another")),
        *((RUST, ".rs", name) for name in ("a", "block", "last")),
    ],
)
def test_the_line_of_a_variant_is_where_its_code_begins(source, suffix, variant):
    """The line's text is the first that the variant's code shows."""
    shown = snippets.of(source, suffix, variant).splitlines()[0].strip()

    assert shown == source.splitlines()[snippets.line(source, suffix, variant) - 1].strip()


def test_a_variant_that_nothing_names_begins_with_the_half():
    """Where no code asks for it, the line is that of `run`."""
    line = snippets.line(RUST, ".rs", "another")

    assert "pub fn run(variant: &str) {" == RUST.splitlines()[line - 1]


@pytest.mark.parametrize("suffix", [".py", ".rs"])
@pytest.mark.parametrize("source", ["", "def (", "\n\nfn other() {}\n"])
def test_a_half_that_cannot_be_read_begins_at_its_first_line(source, suffix):
    """An annotation needs a line, whatever the file holds."""
    assert 1 == snippets.line(source, suffix, "a")
