"""Is ending early told from coming to the end?"""

import os
import sys

from support import observe


def run(variant):
    """End before the end."""
    observe("before", 1)
    if variant == "politely":
        sys.exit("enough")
    os._exit(0 if variant == "as_if_well" else 3)
