# Run by an interpreter to tell about itself, one fact per line; old enough for Python 2.
import os, sys, sysconfig

var = sysconfig.get_config_var
print("version=%d.%d.%d" % sys.version_info[:3])
print("implementation=" + getattr(getattr(sys, "implementation", None), "name", "cpython"))
print("executable=" + (sys.executable or ""))
print("home=" + getattr(sys, "base_prefix", sys.prefix))
print("free_threaded=%d" % bool(var("Py_GIL_DISABLED")))
folders = [var("LIBDIR"), var("LIBPL"), os.path.join(getattr(sys, "base_prefix", sys.prefix), "lib")]
if var("LIBDIR") and var("MULTIARCH"):
    folders.insert(1, os.path.join(var("LIBDIR"), var("MULTIARCH")))
for name in (var("INSTSONAME"), var("LDLIBRARY")):
    if name and ".so" in name or name and name.endswith(".dylib"):
        for folder in folders:
            if folder:
                print("library=" + os.path.join(folder, name))
for path in sys.path:
    if path:
        print("path=" + path)
