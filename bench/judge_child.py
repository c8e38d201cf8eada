"""`python -m bench.judge_child <root>`: judge a project's records and render the report.

It prints one line of JSON: how long each step took, the peak memory, and what was found.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from harness import judge, plan
from harness.project import Project
from harness.report import machine_readable, terminal


def main(root: Path) -> None:
    """Go the way that `emberwatch report` goes, with a clock beside each step."""
    began, started = time.perf_counter(), time.process_time()
    project = Project(root)
    chosen = plan.make(project.matrix, project.contracts)
    read = time.perf_counter()
    before = peak()
    report = judge.Judge(project, chosen).report(judge.noted_runs(project, chosen))
    judged = time.perf_counter()
    texts = terminal.render(report), machine_readable.render(report)
    rendered = time.perf_counter()
    found = {
        "contracts_s": read - began,
        "judge_s": judged - read,
        "render_s": rendered - judged,
        "total_s": rendered - began,
        "cpu_s": time.process_time() - started,
        "contracts_mib": before,
        "peak_mib": max(peak(), peak(resource.RUSAGE_CHILDREN)),
        "compared": report.compared,
        "agreeing": report.agreeing,
        "changes": len(report.changes),
        "others": len([*report.new, *report.invalid, *report.inconclusive, *report.unreferenced]),
        "characters": sum(map(len, texts)),
    }
    print(json.dumps(found))


def peak(who: int = resource.RUSAGE_SELF) -> float:
    """Return the most memory that this process, or the largest of its children, has had, in MiB."""
    kib = resource.getrusage(who).ru_maxrss
    return kib / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
