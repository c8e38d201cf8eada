"""`python -m harness` is the console script `emberwatch`."""

from harness.cli import main

main()
