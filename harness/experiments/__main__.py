"""`python -m harness.experiments <experiment> <variant>` runs one torch half by hand."""

import sys

from harness.experiments import support

if len(sys.argv) != 3:
    sys.exit("usage: python -m harness.experiments <experiment> <variant>")
sys.exit(support.run(sys.argv[1], sys.argv[2]))
