"""The review page: what is ticked becomes commands and a patch that accept just that."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mini.checkout import BURN, HEAD, TORCH, Checkout

from harness import amend
from harness.dashboard import patching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOSTILE = 'it\'s "right": $(touch x) `touch y` $HOME !! \\ %s <b>&amp; # -- ü\nand a second line'
HERE = Path(__file__).resolve().parent
#: Stands for nox: `nox -s accept -- …` is a verb of the mini checkout.
NOX = """#!/bin/sh
test "$1 $2 $3" = "-s accept --" || exit 99
shift 3
exec {python} {program} {root} accept "$@"
"""


class Review:
    """The page as somebody uses it."""

    def __init__(self, checkout: Checkout, context: Any) -> None:
        """Open it, and hear every complaint of the browser."""
        self.page = context.new_page()
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.goto((checkout.root / "report/dashboard/review.html").as_uri())

    def case(self, cell: str, variant: str) -> Any:
        """Return the fieldset of a case of `changed`."""
        cases = self.page.locator("fieldset.case").filter(has=self.page.get_by_text(cell).first)
        legend = self.page.get_by_role("link", name=f"changed / {variant}", exact=True)
        return cases.filter(has=legend)

    def accept(self, cell: str, variant: str, reason: str = "", **more: str) -> None:
        """Tick a case and say why."""
        case = self.case(cell, variant)
        case.get_by_label("accept", exact=True).check()
        if reason:
            case.get_by_label("reason").fill(reason)
        for label, value in more.items():
            case.get_by_label(label).fill(value)

    def text(self, part: str) -> str:
        """Return the text of a part of the outcome, once it has been brought up to date."""
        self.page.wait_for_timeout(250)
        return str(self.page.locator(f"#{part} pre").evaluate("one => one.textContent"))


@pytest.fixture
def opened(chromium: Any) -> Iterator[Callable[[Checkout], Review]]:
    """Open review pages, which complain of nothing."""
    context = chromium.new_context()
    found: list[Review] = []

    def opening(checkout: Checkout) -> Review:
        found.append(Review(checkout, context))
        return found[-1]

    yield opening
    context.close()
    assert [] == [problem for one in found for problem in one.problems]


def built(checkout: Checkout, *words: str) -> Checkout:
    """Build the site of a checkout."""
    answer = checkout.invoke("dashboard", *words)
    assert 0 == answer.code, answer.err
    return checkout


@pytest.fixture(scope="module")
def prepared(settled: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Run torch and the head as a new release, of which some variants do something else."""
    checkout = settled.copied(tmp_path_factory.mktemp("review"))
    checkout.remove(*(set(checkout.project.contracts) - {"changed", "same"}))
    checkout.remove_variants("changed", "flag", "count", "text")
    checkout.release("new", TORCH, HEAD)
    checkout.regress("--group", "all")
    return built(checkout)


@pytest.fixture
def pending(prepared: Checkout, tmp_path: Path) -> Checkout:
    """Copy a checkout whose last run found something to decide, and its site."""
    return prepared.copied(tmp_path)


def run(checkout: Checkout, commands: str) -> None:
    """Run commands as they are in a shell, in which nox is the checkout's own door."""
    tools = checkout.root / "tools"
    tools.mkdir(exist_ok=True)
    program = HERE / "mini" / "framework.py"
    text = NOX.format(python=sys.executable, program=program, root=checkout.root)
    (tools / "nox").write_text(text)
    (tools / "nox").chmod(0o755)
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "PYTHONPATH": f"{HERE}:{HERE.parent}"}
    told = subprocess.run(
        ["bash", "-e", "-c", commands],
        cwd=checkout.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == told.returncode, told.stderr


def reasons(checkout: Checkout, cell: str) -> dict[str, str]:
    """Return why the baselines of `changed` are what they are, those apart that were settled."""
    document = yaml.safe_load(checkout.project.baselines.path("changed", cell).read_text())
    found = {name: one["accepted"]["reason"] for name, one in document["variants"].items()}
    return {name: why for name, why in found.items() if why != "the mini project does so"}


def taken(commands: str) -> set[tuple[str, str]]:
    """Return the (cell, variant) that commands name."""
    found: set[tuple[str, str]] = set()
    for line in commands.splitlines():
        words = shlex.split(line)
        assert ["nox", "-s", "accept", "--", "changed"] == words[:5]
        named = words[5 : words.index("--reason")]
        cells = [one for one in named if "-" in one]
        found |= {(cell, one) for cell in cells for one in named if "-" not in one}
    return found


def test_the_command_accepts_a_baseline_for_that_reason(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """What is ticked and its reason, whatever it holds, are what the command accepts."""
    review = opened(pending)
    review.accept(TORCH, "flag", HOSTILE)
    before = pending.snapshot(".")
    run(pending, review.text("commands"))

    assert {"flag": HOSTILE} == reasons(pending, TORCH)
    assert {"x", "y"}.isdisjoint(path.name for path in pending.root.rglob("*"))
    assert before.keys() <= pending.snapshot(".").keys() | {
        f".emberwatch/proposed/changed/{TORCH}.json"
    }
    left = {(one["cell"], one["variant"]) for one in pending.report("--group", "all")["changes"]}
    assert (TORCH, "flag") not in left
    assert (TORCH, "count") in left


def test_everything_accepted_is_green(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """All cases ticked at once under one reason: few commands, and the next report is green."""
    review = opened(pending)
    everything = review.page.locator("fieldset.all")
    everything.get_by_label("accept all", exact=True).check()
    everything.get_by_label("reason").fill("the release notes say so")
    commands = review.text("commands")
    run(pending, commands)

    assert 2 == len(commands.splitlines())
    assert "6 of 6 decided: 6 accepted" in review.page.locator("#decided").inner_text()
    # torch's new behaviour is no more burn's, which a contract has to say, not a baseline
    report = pending.report("--group", "all")
    assert [] == [one for one in report["changes"] if one["class"] != "parity_lost"]
    assert {HEAD} == {one["cell"] for one in report["accepted"]}


def test_the_patch_adds_the_entries(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """Of a moving head, the patch adds what accept would, and the next report is settled."""
    review = opened(pending)
    review.accept(HEAD, "flag", HOSTILE, link="https://x/?a='b'&c", last="2999-01-01")
    review.accept(HEAD, "count", "no: comment # here")
    patch = review.text("patch")
    with review.page.expect_download() as download:
        review.page.get_by_role("link", name="Download").click()
    file = pending.root / "accepted.patch"
    download.value.save_as(file)
    subprocess.run(["git", "apply", file.name], cwd=pending.root, check=True)

    assert patch == file.read_text()
    flag, count = pending.project.accepted
    assert (HOSTILE, "https://x/?a='b'&c", "2999-01-01") == (flag.reason, flag.link, flag.expires)
    assert "no: comment # here" == count.reason
    report = pending.report("changed", HEAD)
    assert [] == report["outdated"]
    assert {"flag", "count"} == {one["variant"] for one in report["accepted"]}
    assert {"text"} == {one["variant"] for one in report["changes"]}


def test_the_commands_of_a_head_say_the_same(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """A head's command carries link and last day, and adds the entry of the patch."""
    review = opened(pending)
    review.accept(HEAD, "flag", HOSTILE, link="https://x/?a='b'&c", last="2999-01-01")
    patch = review.text("patch")
    run(pending, review.text("commands"))
    [one] = pending.project.accepted
    text = pending.project.accepted_path.read_text()
    pending.project.accepted_path.unlink()
    subprocess.run(["git", "apply", "-"], cwd=pending.root, input=patch, text=True, check=True)

    assert (HOSTILE, "https://x/?a='b'&c", "2999-01-01") == (one.reason, one.link, one.expires)
    assert yaml.safe_load(text) == yaml.safe_load(pending.project.accepted_path.read_text())


def test_a_head_that_does_as_its_reference_needs_no_entry(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """With the reference's new behaviour accepted, the head's is no difference: no command."""
    pending.release("new", TORCH, BURN, HEAD)
    pending.regress("--group", "all")
    review = opened(built(pending))
    everything = review.page.locator("fieldset.all")
    everything.get_by_label("accept all", exact=True).check()
    everything.get_by_label("reason").fill("why")
    commands = review.text("commands")
    run(pending, commands)

    assert HEAD not in commands
    assert 3 == review.page.locator("#settled li").count()
    assert review.page.locator("#patch").is_hidden()
    report = pending.report("--group", "all")
    assert (0, []) == (report["exit_code"], report["outdated"])


@pytest.mark.parametrize("number", [*range(1, 64, 7), 63])
def test_what_is_not_ticked_is_not_accepted(
    pending: Checkout, opened: Callable[[Checkout], Review], number: int
) -> None:
    """Whatever subset is ticked, the commands name it and nothing else."""
    cases = [(cell, variant) for cell in (TORCH, HEAD) for variant in ("flag", "count", "text")]
    chosen = {case for place, case in enumerate(cases) if number >> place & 1}
    review = opened(pending)
    for cell, variant in chosen:
        review.accept(cell, variant, "why")

    assert chosen == taken(review.text("commands"))


def test_without_a_reason_nothing_is_accepted(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """A case that lacks a reason, or has one of blanks, is listed and has no command."""
    review = opened(pending)
    review.accept(TORCH, "flag")
    review.accept(HEAD, "flag", " \n ")
    review.accept(HEAD, "count", "why", last="2020-01-01")

    assert "Nothing is accepted yet." == review.text("commands")
    assert [
        f"{TORCH} changed / flag: lacks a reason",
        f"{HEAD} changed / flag: lacks a reason",
        f"{HEAD} changed / count: its last day is over",
    ] == review.page.locator("#lacking li").all_inner_texts()


def test_a_group_sets_its_cases(pending: Checkout, opened: Callable[[Checkout], Review]) -> None:
    """One change in several cells is ticked at once, with one reason; a case may say otherwise."""
    review = opened(pending)
    group = review.page.get_by_role("region", name="changed / flag 2 cases")
    whole = group.get_by_role("group", name="All 2 cases")
    whole.get_by_label("accept", exact=True).check()
    whole.get_by_label("reason").fill("of all")
    review.case(HEAD, "flag").get_by_label("reason").fill("of one")
    commands = review.text("commands")

    assert {(TORCH, "flag"), (HEAD, "flag")} == taken(commands)
    assert [f"{TORCH} --reason 'of all'", f"{HEAD} --reason 'of one'"] == [
        line.split("flag ")[1] for line in commands.splitlines()
    ]
    review.case(HEAD, "flag").get_by_label("reject").check()
    assert 0 == whole.locator("input:checked").count()


def test_what_is_rejected_is_a_list_to_paste(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """A rejection is a line of Markdown in which nothing is markup, and no command."""
    review = opened(pending)
    case = review.case(TORCH, "text")
    case.get_by_label("reject").check()
    case.get_by_label("reason").fill("see #12, @you <!-- `x`")

    assert (
        f"- rejected: {TORCH.replace('-', chr(92) + '-')} changed / text, "
        "see \\#12, \\@you \\<\\!\\-\\- \\`x\\`\n"
        "  - change text_change `text`: `old words` → `new words`\n"
    ) == review.text("rejects")
    assert "Nothing is accepted yet." == review.text("commands")


def test_decisions_survive_a_reload_and_a_reset_forgets_them(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """The browser keeps what was decided on a run until it is told to forget it."""
    review = opened(pending)
    review.accept(TORCH, "flag", "why")
    before = review.text("commands")
    review.page.reload()
    kept = review.text("commands")
    again = review.case(TORCH, "flag").get_by_label("reason").input_value()
    review.page.on("dialog", lambda dialog: dialog.accept())
    review.page.get_by_role("button", name="Reset").click()
    gone = review.text("commands")
    review.page.reload()

    assert (before, "why") == (kept, again)
    assert {"Nothing is accepted yet."} == {gone, review.text("commands")}


def test_copy_takes_the_very_text(pending: Checkout, opened: Callable[[Checkout], Review]) -> None:
    """The button copies the commands as they are shown."""
    review = opened(pending)
    review.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    review.accept(TORCH, "flag", HOSTILE)
    commands = review.text("commands")
    review.page.locator("#commands").get_by_role("button", name="Copy").click()
    review.page.get_by_text("Copied.").wait_for()

    assert commands == review.page.evaluate("() => navigator.clipboard.readText()")


def test_all_of_it_can_be_done_with_the_keyboard(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """Tab and the arrows reach radios and reasons; nothing needs a mouse."""
    review = opened(pending)
    review.case(TORCH, "text").get_by_label("undecided").focus()
    for key in ("ArrowUp", "ArrowUp", "Tab"):
        review.page.keyboard.press(key)
    review.page.keyboard.type("typed")

    assert f"nox -s accept -- changed text {TORCH} --reason 'typed'" == review.text("commands")


def test_without_scripts_each_case_has_its_command(pending: Checkout, chromium: Any) -> None:
    """A page without JavaScript gives each case's command, and no control that does nothing."""
    context = chromium.new_context(java_script_enabled=False)
    page = Review(pending, context).page
    commands = page.locator("pre.plain").all_text_contents()

    assert 6 == len(commands)
    assert f'nox -s accept -- changed flag {TORCH} --reason "…"' in commands
    assert not any(one.is_visible() for one in page.locator("input, textarea, button").all())
    context.close()


def test_commands_name_the_folder_that_the_run_was_read_from(
    pending: Checkout, opened: Callable[[Checkout], Review]
) -> None:
    """A site of another run's records has commands with --records, and they work."""
    folder = pending.root / "it's theirs"
    shutil.copytree(pending.project.work, folder)
    shutil.rmtree(pending.project.work)
    review = opened(built(pending, "--records", str(folder)))
    review.accept(TORCH, "flag", "why")
    run(pending, review.text("commands"))

    assert {"flag": "why"} == reasons(pending, TORCH)


# --- quoting, for any text ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def quoting(prepared: Checkout, chromium: Any) -> Iterator[Review]:
    """Open one page for many texts."""
    context = chromium.new_context()
    yield Review(prepared, context)
    context.close()


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda words: bool(words.strip("\0\ufeff").strip())
)


def cleaned(words: str) -> str:
    """Return what is left of a reason: no control character but a newline, no blank around it."""
    words = words.replace("\r\n", "\n").replace("\r", "\n")
    controls = {*range(32), *range(127, 160)} - {10}
    return "".join(" " if ord(one) in controls else one for one in words)


@given(words=_TEXTS)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_reason_is_one_word_and_one_value(quoting: Review, words: str) -> None:
    """A shell reads the reason as it was typed, and so does YAML; neither reads more than it."""
    case = quoting.case(HEAD, "flag")
    case.get_by_label("accept", exact=True).check()
    case.get_by_label("reason").fill(words)
    command, patch = quoting.text("commands"), quoting.text("patch")
    wanted = cleaned(words).strip()
    if not wanted.strip("\ufeff\u200b"):
        return
    shell = subprocess.run(
        [str(shutil.which("bash")), "-c", f"nox() {{ printf '%s\\0' \"$@\"; }}; {command}"],
        capture_output=True,
        check=True,
        env={"PATH": "/nowhere", "LC_ALL": "C.UTF-8"},
    )
    added = [line[1:] for line in patch.split("\n") if line.startswith("+") and line[1:2] != "+"]

    assert wanted == shell.stdout.decode().split("\0")[-2].strip()
    assert wanted == yaml.safe_load("\n".join(added))[0]["reason"].strip()


# --- where entries go -----------------------------------------------------------------------------

ENTRY = {
    "cell": "burn-main",
    "experiment": "scale",
    "variant": "map",
    "observation": "flag",
    "from": True,
    "to": False,
    "class": "flag_flip",
    "reason": "why",
    "since": "2026-01-01",
}
ONE = amend.dumped({**ENTRY, "variant": "other"})
FILES = {
    "missing": None,
    "comment": "# Mine.\n",
    "empty": "",
    "brackets": "# Mine.\n[]\n# End.\n",
    "one": "# Mine.\n" + ONE,
    "long": "# Mine.\n" + ONE + "\n" + amend.dumped({**ENTRY, "variant": "third"}) + "# End.\n",
    "indented": "".join(f"  {line}\n" for line in ONE.splitlines()),
}


def diff(place: patching.Place, *entries: dict[str, Any]) -> str:
    """Return the patch that adds entries at a place."""
    texts = [amend.dumped(one).rstrip("\n").split("\n") for one in entries]
    added = [*place.lead]
    for number, lines in enumerate(texts):
        added += [*(place.between if number else ()), *(place.indent + line for line in lines)]
    hunk = [
        *(f" {line}" for line in place.before),
        *(f"-{line}" for line in place.removed),
        *(f"+{line}" for line in (*added, *place.trail)),
        *(f" {line}" for line in place.after),
    ]
    old, new = (sum(line[0] != sign for line in hunk) for sign in "+-")
    start = place.line if old else place.line - 1
    head = ["--- a/accepted.yaml" if place.exists else "--- /dev/null", "+++ b/accepted.yaml"]
    return "\n".join([*head, f"@@ -{start},{old} +{place.line},{new} @@", *hunk, ""])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("tool", [["git", "apply", "-"], ["patch", "-p1", "--fuzz=0"]])
def test_a_patch_leaves_the_file_that_accept_leaves(
    tmp_path: Path, name: str, tool: list[str]
) -> None:
    """Whatever the file's form, the patched file is, byte for byte, what accept writes."""
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed: apt-get install {tool[0]}")
    path, text = tmp_path / "accepted.yaml", FILES[name]
    if text is not None:
        path.write_text(text)
    entries = [ENTRY, {**ENTRY, "observation": "count"}]
    place = patching.place(path)
    assert place is not None
    patch = diff(place, *entries)
    other = tmp_path / "other.yaml"
    if text is not None:
        other.write_text(text)
    amend.add(other, entries)
    subprocess.run(tool, cwd=tmp_path, input=patch, text=True, check=True, capture_output=True)

    assert other.read_text() == path.read_text()


@pytest.mark.parametrize("text", ["[{cell: x}]\n", ONE.rstrip("\n"), ONE.replace("\n", "\r\n")])
def test_a_file_without_room_has_no_patch(tmp_path: Path, text: str) -> None:
    """Where the file's form has no place for a hunk of lines, none is offered."""
    path = tmp_path / "accepted.yaml"
    path.write_bytes(text.encode())

    assert patching.place(path) is None


# --- what accepting does not settle ---------------------------------------------------------------


def test_what_accepting_does_not_settle_has_a_step(everything: Checkout, tmp_path: Path) -> None:
    """Invalid and inconclusive cases are listed below, each with the command to type."""
    checkout = built(everything.copied(tmp_path))
    text = (checkout.root / "report/dashboard/review.html").read_text()
    below = text.partition('id="unsettled"')[2]

    assert f"nox -s regress -- breaks_contract {TORCH} --no-cache" in below
    assert f"nox -s regress -- hangs {TORCH}" in below
    assert "hangs" not in text.partition('id="unsettled"')[0]


def test_what_an_entry_would_explain_is_no_alarm(
    prepared: Checkout, settled: Checkout, tmp_path: Path
) -> None:
    """Where torch and burn part, a contract is to be edited, but not where accepting explains it."""
    head = settled.copied(tmp_path)
    head.release("new", HEAD)
    head.regress("changed", HEAD)
    step = "edit schemas/experiments/changed.json"
    pages = [
        (built(one).root / "report/dashboard/review.html").read_text() for one in (prepared, head)
    ]

    assert [True, False] == [step in one for one in pages]


def test_without_a_run_the_page_says_how_to_get_one(fresh: Checkout) -> None:
    """With nothing recorded there is nothing to decide, and the page names the command."""
    built(fresh)
    text = (fresh.root / "report/dashboard/review.html").read_text()

    assert "nox -s regress" in text
    assert "fieldset" not in text


def test_what_a_framework_said_is_text(accepted: Checkout) -> None:
    """Whatever a framework says is shown as text and breaks out of no script and no attribute."""
    hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \\u202e"
    accepted.edit("burn/same.py", "the same words", hostile)
    accepted.regress("same")
    built(accepted)
    text = (accepted.root / "report/dashboard/review.html").read_text()

    assert "&lt;script&gt;alert(1)" in text
    assert 2 == text.count("<script")  # the page's own, and the block of data
    assert "<img" not in text
    assert "\u202e" not in text
