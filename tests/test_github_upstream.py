"""Issues on moving heads: a month of runs with outages, flapping, people, and a cap."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta

import builders
import pytest
from fake_github import desk as desks
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.github import issue_text, upstream
from harness.github.failures import OutageError
from harness.github.resources import Issue
from harness.github.upstream import State
from harness.github.watch import Watch
from harness.model import Difference
from harness.parity import Status
from harness.records import CellRun
from harness.report import machine_readable

HEAD, REFERENCE = "burn-main", "burn-0.22.1"
HEADS = (HEAD, "torch-nightly")
ME = "github-actions[bot]"


def change(observation="seen", kind=Difference.FLAG_FLIP, **words):
    """Return a change of burn's head."""
    names = {"cell": HEAD, "against": REFERENCE, "observation": observation, **words}
    return builders.line(kind, **names)


def document(*changes, commit="c1", unavailable="", compared=("plain", "other"), **words):
    """Return a report on burn's head; its time makes it one of its own."""
    versions = {} if unavailable else {"burn": "0.23.0", "commit": commit}
    cell = CellRun(cell=HEAD, versions=versions, unavailable=unavailable, ran=3)
    words = {"cases": {HEAD: {"sample": compared}} if compared else {}, **words}
    report = builders.report(cells=(cell,), changes=changes, **words)
    return machine_readable.document(report)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A fake GitHub."""
    with desks.opened(tmp_path, monkeypatch) as opened:
        yield opened


def watch(desk, *changes, again=False, options=(), **words):
    """Run the verb on the next day's report."""
    if not again:
        desk.time.time += timedelta(days=1)
        desk.days = getattr(desk, "days", 0) + 1
    found = document(*changes, **words)
    found["cells"][0]["seconds"] = desk.days
    path = desk.write("report.json", json.dumps(found))
    arguments = ("--report", path, "--state", desk.folder / "state.json", *options)
    return desk.run("upstream", *arguments)


def states(desk):
    """Return how the issues stand."""
    return [
        (one["state"], one["state_reason"]) if one["state"] == "closed" else "open"
        for one in desk.fake.state.issues.values()
    ]


CLOSED = ("closed", "completed")


# --- opening --------------------------------------------------------------------------------------


def test_a_change_is_reported_once_it_persists(desk):
    """The first run sees it, the second opens the issue, with all that is known."""
    watch(desk, commit="c0")
    assert watch(desk, change(), commit="c1").out == "nothing to do\n"
    answer = watch(desk, change(), commit="c2")

    assert answer.out.startswith("open https://")
    (issue,) = desk.fake.state.issues.values()
    assert issue["title"] == "burn-main: sample / seen: flag_flip"
    for words in (
        "`burn-main` behaves otherwise than `burn-0.22.1`: `flag_flip` (break) of `seen` in `sample`.",
        "| `plain` | `false` | `true` |",
        "first seen 2026-03-03 04:00 UTC at `c1`",
        "last seen 2026-03-04 04:00 UTC at `c2`",
        "last good … first bad: `c0` … `c1`",
        "    nox -s bisect -- sample plain --good c0 --bad c1 --observation seen",
    ):
        assert words in issue["body"]


def test_flapping_opens_nothing(desk):
    """What is there every other run never persists."""
    for _ in range(4):
        watch(desk, change())
        watch(desk)

    assert states(desk) == []


def test_a_note_is_no_matter(desk):
    """Only breaks and changes are reported."""
    for _ in range(3):
        watch(desk, change(kind=Difference.MESSAGE_ONLY))

    assert states(desk) == []


def test_variants_share_an_issue(desk):
    """One signature, two variants: one issue that lists both."""
    for _ in range(2):
        watch(desk, change(), change(variant="other"))

    (issue,) = desk.fake.state.issues.values()
    assert "| `other` | `false` | `true` |" in issue["body"]


def test_two_signatures_are_two_issues(desk):
    """Another class of the same observation is another matter."""
    for _ in range(2):
        watch(desk, change(), change(kind=Difference.BECAME_NO_OP))

    assert states(desk) == ["open", "open"]


def test_a_lost_parity_is_told_with_its_cause(desk):
    """What torch and burn no longer agree on stands in the issue on the change itself."""
    lost = change(kind=Difference.PARITY_LOST, against="torch-2.15.0")
    side = builders.side(Status.LOST, builders.row("seen"), burn=HEAD)
    for _ in range(2):
        watch(desk, change(), lost, sides=(side,))

    (issue,) = desk.fake.state.issues.values()
    assert "parity of `plain with torch-2.15.0: lost`" in issue["body"]


def test_one_build_with_and_without_is_not_the_code(desk):
    """Where good and bad are one build the issue says so, and no bisection is offered."""
    watch(desk)
    for _ in range(2):
        watch(desk, change())

    (issue,) = desk.fake.state.issues.values()
    assert "it is not the code that changed" in issue["body"]
    assert "bisect" not in issue["body"]


def test_a_range_is_not_claimed_over_a_doubtful_run(desk):
    """A run that says nothing of the case is no last good one; the reference is."""
    doubt = builders.flaky_line("x", cell=HEAD)
    watch(desk, commit="c0", flaky=(doubt,))
    for _ in range(2):
        watch(desk, change(), commit="c1")

    (issue,) = desk.fake.state.issues.values()
    assert "not known … `c1`" in issue["body"]
    assert "--good burn-0.22.1 --bad c1" in issue["body"]


def test_a_range_is_not_claimed_over_a_run_that_left_the_case_out(desk):
    """The last build that was looked at is a good one only if the case was compared there."""
    watch(desk, commit="c0", cases=ELSEWHERE)
    for _ in range(2):
        watch(desk, change(), commit="c1")

    (issue,) = desk.fake.state.issues.values()
    assert "not known … `c1`" in issue["body"]


@pytest.mark.parametrize("text", ["--> @you <b>", "` | @you", "a\n<!-- emberwatch upstream x -->"])
def test_what_upstream_says_means_nothing(desk, text):
    """A panic's text can neither end the hidden data nor mean anything."""
    for _ in range(2):
        watch(desk, change(kind=Difference.NEW_PANIC, observed=text, expected=None))

    (issue,) = desk.fake.state.issues.values()
    _, hidden, rest = issue["body"].split("\n", 2)
    assert hidden.count("-->") == 1
    assert issue_text.read(issue["body"]).rows[0].variant == "plain"
    assert "<b>" not in rest.replace("`--> @you <b>`", "")


# --- updating and closing -------------------------------------------------------------------------


def test_an_issue_is_kept_up_to_date_in_place(desk):
    """Each run says when it was last seen; nothing else is written."""
    for day in range(4):
        watch(desk, change(), commit=f"c{day}")

    (issue,) = desk.fake.state.issues.values()
    assert "last seen 2026-03-05 04:00 UTC at `c3`" in issue["body"]
    assert "first seen 2026-03-02 04:00 UTC at `c0`" in issue["body"]
    assert len(desk.fake.writes) == 3


def test_three_clean_runs_close_it(desk):
    """Two are not enough; the third closes it as completed."""
    for _ in range(2):
        watch(desk, change())
    for _ in range(2):
        watch(desk)
    assert states(desk) == ["open"]
    assert watch(desk).out.startswith("close")
    assert states(desk) == [CLOSED]


def test_clean_runs_must_follow_each_other(desk):
    """A change that flaps keeps its issue open."""
    for _ in range(2):
        watch(desk, change())
    for _ in range(3):
        watch(desk)
        watch(desk)
        watch(desk, change())

    assert states(desk) == ["open"]


def test_what_comes_back_gets_an_issue_of_its_own(desk):
    """A closed issue stays closed; the new one points at it."""
    for _ in range(2):
        watch(desk, change())
    for _ in range(3):
        watch(desk)
    for _ in range(2):
        watch(desk, change())

    assert states(desk) == [CLOSED, "open"]
    assert "earlier: #1" in desk.fake.state.issues[2]["body"]


def test_an_accepted_change_is_closed_with_its_reason(desk):
    """What accepted.yaml accepts is no longer a change, and the issue says why."""
    for _ in range(2):
        watch(desk, change())
    accepted = machine_readable.document(builders.report(changes=(change(),)))["changes"][0]
    accepted |= {"os": "", "reason": "it is right now", "link": "", "since": "", "expires": ""}
    for _ in range(3):
        found = document() | {"accepted": [accepted]}
        found["cells"][0]["seconds"] = desk.days = desk.days + 1
        path = desk.write("report.json", json.dumps(found))
        desk.run("upstream", "--report", path, "--state", desk.folder / "state.json")

    assert states(desk) == [CLOSED]
    assert "Accepted: `it is right now`" in desk.fake.state.issues[1]["body"]


CASE = replace(builders.line(cell=HEAD), text="x")
ELSEWHERE = {HEAD: {"elsewhere": ("plain",)}}
#: The words of reports that say nothing of the case.
SILENT = {
    "unavailable": {"unavailable": "the index is unreachable", "compared": ()},
    "inconclusive": {"inconclusive": (CASE,), "compared": ("other",)},
    "invalid": {"invalid": (CASE,), "compared": ("other",)},
    "new": {"new": (CASE,), "compared": ("other",)},
    "flaky": {"flaky": (builders.flaky_line("x", cell=HEAD),)},
    "nothing compared": {"compared": ()},
    "another variant": {"compared": ("other",)},
    "another experiment": {"cases": ELSEWHERE},
    "another cell": {"cases": {REFERENCE: {"sample": ("plain", "other")}}},
    "another head": {"cases": {"torch-nightly": {"sample": ("plain", "other")}}},
}


@pytest.mark.parametrize("words", SILENT.values(), ids=SILENT)
def test_a_run_that_says_nothing_closes_nothing(desk, words):
    """An outage upstream is not a clean run."""
    for _ in range(2):
        watch(desk, change())
    writes = len(desk.fake.writes)
    for _ in range(4):
        watch(desk, **words)

    assert states(desk) == ["open"]
    assert len(desk.fake.writes) == writes


@pytest.mark.parametrize("words", SILENT.values(), ids=SILENT)
def test_a_run_that_says_nothing_opens_nothing_and_forgets_nothing(desk, words):
    """Between two sightings it neither counts nor breaks the row."""
    watch(desk, change())
    watch(desk, **words)
    assert states(desk) == []
    watch(desk, change())
    assert states(desk) == ["open"]


def test_what_was_left_out_keeps_its_row(desk):
    """A run of one variant neither forgets the other one's change nor closes the issue on it."""
    for _ in range(2):
        watch(desk, change(), change(variant="other"))
    watch(desk, change(), compared=("plain",))
    for _ in range(4):
        watch(desk, compared=("plain",))
    (issue,) = desk.fake.state.issues.values()
    assert "| `other` | `false` | `true` |" in issue["body"]
    assert states(desk) == ["open"]
    for _ in range(3):
        watch(desk)
    assert states(desk) == [CLOSED]


def test_a_variant_that_is_clean_has_no_row(desk):
    """Where both were compared and one still has the change, that one alone is told."""
    for _ in range(2):
        watch(desk, change(), change(variant="other"))
    watch(desk, change())

    (issue,) = desk.fake.state.issues.values()
    assert "`other`" not in issue["body"]


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        ({}, CLOSED),
        ({"sides": (builders.side(Status.NOT_COMPARED, burn=HEAD),)}, "open"),
        ({"sides": (builders.side(Status.NOT_COMPARED),)}, CLOSED),
        ({"flaky": (builders.flaky_line("seen", cell=builders.TORCH),)}, "open"),
    ],
    ids=["compared", "not compared", "another pair", "flaky"],
)
def test_a_lost_parity_is_gone_only_where_the_two_were_compared(desk, words, ends):
    """The head was compared with its reference; that says nothing of how it stands to torch."""
    lost = change(kind=Difference.PARITY_LOST, against=builders.TORCH)
    for _ in range(2):
        watch(desk, lost)
    for _ in range(3):
        watch(desk, **words)

    assert states(desk) == [ends]


# --- people ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["not_planned", "duplicate"])
def test_not_planned_is_for_ever(desk, reason):
    """An issue that a person refused is neither reopened nor doubled, however long it goes on."""
    for _ in range(2):
        watch(desk, change())
    desk.fake.state.close(1, reason)
    for row in ([change()] * 3, [], [], [], [], [change()] * 3):
        watch(desk, *row[:1])
        watch(desk, *row[:1])

    assert states(desk) == [("closed", reason)]


def test_what_a_person_closed_is_reported_anew_only_once_it_was_gone(desk):
    """Closed as completed while it lasts: quiet until it went away and came back."""
    for _ in range(2):
        watch(desk, change())
    desk.fake.state.time = desk.time.stamp
    desk.fake.state.close(1)
    for _ in range(3):
        watch(desk, change())
    assert states(desk) == [CLOSED]
    watch(desk)
    for _ in range(2):
        watch(desk, change())
    assert states(desk) == [CLOSED, "open"]


def test_a_forged_issue_is_ignored(desk):
    """Somebody else's issue with our marker neither hides nor receives anything."""
    for _ in range(2):
        watch(desk, change())
    body = desk.fake.state.issues[1]["body"]
    desk.fake.state.issues.clear()
    desk.fake.state.issue("forged", body, "mallory")

    watch(desk, change())

    assert desk.fake.state.issues[1]["body"] == body
    assert states(desk) == ["open", "open"]


# --- limits, outages, the state -------------------------------------------------------------------


def test_the_cap_holds_and_the_rest_follows(desk):
    """Of 25 changes, 20 are opened on the first day, breaks first, and the rest the next."""
    changes = [change(f"x{n}", Difference.TEXT_CHANGE) for n in range(24)] + [change()]
    watch(desk, *changes)
    answer = watch(desk, *changes)

    assert len(desk.fake.writes) == 20
    assert answer.out.count("left for another day") == 5
    assert desk.fake.state.issues[1]["title"].endswith("flag_flip")
    assert watch(desk, *changes, again=True).out.count("left for another day") == 5
    assert len(desk.fake.writes) == 20
    watch(desk, *changes, options=("--cap", 30))
    assert len(desk.fake.state.issues) == 25


def test_the_cap_outlives_the_state(desk):
    """What was opened today is counted even where the state was lost."""
    changes = [change(f"x{n}") for n in range(3)]
    watch(desk, *changes)
    watch(desk, *changes, options=("--cap", 2))
    (desk.folder / "state.json").unlink()
    watch(desk, *changes, again=True, options=("--cap", 2))
    desk.time.time += timedelta(hours=1)
    watch(desk, *changes[::-1], again=True, options=("--cap", 2))

    assert len(desk.fake.state.issues) == 2


def test_twice_is_once(desk):
    """The same report again changes nothing, on GitHub or in the state."""
    for _ in range(2):
        watch(desk, change())
    writes, state = len(desk.fake.writes), (desk.folder / "state.json").read_bytes()

    desk.time.time += timedelta(hours=3)
    assert watch(desk, change(), again=True).out == "nothing to do\n"
    assert (len(desk.fake.writes), (desk.folder / "state.json").read_bytes()) == (writes, state)


@pytest.mark.parametrize("done", [False, True])
def test_a_post_of_unknown_outcome_opens_one_issue(desk, done):
    """After a 502 the issue is looked for before it is opened again."""
    watch(desk, change())
    desk.fake.fault(502, match="POST", done=done)
    watch(desk, change())

    assert states(desk) == ["open"]


def test_an_outage_of_github_loses_no_sighting(desk):
    """What a run saw counts, though GitHub could not be asked; the next run opens the issue."""
    desk.fake.fault(502, match="GET", times=6)
    assert watch(desk, change()).code == 12
    assert watch(desk, change()).code == 0
    assert states(desk) == ["open"]


def test_a_lost_state_is_taken_from_the_issues(desk):
    """What has an issue keeps its history, and is closed after three clean runs all the same."""
    watch(desk, commit="c0")
    for _ in range(2):
        watch(desk, change(), commit="c1")
    (desk.folder / "state.json").unlink()
    watch(desk, change(), commit="c3")
    assert states(desk) == ["open"]
    assert "first bad: `c0` … `c1`" in desk.fake.state.issues[1]["body"]
    (desk.folder / "state.json").unlink()
    for _ in range(3):
        watch(desk)
    assert states(desk) == [CLOSED]
    assert "| `plain` | `false` | `true` |" in desk.fake.state.issues[1]["body"]


def test_the_heartbeat_is_in_the_state(desk):
    """When a head was last compared, at which build, and why the last try failed."""
    watch(desk, commit="c1")
    watch(desk, unavailable="no network")

    beat = desks.state(desk.folder / "state.json")["watched"][HEAD]
    assert (beat["at"], beat["build"]) == ("2026-03-02T04:00:00Z", "c1")
    assert (beat["tried"], beat["problem"]) == ("2026-03-03T04:00:00Z", "no network")
    assert beat["compared"] == ["sample/other", "sample/plain"]


def test_the_heart_does_not_beat_for_others(desk):
    """A report in which no case of a head was compared is a failed try, however many others were."""
    watch(desk, commit="c1")
    watch(desk, cases={"torch-nightly": {"sample": ("plain",)}}, commit="c2")

    beat = desks.state(desk.folder / "state.json")["watched"][HEAD]
    assert (beat["build"], beat["problem"]) == ("c1", "not compared")


def test_a_head_that_is_none_any_more_is_forgotten(desk):
    """The heartbeat is of the matrix's heads."""
    watch(desk)
    path = desk.folder / "state.json"
    state = desks.state(path)
    state["watched"]["burn-old"] = state["watched"][HEAD]
    path.write_text(json.dumps(state))
    watch(desk)

    assert list(desks.state(path)["watched"]) == [HEAD]


def test_a_released_cell_is_not_watched(desk):
    """Only cells with a reference are heads."""
    for _ in range(3):
        watch(desk, change(cell="burn-0.22.1"))

    assert states(desk) == []


def test_a_dry_run_writes_nothing(desk):
    """It says what it would do, and neither GitHub nor the state hears of it."""
    watch(desk, change())
    before = (desk.folder / "state.json").read_bytes()

    answer = watch(desk, change(), options=("--dry-run",))

    assert answer.out == "would open  burn-main: sample / seen: flag_flip\n"
    assert desk.fake.writes == []
    assert (desk.folder / "state.json").read_bytes() == before


def test_json_says_what_was_done(desk):
    """Programs get what was done, what was left, and the heartbeat."""
    watch(desk, change())
    answer = json.loads(watch(desk, change(), options=("--json",)).out)

    assert [one["do"] for one in answer["done"]] == ["open"]
    assert answer["watched"][HEAD]["build"] == "c1"


@pytest.mark.parametrize("content", ["{}", "{", '{"day": 1}'])
def test_a_state_that_cannot_be_read(desk, content):
    """It is refused, and the advice is to delete it."""
    desk.write("state.json", content)

    answer = watch(desk, change())

    assert answer.code == 2
    assert "state.json" in answer.err


def test_a_token_that_may_not_write_issues(desk):
    """The permission is named; what was seen is kept."""
    watch(desk, change())
    desk.fake.fault(403, "Resource not accessible by integration", match="POST")

    answer = watch(desk, change())

    assert answer.code == 2
    assert "issues: write" in answer.err
    assert desks.state(desk.folder / "state.json")["writes"] == 1


def test_a_month(desk):
    """Thirty days through the API: what stays, what flaps, outages, partial runs, a person."""
    stays, flaps, refused = change("stays"), change("flaps"), change("refused")
    ended = []
    for day in range(30):
        there = [stays] if 3 <= day < 20 else []
        there += [flaps] if day % 2 else []
        there += [refused] if day >= 5 else []
        if day in {8, 9, 21}:
            watch(desk, unavailable="no network")
        else:
            if day in {6, 14}:
                desk.fake.fault(502, match="POST" if day == 6 else "PATCH", done=True)
            watch(desk, *there, commit=f"c{day}")
        for words in ({"cases": ELSEWHERE}, {"compared": ("other",)}):  # somebody's runs by hand
            watch(desk, commit=f"c{day}", again=True, **words)
        ended += [day] if states(desk)[:1] == [CLOSED] else []
        if day == 10:
            for number, issue in desk.fake.state.issues.items():
                if "refused" in issue["title"]:
                    desk.fake.state.close(number, "not_planned")

    titles = {issue["title"]: issue for issue in desk.fake.state.issues.values()}
    assert ended[0] == 23  # 20 and 22 were clean as well; on 21 the head was not to be had
    assert len(titles) == len(desk.fake.state.issues) == 2
    assert titles["burn-main: sample / stays: flag_flip"]["state_reason"] == "completed"
    assert titles["burn-main: sample / refused: flag_flip"]["state_reason"] == "not_planned"


# --- whatever happens -----------------------------------------------------------------------------


@dataclass
class Tracker:
    """Issues in memory; the next writes may fail, before or after they are done."""

    time: desks.FakeTime
    numbered: dict[int, Issue] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    written: Counter = field(default_factory=Counter)
    opened: Counter = field(default_factory=Counter)

    @property
    def clock(self):
        """Return the time."""
        return self.time.clock

    def issues(self):
        """Return every issue."""
        return list(self.numbered.values())

    def create_issue(self, title, body):
        """Open an issue."""
        number = len(self.numbered) + 1
        issue = Issue(
            number=number, title=title, body=body, author=ME, url="u", open=True, reason="",
            created=self.time.stamp, closed="",
        )  # fmt: skip
        self.opened[issue_text.digest(body)] += 1
        return self._write(issue)

    def update_issue(self, number, title, body, *, close=False):
        """Replace an issue's words."""
        issue = replace(self.numbered[number], title=title, body=body)
        return self._write(self.closed(issue, "completed") if close else issue)

    def closed(self, issue, reason):
        """Return the issue closed."""
        return replace(issue, open=False, reason=reason, closed=self.time.stamp)

    def _write(self, issue):
        fault = self.faults.pop() if self.faults else ""
        self.written[self.time.time.date()] += 1
        if fault != "before":
            self.numbered[issue.number] = issue
        if fault:
            error = OutageError("502")
            error.unsure = True
            raise error
        return issue


NAMES = ("a", "b", "c", "d")
_person = st.tuples(st.integers(1, 6), st.sampled_from(["not_planned", "completed"]))
_days = st.lists(
    st.fixed_dictionaries(
        {
            "there": st.sets(st.sampled_from(NAMES)),
            "silent": st.sampled_from([""] * 5 + list(SILENT)),
            "faults": st.lists(st.sampled_from(["", "before", "after"]), max_size=3),
            "person": st.none() | _person,
            "forgets": st.integers(0, 9).map(lambda n: n == 0),
            "hours": st.sampled_from([2, 24]),
        }
    ),
    min_size=4,
    max_size=30,
)


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(days=_days, cap=st.integers(1, 4))
def test_whatever_happens(tmp_path, days, cap):
    """Never two open issues of one signature, never more writes than the cap, twice is once."""
    tracker, path = Tracker(desks.FakeTime()), tmp_path / "state.json"
    path.unlink(missing_ok=True)
    for number, day in enumerate(days):
        tracker.time.time += timedelta(hours=day["hours"])
        if day["person"] and day["person"][0] in tracker.numbered:
            issue = tracker.numbered[day["person"][0]]
            if issue.open:
                tracker.numbered[issue.number] = tracker.closed(issue, day["person"][1])
        if day["forgets"]:
            tracker.written[tracker.time.time.date()] = min(
                tracker.written[tracker.time.time.date()],
                sum(i.created[:10] == tracker.time.stamp[:10] for i in tracker.issues()),
            )  # only issues that were opened today tell of a lost state's writes
            path.unlink(missing_ok=True)
        refused = {issue_text.digest(i.body) for i in tracker.issues() if i.reason == "not_planned"}
        before = {name: tracker.opened[name] for name in refused}
        lines = [change(name) for name in sorted(day["there"])]
        report = document(*lines, commit=f"c{number}", **SILENT.get(day["silent"], {}))
        report["cells"][0]["seconds"] = number
        tracker.faults = list(day["faults"])
        try:
            Watch(tracker, path, cap).add(report, HEADS, dry=False)
        except OutageError:
            tracker.faults = []
            Watch(tracker, path, cap).add(report, HEADS, dry=False)
        tracker.faults = []
        writes, kept = sum(tracker.written.values()), path.read_bytes()
        outcome = Watch(tracker, path, cap).add(report, HEADS, dry=False)

        opened = Counter(issue_text.digest(i.body) for i in tracker.issues() if i.open)
        assert max(opened.values(), default=0) <= 1
        assert max(tracker.written.values(), default=0) <= cap
        assert outcome.done == ()
        assert (sum(tracker.written.values()), path.read_bytes()) == (writes, kept)
        assert {name: tracker.opened[name] for name in refused} == before


VARIANTS = ("plain", "other", "third")
_partial = st.fixed_dictionaries(
    {
        "there": st.sets(st.tuples(st.sampled_from(NAMES[:2]), st.sampled_from(VARIANTS))),
        "compared": st.sets(st.sampled_from(VARIANTS)),
        "flaky": st.sets(st.sampled_from(VARIANTS), max_size=1),
    }
)


@settings(max_examples=200, deadline=None)
@given(days=st.lists(_partial, min_size=4, max_size=20))
def test_a_partial_report_says_nothing_of_what_it_did_not_compare(days):
    """It brings no issue nearer to its end, and forgets no variant that had the change."""
    state = State()
    for number, day in enumerate(days):
        told = day["compared"] - day["flaky"]
        found = document(
            *(change(n, variant=v) for n, v in sorted(day["there"]) if v in day["compared"]),
            compared=[v for v in VARIANTS if v in day["compared"]],
            flaky=tuple(builders.flaky_line("x", cell=HEAD, variant=v) for v in day["flaky"]),
        )
        found["cells"][0]["seconds"] = number
        after = upstream.fold(state, found, HEADS, "2026-03-01T04:00:00Z")
        for key, one in state.sightings.items():
            had = {row.variant for row in one.rows}
            left = {row.variant for row in after.sightings[key].rows}
            nearer = after.sightings[key].clean > one.clean
            assert had - told <= left
            assert nearer == (
                had <= told and not {(one.signature.observation, v) for v in told} & day["there"]
            )
        state = after
