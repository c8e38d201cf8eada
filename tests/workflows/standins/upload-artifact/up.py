"""Zip $PATHS as $ACT_ARTIFACTS/<run>/$NAME.zip, by the rules that GitHub's artifact service has."""

import glob
import os
import pathlib
import re
import sys
import zipfile

asked = os.environ
name = asked["NAME"]
store = pathlib.Path(asked["ACT_ARTIFACTS"]) / asked["GITHUB_RUN_ID"]
if not name or re.search(r'[":<>|*?\r\n\\/]', name):
    sys.exit(f"::error::The artifact name is not valid: {name!r}")
hidden = asked["HIDDEN"] == "true"
patterns = [line.strip() for line in asked["PATHS"].splitlines() if line.strip()]
found, roots = set(), []
for pattern in patterns:
    root = pathlib.Path(re.split(r"[*?\[]", pattern)[0]).resolve()
    roots.append(root)
    for hit in map(pathlib.Path, glob.glob(pattern, recursive=True, include_hidden=True)):  # noqa: PTH207 (Path.glob takes no absolute pattern)
        inside = sorted(hit.rglob("*")) if hit.is_dir() else [hit]
        for path in (one.resolve() for one in inside if one.is_file()):
            below = path.relative_to(root).parts if path != root else (path.name,)
            if hidden or not any(part.startswith(".") for part in below):
                found.add(path)
if not found:
    severe = asked["NONE"] == "error"
    if asked["NONE"] != "ignore":
        print(f"::{'error' if severe else 'warning'}::No files were found: {patterns}")
    sys.exit(severe)
if len(roots) > 1:  # several paths: below their common folder
    top = pathlib.Path(os.path.commonpath(roots))
else:
    top = roots[0] if roots[0].is_dir() else roots[0].parent
target = store / f"{name}.zip"
store.mkdir(parents=True, exist_ok=True)
if target.exists():
    sys.exit(f"::error::(409) Conflict: an artifact with this name already exists: {name}")
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(found):
        archive.write(path, path.relative_to(top))
print(f"Artifact {name}: {len(found)} files, {target.stat().st_size} bytes")
