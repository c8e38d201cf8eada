"""Unpack artifacts of $RUN: one of a name into the path, those of a pattern each into its own folder."""

import fnmatch
import os
import pathlib
import sys
import zipfile

asked = os.environ
store = pathlib.Path(asked["ACT_ARTIFACTS"]) / asked["RUN"]
have = {path.name.removesuffix(".zip"): path for path in store.glob("*.zip")}
where = pathlib.Path(asked["WHERE"])
if asked["NAME"]:
    if asked["NAME"] not in have:
        sys.exit(f"::error::Unable to download artifact(s): not found: {asked['NAME']}")
    chosen = {asked["NAME"]: where}
else:
    chosen = {one: where / one for one in have if fnmatch.fnmatchcase(one, asked["PATTERN"])}
for name, folder in sorted(chosen.items()):
    zipfile.ZipFile(have[name]).extractall(folder)
print(f"Total of {len(chosen)} artifact(s) downloaded: {', '.join(sorted(chosen))}")
