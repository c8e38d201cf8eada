"""Put emberwatch beside another repository's experiments: `lend.py FOLDER`; standard library only.

The folder holds what is its own: matrix.yaml, schemas/experiments/, harness/experiments/,
rust/src/experiments/, baselines/, and rust/locks/ for versions that emberwatch has no lock of. All
else is lent to it, and nothing of its own is overwritten. A checkout of emberwatch itself needs
nothing.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[3]
#: What is lent, without the parts that are each project's own.
LENT = ("harness", "rust", "schemas", "noxfile.py", "pyproject.toml", "README.md")
OWN = ("schemas/experiments", "harness/experiments", "rust/src/experiments", "rust/locks")
#: Lent even so, where the project has no file of that name.
SHARED = (
    "harness/experiments/__init__.py",
    "harness/experiments/__main__.py",
    "harness/experiments/support.py",
)


def lent(tool: Path) -> list[Path]:
    """Return the files that are lent, relative to the tool's checkout."""
    found = [path for name in LENT for path in [tool / name, *sorted((tool / name).rglob("*"))]]
    kept = []
    for path in found:
        name = path.relative_to(tool)
        ours = any(name.is_relative_to(folder) for folder in OWN)
        built = {"target", "__pycache__"} & set(name.parts)
        if path.is_file() and not built and not ours:
            kept.append(name)
    locks = sorted(path.relative_to(tool) for path in tool.glob("rust/locks/*"))
    return [*kept, *map(Path, SHARED), *locks]


def main(folder: Path, tool: Path = TOOL) -> str:
    """Lend, and return an error's words; empty when all is there."""
    if not (folder / "matrix.yaml").is_file():
        return f"{folder}/matrix.yaml: missing; `root` names the folder that holds it"
    if (folder / "harness" / "cli").is_dir() and (folder / "noxfile.py").is_file():
        return ""  # emberwatch's own checkout, or lent already
    names = lent(tool)
    locks = [name for name in names if name.parts[:2] == ("rust", "locks")]
    taken = [name for name in names if name not in locks and (folder / name).exists()]
    if taken:
        shown = ", ".join(map(str, taken[:5]))
        return f"{folder}: {shown}: in the way; give the experiments a folder of their own"
    for name in OWN:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in names:
        if not (folder / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tool / name, folder / name)
    return ""


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) or 0)
