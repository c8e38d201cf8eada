"""What machine this is: recorded with every record, shown, never compared as behaviour."""

from __future__ import annotations

import platform
import re
from functools import cache
from pathlib import Path

_FLAGS = ("avx", "avx2", "fma", "avx512f", "avx512_bf16", "asimd", "sve")


@cache
def fingerprint() -> dict[str, str]:
    """Return the platform, the CPU's model and its instruction sets."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8", errors="replace") if info.exists() else ""
    model = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    flags = re.search(r"^(?:flags|Features)\s*: (.+)$", text, re.MULTILINE)
    have = set(flags[1].split()) if flags else set()
    return {
        "platform": f"{platform.system().lower()} {platform.machine()}",
        "cpu": model[1] if model else platform.processor() or "unknown",
        "isa": " ".join(flag for flag in _FLAGS if flag in have),
    }
