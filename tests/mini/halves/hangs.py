"""What becomes of a half that does not end?"""

import signal
import time

from support import observe


def run(variant):
    """Sleep; the stubborn one ignores what asks it to end."""
    observe("before", 1)
    if variant == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(3600)
