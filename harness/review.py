"""Goes through what the last run proposes, one by one; asks and says through what it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import accept, proposals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.project import Project
    from harness.proposals import Pending

#: What may be answered, and what it does.
ANSWERS = {
    "a": "(a)ccept",
    "r": "(r)eject",
    "s": "(s)kip",
    "i": "(i)nfo",
    "A": "(A)ll",
    "q": "(q)uit",
}


def review(
    project: Project,
    pending: Sequence[Pending],
    *,
    say: Callable[[str], None],
    ask: Callable[[], str],
    ask_reason: Callable[[str], str],
    date: str,
) -> int:
    """Return how many were accepted; `ask` returns one of ANSWERS, `ask_reason` gets the last."""
    reason, everything, accepted = "", False, 0
    for number, waiting in enumerate(pending, 1):
        one = proposals.anew(project, waiting)
        said = accept.summary(one) if one else f"  {accept.nothing_left(waiting)}"
        say(f"\n{number} of {len(pending)}  {waiting.title}\n{said}")
        if one is None:
            proposals.drop(project, waiting)
            continue
        answer = "a" if everything else ask()
        while answer == "i":
            say(accept.details(project, one))
            answer = ask()
        match answer:
            case "q":
                break
            case "r":
                proposals.drop(project, one)
                say("rejected; the next run that sees it proposes it again")
            case "a" | "A":
                if not everything:
                    reason = ask_reason(reason)
                everything = everything or answer == "A"
                accept.accept(project, one, accept.Grounds(reason=reason, date=date))
                accepted += 1
            case _:
                say("skipped")
    return accepted
