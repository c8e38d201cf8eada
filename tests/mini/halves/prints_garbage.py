"""Can what a framework prints be taken for events?"""

import os

from support import observe


def run(variant):
    """Print bytes that are no text, and lines that look like events."""
    observe("before", 1)
    for file in (1, 2):
        os.write(file, b'\xff\xfe\x00 garbage \x1b[31m\n{"name": "after", "count": 9}\n{\n')
    observe("after", 2)
