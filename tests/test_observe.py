"""Raw events → what a case observed and how it ended."""

import json
import time

import builders
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from harness import observe
from harness.engines.process import Ended
from harness.model import Outcome, Raised


def events(*lines):
    """Return events as a half writes them; text and bytes stand as they are."""
    made = [line if isinstance(line, (str, bytes)) else json.dumps(line) for line in lines]
    return b"".join((one.encode() if isinstance(one, str) else one) + b"\n" for one in made)


RETAIN = (
    "Burn does not support retain_graph. Combine losses before backward or recompute the forward "
    "pass. Use detach() only to intentionally sever gradients through the previous computation."
)


# --- normalising ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("thread 'main' (4711) panicked", "thread 'main' panicked"),
        ("ThreadId(12) holds it", "ThreadId(_) holds it"),
        ("consumed at NodeId(8). Burn", "consumed at NodeId(_). Burn"),
        ("no NodeId { value: 42 } here", "no NodeId { value: _ } here"),
        ("ParamId(17)", "ParamId(_)"),
        ("ParamId { value: 11400714819323198485 }", "ParamId { value: _ }"),
        ("ParamId {\n    value: 17,\n}", "ParamId {\n    value: _,\n}"),
        ("RunningState(id=0o2fhd8le1r5i)", "RunningState(id=_)"),
        ("Param: 0o2fhd8le1r5i", "Param: <id>"),
        ("panicked at src/experiments/scale.rs:20:5:", "panicked at <location>:"),
        (
            "at ~/.cargo/registry/src/registry.example-19/burn-0.22.1/src/a.rs:1:2",
            "at <location>",
        ),
        ("in /pytorch/aten/src/ATen/core/x.cpp:127 and on", "in <location> and on"),
        ("at /nix/a+b@1~2/src/a.rs:1:2", "at <location>"),
        (r"at C:\Users\me\src\a.rs:1:2", "at <location>"),
        ("[enforce fail at alloc_cpu.cpp:127] err", "[enforce fail at <location>] err"),
        ("at ./build.rs:3", "at <location>"),
        ('  File "/home/me/harness/x.py", line 12, in run', "  <location>, in run"),
        (
            "venv/lib/python3.11/site-packages/torch/nn.py:88: UserWarning",
            "<location>: UserWarning",
        ),
        ("slow. (Triggered internally at ../aten/src/ATen/a.cpp:12.)", "slow."),
        ("slow (Triggered internally at /b/x.cpp:9.) and on", "slow and on"),
        ("<torch.Tensor object at 0x7f3a1c2b9d50>", "<torch.Tensor object at 0x_>"),
    ],
)
def test_what_differs_from_run_to_run_is_taken_away(text, expected):
    """Thread ids, node ids, random ids, addresses and whole source locations are replaced."""
    assert expected == observe.normalised(text)


@pytest.mark.parametrize(
    "text",
    [
        "a leaf Variable that requires grad is being used in an in-place operation.",
        "Can't convert a non leaf tensor into a tracked tensor",
        RETAIN,
        "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
        "element 0 of tensors does not require grad and does not have a grad_fn",
        "Linear {d_input: 4, d_output: 8, bias: true, params: 40}",
        "and/or: see docs/numbers.md, section 3:4",
        "https://pytorch.org/docs/stable/notes/autograd.html:80",
        "the 13 letters: establishment, 1234567890123",
        "ratio 3/4.5:6, 0x1, 0xFFFF, id=7, thread main",
        "a.rs and b.py: 3, model.py",
        "\n  two\nlines\n\tand a tab, \n",
        "   ",
        "缩放之后",
        "",
    ],
)
def test_ordinary_text_is_left_alone(text):
    """What is the same in every run stays as it is."""
    assert text == observe.normalised(text)


def test_a_real_panic_keeps_all_but_its_node():
    """The message of a consumed graph loses the node's number alone."""
    text = "Cannot run backward: graph tape has already been consumed at NodeId({}). " + RETAIN
    assert text.format("_") == observe.normalised(text.format(8))


@given(value=st.integers(0, 2**64 - 1))
def test_random_parameter_ids_never_reach_a_record(value):
    """An id is shown by burn as 13 characters of base 32; all of them become one word."""
    alphabet = "0123456789abcdefghijklmnopqrstuv"
    number = int.from_bytes(value.to_bytes(8, "little"), "big") << 1
    shown = "".join(alphabet[number >> (5 * place) & 31] for place in range(12, -1, -1))
    assert "(id=_)" == observe.normalised(f"(id={shown})")
    assert "Param: <id>" == observe.normalised(f"Param: {shown}")
    assert "ParamId { value: _ }" == observe.normalised(f"ParamId {{ value: {value} }}")


FRAGMENTS = st.sampled_from(
    [
        "NodeId(8)",
        "ParamId(",
        "(id=",
        "0o2fhd8le1r5i",
        "thread '",
        "' (12)",
        "/a.rs:1",
        ":2",
        "0x7f00",
    ]
)


@given(parts=st.lists(FRAGMENTS | st.text(max_size=3)))
def test_normalising_twice_is_normalising_once(parts):
    """A normalised text is left alone, whatever words stand beside what."""
    once = observe.normalised(" ".join(parts))
    assert once == observe.normalised(once)


@pytest.mark.parametrize("piece", ["a", "/", "a/", "a.", " ", "(", "0", "thread '", "NodeId {"])
def test_normalising_is_quick(piece):
    """A text of a million letters costs no more than reading it, whatever it repeats."""
    began = time.monotonic()
    observe.normalised(piece * (1_000_000 // len(piece)))
    assert time.monotonic() - began < 5


# --- parsing --------------------------------------------------------------------------------------


def test_every_kind_of_event_is_read():
    """The events of a whole case become its observations, in order."""
    seen = observe.parse(
        events(
            {"ran": {"torch": "2.15.0"}},
            {"name": "flag", "flag": True},
            {"name": "count", "count": 3},
            {"name": "text", "text": "Linear"},
            {"name": "ids", "ids": ["b", "a", "b"]},
            {"name": "x", "tensor": {"dtype": "float32", "shape": [2], "values": [0.5, "NaN"]}},
            {"done": True},
        )
    )
    assert seen == observe.Seen(
        observations={
            "flag": True,
            "count": 3,
            "text": "Linear",
            "ids": [0, 1, 0],
            "x": builders.tensor([0.5, "NaN"]),
        },
        ran={"torch": "2.15.0"},
        done=True,
    )


def test_the_newest_value_under_a_name_stands():
    """An observation that is made again replaces the first, in its place."""
    seen = observe.parse(
        events({"name": "a", "count": 1}, {"name": "b", "count": 2}, {"name": "a", "count": 3})
    )
    assert [("a", 3), ("b", 2)] == list(seen.observations.items())


@pytest.mark.parametrize("rest", [b'{"name": "b", "co', b'{"done": true}', b"\xff\xfe", b"x" * 999])
def test_a_line_that_was_cut_off_is_left_out(rest):
    """Without its newline a line is no event; what came before it stands."""
    seen = observe.parse(events({"name": "a", "count": 1}) + rest)
    assert {"a": 1} == seen.observations
    assert not seen.broken
    assert not seen.done
    assert rest[:200].decode(errors="replace") == seen.raw["cut off"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("hello", "event 2: "),
        ("", "event 2: "),
        (b"\xff", "event 2: "),
        ([], "not an object"),
        ({}, "neither ran, raised, done nor an observation"),
        ({"done": False}, "neither"),
        ({"ran": "torch"}, "neither"),
        ({"raised": {"type": "E"}}, "neither"),
        ({"name": 1, "count": 1}, "neither"),
        ({"name": "x"}, "an observation is a flag, count, text, ids or a tensor"),
        ({"name": "x", "flag": 1}, "an observation is"),
        ({"name": "x", "count": -1}, "an observation is"),
        ({"name": "x", "count": True}, "an observation is"),
        ({"name": "x", "count": 1.0}, "an observation is"),
        ({"name": "x", "text": None}, "an observation is"),
        ({"name": "x", "tensor": {"dtype": "float32", "shape": [1]}}, "an observation is"),
        (
            {"name": "x", "tensor": {"dtype": "float32", "shape": [3], "values": [1.0]}},
            "1 elements for shape",
        ),
        (
            {"name": "x", "tensor": {"dtype": "float32", "shape": [1], "values": ["nan"]}},
            "'nan' is no float32",
        ),
        (
            {"name": "x", "tensor": {"dtype": "int64", "shape": [1], "values": [[1]]}},
            "is no int64",
        ),
    ],
)
def test_a_line_that_is_no_event_breaks_the_protocol(line, says):
    """The first such line is quoted with its number, and what came before it stands."""
    seen = observe.parse(events({"name": "a", "count": 1}, line, {"name": "b", "count": 2}))
    assert says in seen.broken
    assert "event 2: " in seen.broken
    assert {"a": 1} == seen.observations


@given(data=st.binary(max_size=200))
def test_no_bytes_make_the_parser_fail(data):
    """Whatever stands in the file, the parser says something of it."""
    observe.parse(data)


@given(drawn=strategies.elements())
def test_a_tensor_comes_through(drawn):
    """The tensor that a half writes is the tensor that is stored."""
    dtype, shape, values = drawn
    event = {"name": "x", "tensor": {"dtype": dtype, "shape": shape, "values": values}}
    expected = builders.tensor(values, dtype, shape)
    assert {"x": expected} == observe.parse(events(event)).observations


def test_a_text_is_kept_as_it_came():
    """Where normalising takes something away, the raw text is kept beside it."""
    seen = observe.parse(
        events(
            {"name": "same", "text": "plain"},
            {"name": "shown", "text": "at NodeId(3)"},
            {"raised": {"type": "panic", "text": "at src/a.rs:1:2"}},
        )
    )
    assert {"same": "plain", "shown": "at NodeId(_)"} == seen.observations
    assert Raised(type="panic", text="at <location>") == seen.raised
    assert {"shown": "at NodeId(3)", "raised": "at src/a.rs:1:2"} == seen.raw


# --- classifying ----------------------------------------------------------------------------------

OOM_TORCH = (
    "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
    "you tried to allocate 4000000000000 bytes. Error code 12 (Cannot allocate memory)"
)


def ended(status=0, signal=None, *, timed_out=False):
    """Return how a process ended, within a limit of 60 seconds."""
    return Ended(status=status, signal=signal, timed_out=timed_out, seconds=1.0, limit=60.0)


OOM = "out of memory"
ABORTED = ended(None, "SIGABRT")
LATE = ended(None, "SIGKILL", timed_out=True)


@pytest.mark.parametrize(
    ("lines", "end", "output", "outcome", "reason"),
    [
        ([{"done": True}], ended(), "", "observed", ""),
        ([{"done": True}], LATE, "", "timed_out", "no end within 60 s"),
        (["rubbish"], LATE, "", "timed_out", "no end within 60 s"),
        (["rubbish"], ended(), "", "invalid", "event 1: "),
        ([{"raised": {"type": "ValueError", "text": "no"}}], ended(101), "", "raised", ""),
        ([{"raised": {"type": "panic", "text": "no"}}], ended(101), "out of memory", "raised", ""),
        ([{"raised": {"type": "MemoryError", "text": ""}}], ended(101), "", "crashed", OOM),
        ([{"raised": {"type": "RuntimeError", "text": OOM_TORCH}}], ended(101), "", "crashed", OOM),
        ([], ABORTED, "memory allocation of 64 bytes failed", "crashed", OOM),
        ([], ABORTED, "terminate called: std::bad_alloc", "crashed", OOM),
        ([], ABORTED, "thread 'main' has overflowed its stack", "crashed", "stack overflow"),
        ([], ended(None, "SIGXFSZ"), "", "crashed", "wrote more than the limit"),
        ([], ended(None, "SIGSEGV"), "some words", "crashed", "killed by SIGSEGV"),
        ([], ended(3), "", "crashed", "ended early with exit status 3"),
        ([], ended(0), "", "crashed", "ended early with exit status 0"),
        ([{"done": True}], ended(3), "", "crashed", "ended after its last event with exit st"),
        ([{"done": True}], ended(None, "SIGSEGV"), "", "crashed", "killed by SIGSEGV"),
    ],
)  # fmt: skip
def test_how_a_case_ended(lines, end, output, outcome, reason):
    """The process's end and the events name one outcome, and its reason."""
    seen = observe.parse(events(*lines))
    classified = observe.classify(seen, end, output)
    assert Outcome(outcome) is classified.outcome
    assert classified.reason.startswith(reason)
    assert bool(reason) == bool(classified.reason)
    assert seen.raised == classified.raised or classified.outcome is Outcome.TIMED_OUT
