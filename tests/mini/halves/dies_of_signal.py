"""Is every signal told by its name?"""

import os
import signal

from support import observe


def run(variant):
    """Die of a signal, of a real-time one that has no name of its own."""
    observe("before", 1)
    os.kill(os.getpid(), signal.SIGKILL if variant == "kill" else signal.SIGRTMIN + 6)
