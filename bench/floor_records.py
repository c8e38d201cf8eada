"""The floor of `records`: decode, validate and compare both sides, and nothing else.

`python -m bench.floor_records <root>` prints how long it took, as one line of JSON.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path

import orjson

from harness import documents


def main(root: Path) -> None:
    """Read every record beside its baseline; tell how many have other observations."""
    record, baseline = (
        documents.validator(documents.read_json(documents.SCHEMAS / name))
        for name in ("record.json", "baseline.json")
    )
    gc.disable()
    began, started = time.perf_counter(), time.process_time()
    differ = 0
    for path in (root / "baselines").glob("*/*.json"):
        accepted = orjson.loads(path.read_bytes())
        assert baseline(accepted)
        records = root / ".emberwatch" / "records" / path.stem / f"{path.parent.name}.jsonl"
        for line in records.read_bytes().splitlines():
            one = orjson.loads(line)
            assert record(one)
            other = accepted["variants"][one["variant"]]
            differ += one["observations"] != other["observations"]
    total, cpu = time.perf_counter() - began, time.process_time() - started
    print(json.dumps({"total_s": total, "cpu_s": cpu, "changes": differ}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
