"""Fetch $REF of $ACT_ORIGIN/$REPOSITORY into $WHERE as actions/checkout does: clean, and shallow unless told."""

import os
import pathlib
import subprocess
import sys

asked = os.environ
if asked["PERSIST"] != "false":
    sys.exit("::error::persist-credentials: must be false")
folder = pathlib.Path(asked["WHERE"])
origin = f"file://{asked['ACT_ORIGIN']}/{asked['REPOSITORY']}.git"
depth = [] if asked["DEPTH"] == "0" else [f"--depth={asked['DEPTH']}"]
branches = ["+refs/heads/*:refs/remotes/origin/*"] if asked["DEPTH"] == "0" else []
folder.mkdir(parents=True, exist_ok=True)


def git(*words):
    """Run git in the folder."""
    subprocess.run(["git", "-C", str(folder), *words], check=True)


if not (folder / ".git").exists():
    git("init", "--quiet")
    git("remote", "add", "origin", origin)
git("fetch", "--quiet", *depth, "origin", asked["REF"], *branches)
git("checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
print(f"{asked['REPOSITORY']} at {asked['REF']} in {folder}")
