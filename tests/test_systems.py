"""What the names of artifacts say, and which system is read."""

import pytest

from harness import systems
from harness.errors import HarnessError


@pytest.mark.parametrize(
    ("name", "cell", "system"),
    [
        ("observed-torch-2.15.0-ubuntu-1", "torch-2.15.0", "ubuntu"),
        ("observed-burn-0.22.1-ndarray-ubuntu_arm-12", "burn-0.22.1-ndarray", "ubuntu_arm"),
        ("observed-burn-0.22.0-pre.1-macos-1", "burn-0.22.0-pre.1", "macos"),
    ],
)
def test_a_name_says_cell_and_system(name, cell, system):
    """Systems and shards hold no dash, so that a cell may."""
    assert systems.Origin(cell=cell, system=system) == systems.origin(name)


@pytest.mark.parametrize(
    "name",
    [
        "report-ubuntu",
        "observed-shots",
        "observed-torch-2.15.0-ubuntu",
        "observed-torch-2.15.0-ubuntu-0",
        "observed-torch-2.15.0-Ubuntu-1",
        "observed-jax-1-ubuntu-1",
        "observed-torch-../x-ubuntu-1",
        "observed-torch-1-ubuntu-1\n",
        "observed-torch-1-ubuntu-1/..",
    ],
)
def test_a_name_that_no_job_gives(name):
    """Whatever is not named by cell, system and shard is no cell's artifact."""
    assert systems.origin(name) is None


@pytest.mark.parametrize(
    ("there", "asked", "read"),
    [
        ({"ubuntu"}, "", "ubuntu"),
        ({"ubuntu", "macos"}, "", "ubuntu"),
        ({"ubuntu", "macos"}, "macos", "macos"),
        ({"macos"}, "", "macos"),
        (set(), "", ""),
    ],
)
def test_which_system_is_read(there, asked, read):
    """The one asked for, else the usual one, else the only one."""
    assert read == systems.chosen(there, asked, "ubuntu")


@pytest.mark.parametrize(
    ("there", "asked", "words"),
    [
        ({"windows", "macos"}, "", "macos, windows\nSay which: --system macos"),
        ({"ubuntu", "macos"}, "beos", "--system beos: .*\nThere are those of: macos, ubuntu"),
        (set(), "macos", "There are those of: none"),
    ],
)
def test_a_system_that_cannot_be_told(there, asked, words):
    """The error lists what there is."""
    with pytest.raises(HarnessError) as caught:
        systems.chosen(there, asked, "ubuntu")
    caught.match(f"(?s){words}")
