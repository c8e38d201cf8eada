"""The verbs, one module a theme; the only package that prints and exits."""

from harness.cli.entry import invoke, main
from harness.cli.setting import Setting

__all__ = ["Setting", "invoke", "main"]
