"""The floor of the torch cells: one process imports torch once and runs every half in turn.

The cell's own Python runs it: `floor_torch.py <checkout> <cases.json> <events folder>`.
"""

import json
import os
import sys
from pathlib import Path

root, cases, events = sys.argv[1:]
sys.path.insert(0, root)

from harness.experiments import support  # noqa: E402 (the checkout's own)

for number, (experiment, variant) in enumerate(json.loads(Path(cases).read_bytes())):
    os.environ["EMBERWATCH_EVENTS"] = f"{events}/{number}.events"
    support.run(experiment, variant)
os._exit(0)  # as the forks end; torch's own clean-up prints for a second
