"""`python -m bench.dashboard_child <root>`: build the dashboard of a made-up project.

It prints one line of JSON: how long that took, the peak memory, and the size of what it wrote.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bench.judge_child import peak
from harness import cli
from harness.cli.setting import Setting
from harness.model import Framework
from harness.project import Project

if TYPE_CHECKING:
    from harness.engines import Engine


@dataclass(frozen=True)
class Halves:
    """As much of an engine as a dashboard needs: where the halves lie."""

    root: Path
    suffix: str

    def half(self, experiment: str) -> Path:
        """Return the file that holds a half."""
        return self.root / "halves" / f"{experiment}.{self.suffix}"


def main(root: Path) -> None:
    """Go the way that `emberwatch dashboard` goes."""
    into = root / "site"
    halves = {Framework.TORCH: Halves(root, "py"), Framework.BURN: Halves(root, "rs")}
    engines = {name: cast("Engine", one) for name, one in halves.items()}
    began, started = time.perf_counter(), time.process_time()
    setting = Setting(project=Project(root), engines=lambda: engines)
    code = cli.invoke(("dashboard", "--into", str(into)), setting)
    total, cpu = time.perf_counter() - began, time.process_time() - started
    files = [path for path in into.rglob("*") if path.is_file()]
    found = {
        "code": int(code),
        "total_s": total,
        "cpu_s": cpu,
        "peak_mib": peak(),
        "index_kib": (into / "index.html").stat().st_size / 1024,
        "site_kib": sum(path.stat().st_size for path in files) / 1024,
        "files": len(files),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
