"""What an untrusted run uploaded: hostile in every way that a zip, a JSON or a text can be."""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile

import builders
import pytest
from fake_github import desk as desks
from fake_github.state import zipped

from harness.errors import HarnessError
from harness.github import from_run
from harness.github.comment import MARKER
from harness.github.failures import OutageError
from harness.github.unpack import Limits, unpack
from harness.report import machine_readable

RUN, SHA = 5, "a" * 40
LIMITS = Limits(archive=1 << 20, files=3, file=1 << 21, total=3 << 20, ratio=100)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A fake GitHub with pull request 7 from a fork, and the run on it."""
    with desks.opened(tmp_path, monkeypatch) as opened:
        opened.fake.state.pull(7, SHA)
        opened.fake.state.run(RUN, SHA)
        yield opened


def document(**words):
    """Return a report in which one behaviour changed; words replace the change's."""
    line = builders.line()
    found = machine_readable.document(builders.report(changes=(line,)))
    found["changes"][0] |= words
    return found


def files(number="7\n", **words):
    """Return what a run uploads."""
    return {"report.json": json.dumps(document(**words)), "pull-request.txt": number}


def comment(desk, content, *more):
    """Comment on what a run uploaded, as zip."""
    path = desk.write("artifact.zip", content if isinstance(content, bytes) else zipped(content))
    return desk.run("comment", "--run", RUN, "--artifact", path, *more)


def refused(desk, answer, *words):
    """Check that nothing was posted, with a reason on one line that no runner obeys."""
    assert answer.code == 2, answer
    assert desk.fake.writes == []
    assert all(word in answer.err for word in words), answer.err
    assert not [line for line in answer.err.splitlines() if line.startswith(("::", "##["))]


# --- what is welcome ------------------------------------------------------------------------------


def test_a_good_artifact_is_commented(desk):
    """The report of a fork's pull request is worded here, and posted."""
    assert comment(desk, files()).out.startswith("comment created")
    assert "### Behaviour changed: 1 break" in desk.said()[0]


def test_a_folder_will_do(desk):
    """What download-artifact unpacked is read the same way."""
    for name, content in files().items():
        desk.write(f"there/{name}", content)

    answer = desk.run("comment", "--run", RUN, "--artifact", desk.folder / "there")

    assert answer.out.startswith("comment created")


def test_it_is_downloaded_where_it_is_not_given(desk):
    """The artifact comes from the run itself, without the token going to the blob's host."""
    desk.fake.state.artifact(RUN, "something-else", b"")
    desk.fake.state.artifact(RUN, "emberwatch-report", zipped(files()))

    assert desk.run("comment", "--run", RUN).out.startswith("comment created")


def test_a_run_that_is_not_the_newest_posts_nothing(desk):
    """A pull request that moved on is no attack: nothing is posted, and all is well."""
    desk.fake.state.pull(7, "b" * 40)

    answer = comment(desk, files())

    assert (answer.code, desk.fake.writes) == (0, [])
    assert "moved on" in answer.out


# --- whose it is ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"repository": "other/models"}, "other/models:x"),
        ({"ref": "main"}, "fork/models:main"),
        ({"event": "push"}, "started by push"),
    ],
)
def test_a_number_of_somebody_elses_pull_request(desk, change, word):
    """The run must be of a pull request, from the repository and branch that it asks to merge."""
    desk.fake.state.run(RUN, SHA, **change)

    refused(desk, comment(desk, files()), word)


def test_a_number_that_does_not_exist(desk):
    """A pull request that is not there is refused."""
    refused(desk, comment(desk, files(number="8")), "404")


@pytest.mark.parametrize(
    "number",
    [
        "",
        "x",
        "7 8",
        "-7",
        "0",
        "07",
        "1e3",
        "７",
        "7\n8",
        "7\n::error::x",
        "9" * 400,
        "7;rm -rf /",
    ],
)
def test_a_number_that_is_none(desk, number):
    """Only digits are a number."""
    refused(desk, comment(desk, files(number=number)), "pull-request.txt")


# --- what it holds --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "word"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not of type 'object'"),
        ("{}", "required property"),
        (json.dumps(document() | {"extra": 1}), "unknown key"),
        (json.dumps(document() | {"x\n::error::y": 1}), "unknown key"),
        (json.dumps(document() | {"exit_code": 7}), "exit_code"),
        (json.dumps(document(cell="../../etc")), "cell"),
        (json.dumps(document(experiment="<script>")), "experiment"),
        (b"\xff\xfe", "not JSON"),
    ],
)
def test_a_report_that_is_none(desk, report, word):
    """What breaks the schema is refused in words that fit on a line."""
    refused(desk, comment(desk, files() | {"report.json": report}), word)


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "@everyone look",
        "![x](https://evil.invalid/x.png) [y](javascript:z)",
        "` | @you | <b> `",
        "a | b \\| @you",
        "``` ` `` @you",
        f"{MARKER}",
        "\n\n# Approved\n\n::set-output name=x::y\n",
        "\u202eevil",
        "--> <!--",
        "\\` @you",
    ],
)
@pytest.mark.parametrize("key", ["expected", "observation"])
def test_foreign_text_means_nothing(desk, text, key):
    """HTML, links, names, markers and commands stand in code, on one line of the table."""
    answer = comment(desk, files(**{key: text}))

    (said,) = desk.said()
    (row,) = [line for line in said.splitlines() if line.startswith("| break")]
    outside = without_code(row)
    assert not [sign for sign in "<>@[]!#:\u202e" if sign in outside], outside
    assert outside.count("|") == 8
    assert said.count(MARKER) == 1 + row.count(MARKER)
    assert answer.out.count("\n") == 1


def without_code(line):
    """Return a line of a table without its spans of code, as CommonMark finds them."""
    kept, rest = "", line
    while rest:
        head, tick, rest = rest.partition("`")
        kept += head
        if not tick:
            break
        run = 1 + len(rest) - len(rest.lstrip("`"))
        rest = rest.lstrip("`")
        ends = [i for i in range(len(rest)) if rest[i : i + run] == "`" * run]
        closing = [i for i in ends if rest[i - 1 : i] != "`" and rest[i + run : i + run + 1] != "`"]
        assert closing, f"code that does not end: {line}"
        assert "|" not in rest[: closing[0]].replace("\\|", "")
        rest = rest[closing[0] + run :]
    return kept


# --- zips -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "../report.json", "/etc/passwd", "a/../../x", "..\\x", "C:\\x", "report.json/", "./report.json",
        "extra.txt", "sub/report.json", ".github/workflows/x.yml", "a\n::error::b", "REPORT.JSON",
    ],
)  # fmt: skip
def test_a_name_that_is_not_expected(desk, name):
    """Only two names are taken; no path leads out of the folder."""
    before = set(desk.folder.rglob("*"))

    answer = comment(desk, files() | {name: "x"} if name != "report.json/" else {name: "x"})

    refused(desk, answer)
    assert set(desk.folder.rglob("*")) - before == {desk.folder / "artifact.zip"}


@pytest.mark.parametrize("missing", ["report.json", "pull-request.txt"])
def test_a_file_that_is_missing(desk, missing):
    """Both files must be there."""
    rest = {name: content for name, content in files().items() if name != missing}

    refused(desk, comment(desk, rest), f"{missing}: missing")


def test_not_a_zip(desk):
    """What is no zip is refused."""
    refused(desk, comment(desk, b"PK\x03\x04 but no more"), "not a zip")


def test_a_zip_that_is_broken_inside(desk):
    """A file that does not have its checksum is refused."""
    data = bytearray(zipped(files(number="7" * 9)))
    data[data.index(b"report.json") + 40] ^= 0xFF

    refused(desk, comment(desk, bytes(data)))


def archive(*entries):
    """Return a zip of (info, content), with nothing checked."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for info, content in entries:
            made.writestr(info, content)
    return buffer.getvalue()


def link(name):
    """Return an entry that is a symbolic link."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("entries", "word"),
    [
        ([(link("a"), "/etc/passwd")], "not a plain file"),
        ([("a", "x"), ("a", "y")], "twice"),
        ([("a", "x"), ("A", "y")], "twice"),
        ([(f"{n}", "x") for n in range(4)], "4 files"),
        ([(f"{n}", "x") for n in range(70)], "70 entries"),
        ([("a", bytes(3 << 20))], "times its size"),
        ([("a", os.urandom(1 << 20))], "bytes"),
    ],
)
def test_a_zip_that_wants_harm(tmp_path, entries, word):
    """Links, doubles, floods and bombs are refused, and nothing is left."""
    source = tmp_path / "x.zip"
    source.write_bytes(archive(*entries))

    with pytest.raises(HarnessError, match=word):
        unpack(source, tmp_path / "into", LIMITS, lambda _: True)

    assert not (tmp_path / "into").exists()


@pytest.mark.parametrize(("sizes", "word"), [((3 << 20,), "at most"), ((2 << 20,) * 2, "unpacked")])
def test_a_folder_that_is_too_big(tmp_path, sizes, word):
    """The limits on a file and on all of them hold for folders, too."""
    for number, size in enumerate(sizes):
        (tmp_path / "from").mkdir(exist_ok=True)
        with (tmp_path / "from" / f"{number}").open("wb") as file:
            file.truncate(size)

    with pytest.raises(HarnessError, match=word):
        unpack(tmp_path / "from", tmp_path / "into", LIMITS, lambda _: True)


def test_a_folder_with_a_link(tmp_path):
    """A symbolic link in a folder is refused, be it to a file or to a folder."""
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "a").symlink_to("/etc")

    with pytest.raises(HarnessError, match="not a plain file"):
        unpack(tmp_path / "from", tmp_path / "into", LIMITS, lambda _: True)


# --- records of another run -----------------------------------------------------------------------

ONE, TWO = "observed-burn-main-ubuntu-1", "observed-burn-main-ubuntu-2"


@pytest.fixture
def fetch(desk, tmp_path):
    """Download the records of run 9; return the folder of its artifacts."""
    return lambda: from_run.download(desk.client(), 9, tmp_path / "into", lambda _: None)


def left(folder):
    """Return the files and folders below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_records_of_a_run_come_artifact_by_artifact(desk, fetch):
    """What is named as a cell's artifact is unpacked into a folder of its name; others are left."""
    state = desk.fake.state
    state.artifact(9, ONE, zipped({"records/burn-main/scale.jsonl": "1\n"}))
    state.artifact(9, TWO, zipped({"cells/burn-main.json": "{}"}))
    state.artifact(9, "observed-../x", zipped({"x.json": ""}))
    state.artifact(9, "other", zipped({"x.sh": ""}))

    there = fetch()

    found = {path.relative_to(there).as_posix() for path in there.rglob("*") if path.is_file()}
    assert found == {f"{ONE}/records/burn-main/scale.jsonl", f"{TWO}/cells/burn-main.json"}


@pytest.mark.parametrize(
    "name", ["../x.json", "records/x.sh", ".hidden.json", "a/b/c/d/e/f.json", "x/.git/config.json"]
)
def test_records_with_other_names_are_refused(desk, fetch, tmp_path, name):
    """Only JSON with plain names comes out of a run, or nothing."""
    desk.fake.state.artifact(9, ONE, zipped({"good.json": "{}"}))
    desk.fake.state.artifact(9, TWO, zipped({name: "{}"}))

    with pytest.raises(HarnessError, match="not a name that is expected"):
        fetch()

    assert left(tmp_path / "into") == set()


def test_a_run_without_records(desk, fetch):
    """A run that uploaded nothing that is a cell's is an error that names it."""
    desk.fake.state.artifact(9, "observed-something", zipped({"a.json": "{}"}))

    with pytest.raises(HarnessError, match="run 9: 0 artifacts"):
        fetch()


@pytest.mark.parametrize("size", [65 << 20, 10])
def test_an_artifact_that_is_too_long(desk, fetch, size):
    """It is not begun where GitHub says so, and not finished where GitHub said otherwise."""
    data = zipped({"a.json": "{}"}) + bytes(65 << 20)
    desk.fake.state.artifact(9, ONE, data, size=size)

    with pytest.raises(HarnessError, match="more"):
        fetch()


def interrupt():
    """Be somebody who presses Ctrl-C."""
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("then", "error"), [(interrupt, KeyboardInterrupt), (lambda: None, OutageError)]
)
def test_a_download_that_is_interrupted(desk, fetch, tmp_path, then, error):
    """Nothing of it is left; what an earlier attempt left whole stays."""
    desk.fake.state.artifact(9, ONE, zipped({"a.json": "{}"}))
    before = fetch()
    desk.fake.state.artifact(9, ONE, zipped({"b.json": "{}"}))
    desk.fake.state.artifact(9, TWO, zipped({"c.json": "{}"}))

    desk.time.then = then
    (last,) = [id_ for id_, (_, name, _) in desk.fake.state.zips.items() if name == TWO]
    desk.fake.fault(502, match=f"/blob/{last}", times=9)
    with pytest.raises(error):
        fetch()

    assert left(before.parent) == {
        before.name,
        f"{before.name}/{ONE}",
        f"{before.name}/{ONE}/a.json",
    }
    assert left(tmp_path / "into") == {"9"} | {f"9/{name}" for name in left(before.parent)}


def test_what_a_kill_left_is_taken_away(desk, fetch, tmp_path):
    """Half a download is nobody's."""
    desk.write("into/.part/whole/observed-x/a.json", "{")
    desk.fake.state.artifact(9, ONE, zipped({"a.json": "{}"}))

    there = fetch()

    assert left(there) == {ONE, f"{ONE}/a.json"}
    assert not (tmp_path / "into" / ".part").exists()


def test_a_report_that_was_uploaded_again(desk):
    """Of a run that was started again, the last attempt's report is commented."""
    desk.fake.state.artifact(RUN, "emberwatch-report", zipped(files(expected="first")))
    desk.fake.state.artifact(RUN, "emberwatch-report", zipped(files(expected="second")))

    desk.run("comment", "--run", RUN)

    assert "second" in desk.said()[0]
