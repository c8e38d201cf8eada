"""Does what a half started end with it?"""

import os
import time

from support import observe


def run(variant):
    """Leave a process behind: in the group, out of it, or out of it with a child of its own."""
    observe("before", 1)
    ready, tell = os.pipe()
    if os.fork() == 0:
        if variant != "in_group":
            os.setsid()
        if variant == "family" and os.fork() == 0:
            os.setsid()
        elif variant == "family":
            time.sleep(3600)
        os.write(tell, b"!")
        time.sleep(3600)
    os.read(ready, 1)
    observe("after", 2)
