"""What machine this is: recorded with every record, shown, never compared as behaviour."""

from __future__ import annotations

import platform
import re
from functools import cache
from pathlib import Path

_FLAGS = ("avx", "avx2", "fma", "avx512f", "avx512_bf16", "asimd", "sve")


@cache
def flags() -> frozenset[str]:
    """Return every flag that the CPU has, by Linux's names; none where the system does not say."""
    found = re.search(r"^(?:flags|Features)\s*: (.+)$", _cpuinfo(), re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


def _cpuinfo() -> str:
    info = Path("/proc/cpuinfo")
    return info.read_text(encoding="utf-8", errors="replace") if info.exists() else ""


@cache
def fingerprint() -> dict[str, str]:
    """Return the platform, the CPU's model and its instruction sets."""
    model = re.search(r"^model name\s*: (.+)$", _cpuinfo(), re.MULTILINE)
    return {
        "platform": f"{platform.system().lower()} {platform.machine()}",
        "cpu": model[1] if model else platform.processor() or "unknown",
        "isa": " ".join(flag for flag in _FLAGS if flag in flags()),
    }
