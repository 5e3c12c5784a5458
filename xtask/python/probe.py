"""Say what a Python interpreter is, one `name=value` per line, in the syntax of any Python since 3.6."""

import os
import sys
import sysconfig

library = sysconfig.get_config_var("INSTSONAME") or ""
folder = sysconfig.get_config_var("LIBDIR") or ""
multiarch = sysconfig.get_config_var("MULTIARCH") or ""
shared = any(
    ".so" in library and os.path.exists(os.path.join(place, library))
    for place in (folder, os.path.join(folder, multiarch), os.path.join(sys.base_prefix, "lib"))
)
try:
    import ensurepip  # noqa: F401  (Debian keeps it in a package of its own)
    import venv  # noqa: F401

    environments = True
except ImportError:
    environments = False

print("version=%d.%d.%d" % sys.version_info[:3])
print("build=" + " ".join(sys.version.split()))
print("executable=" + os.path.realpath(sys.executable))
print("shared=%s" % shared)
print("environments=%s" % environments)
