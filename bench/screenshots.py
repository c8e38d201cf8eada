"""`python -m bench.screenshots`: take the README's pictures of the dashboard.

They show the committed baselines, whatever the work folder holds, at the size of a small window.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from bench import chromium
from harness import progress
from harness.cli.setting import real_engines
from harness.dashboard import site
from harness.project import ROOT, Project

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

#: Name → page, colour scheme.
PICTURES: dict[str, tuple[str, Literal["light", "dark"]]] = {
    "overview-light": ("index.html#old=burn-0.22.0-pre.3&new=burn-0.22.1", "light"),
    "experiment-dark": ("experiments/scale.html#all-plots", "dark"),
}
WINDOW: ViewportSize = {"width": 1100, "height": 900}
#: More would make the README slow to load.
_MOST_KIB = 150
#: Milliseconds after which plots are drawn.
_SETTLED = 3000


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    default=ROOT / "docs" / "images",
    help="The folder to write [docs/images].",
)
def main(into: Path) -> None:
    """Build the dashboard, and write a picture of two of its pages."""
    program = chromium.find()
    if program is None:
        raise SystemExit(f"screenshots: {chromium.LACKING}")
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "site"
        options = site.Options(today=datetime.now(tz=UTC).date())
        with progress.shown() as shown:
            site.Site(Project(), real_engines(), None, options).write(folder, shown)
        with chromium.started(program) as browser:
            for name, (address, scheme) in PICTURES.items():
                page = browser.new_context(color_scheme=scheme, viewport=WINDOW).new_page()
                page.goto(f"{folder.as_uri()}/{address}")
                page.wait_for_timeout(_SETTLED)
                path = into / f"{name}.png"
                page.screenshot(path=path)
                size = path.stat().st_size / 1024
                print(f"{path}  {size:.0f} KiB")
                if size > _MOST_KIB:
                    raise SystemExit(f"screenshots: {path} is larger than {_MOST_KIB} KiB")


if __name__ == "__main__":
    main(prog_name="python -m bench.screenshots")
