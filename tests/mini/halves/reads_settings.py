"""Does a case see the settings, and only them?"""

import os
import resource

from support import observe


def run(variant):
    """Observe the environment and the limits that the case really has."""
    observe("before", 1)
    observe("setting", os.environ.get("MINI_SETTING", ""))
    observe("secret", "MINI_SECRET" in os.environ)
    observe("hash", str(hash("emberwatch")))
    observe("core", resource.getrlimit(resource.RLIMIT_CORE)[0])
    observe("stdin", os.read(0, 1) == b"")
    observe("leads_session", os.getsid(0) == os.getpid())
    observe("after", 2)
