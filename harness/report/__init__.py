"""One Report, and what renders it: each renderer is `render(report) -> str`."""
