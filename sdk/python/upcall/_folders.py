"""Each folder that has handlers has its own view of the modules in it, as each folder of C# assemblies has.

A module ``helper`` of such a folder is ``upcall:1.helper`` in ``sys.modules``, where ``upcall:1`` stands for the
folder. Imports that are written in the folder's files find it there (by `import_`, to which the native
``__import__`` hands over for the sake of ``__package__``). Its ``__name__`` stays ``helper``, as users, pickles
and tracebacks know it. Under that name ``sys.modules`` has a `Facade`: the module of the folder whose code asks.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import os
import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader as Loads
else:
    # It has nothing that a loader needs, and takes as long to import as a quarter of this package.
    Loads = object

PREFIX = "upcall:"

_folders: dict[str, Folder] = {}
# Who asks for a folder that another thread is about to make gets the same one.
_making = threading.Lock()
# By plain name: the folders that have loaded a module of this name, each with its own.
_owners: dict[str, dict[Folder, ModuleType]] = {}
_import_module = importlib.import_module
_import_elsewhere = __import__


class Folder:
    """A folder with handlers."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.package = f"{PREFIX}{len(_folders) + 1}"
        # Names that its imports found elsewhere; they keep their meaning.
        self.shared = {"upcall"}
        # Who asks for a file that another thread is running waits until it has been run.
        self.running = threading.RLock()
        package = ModuleType(self.package)
        package.__path__ = [path]
        package.__spec__ = ModuleSpec(self.package, None, is_package=True)
        sys.modules[self.package] = package

    def has(self, top: str) -> bool:
        """Whether it has a module or package of this name, which must not be one of Python's own."""
        if top in self.shared or top in sys.stdlib_module_names:
            return False
        name = f"{self.package}.{top}"
        if name in sys.modules:
            return True
        spec = PathFinder.find_spec(name, [self.path])
        # A mere folder is a package only where there is no module of its name.
        return spec is not None and (spec.origin is not None or PathFinder.find_spec(top) is None)

    def load(self, path: str) -> ModuleType:
        """Runs one of its files, unless that has been done, whatever the file is called."""
        with self.running:
            return self._load(path)

    def _load(self, path: str) -> ModuleType:
        stem = os.path.splitext(os.path.basename(path))[0]
        name = f"{self.package}.{stem}"
        known = sys.modules.get(name)
        if known is not None and getattr(known.__spec__, "origin", None) == path:
            return known
        plain, count = stem, 1
        while plain in sys.stdlib_module_names or _is_shared(plain, path):
            count += 1
            plain = f"{stem}_{count}"
        loader = Loader(SourceFileLoader(name, path), self, plain)
        spec = importlib.util.spec_from_file_location(name, path, loader=loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
        return module


def folder(path: str) -> Folder:
    """The folder at a path, made when it is the first time."""
    with _making:
        for known in _folders.values():
            if known.path == path:
                return known
        if not _folders:
            _install()
        made = Folder(path)
        _folders[made.package] = made
        return made


def _install() -> None:
    global _import_elsewhere
    from . import _upcall

    _import_elsewhere = _upcall.import_elsewhere
    _upcall.route_imports(import_)
    builtins.__import__ = _upcall.__import__
    importlib.import_module = import_module
    sys.meta_path.insert(0, Inside())
    sys.meta_path.append(Outside())


def import_(
    name: str, globals: dict[str, Any], locals: Any, fromlist: Sequence[str] | None, level: int
) -> ModuleType:
    """``__import__`` for code of a folder, which ``__package__`` in its globals names."""
    package = globals["__package__"]
    here = _folders[package.partition(".")[0]]
    if level:
        full = importlib.util.resolve_name("." * level + name, package)
    else:
        top = name.partition(".")[0]
        if top in here.shared:
            return _import_elsewhere(name, globals, locals, fromlist, 0)
        if not here.has(top):
            return _elsewhere(here, top, name, globals, locals, fromlist)
        full = f"{here.package}.{name}"
    module = _inside(full)
    if not fromlist:
        return module if level else sys.modules[f"{here.package}.{name.partition('.')[0]}"]
    if hasattr(module, "__path__"):
        wanted = [*fromlist, *getattr(module, "__all__", ())] if "*" in fromlist else fromlist
        for each in wanted:
            if each != "*" and not hasattr(module, each):
                try:
                    _inside(f"{full}.{each}")
                except ModuleNotFoundError as error:
                    if error.name != _plain(f"{full}.{each}"):
                        raise
    return module


def _inside(full: str) -> ModuleType:
    try:
        return _import_module(full)
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith(PREFIX):
            raise
        plain = _plain(error.name)
        message = str(error).replace(error.name, plain)
        raise ModuleNotFoundError(message, name=plain, path=error.path) from None


def _elsewhere(
    here: Folder, top: str, name: str, globals: dict[str, Any], locals: Any, fromlist: Sequence[str] | None
) -> ModuleType:
    if isinstance(sys.modules.get(top), Facade):
        # Another folder's.
        raise ModuleNotFoundError(f"No module named {top!r}", name=top)
    module = _import_elsewhere(name, globals, locals, fromlist, 0)
    here.shared.add(top)
    return module


def import_module(name: str, package: str | None = None) -> ModuleType:
    """``importlib.import_module``, which code of a folder may call as it may write ``import``."""
    asking = sys._getframe(1).f_globals.get("__package__")
    if not isinstance(asking, str) or not asking.startswith(PREFIX):
        return _import_module(name, package)
    if name.startswith("."):
        if not package:
            return _import_module(name, package)
        name = importlib.util.resolve_name(name, package)
        if name.startswith(PREFIX):
            return _inside(name)
    return import_(name, {"__package__": asking}, None, ("__name__",), 0)


def _plain(name: str) -> str:
    """The name of a module as its folder's code knows it."""
    return name.partition(".")[2] if name.startswith(PREFIX) else name


def _is_shared(plain: str, path: str) -> bool:
    """Whether everybody's imports of a name find another module than the one at this path."""
    there = sys.modules.get(plain)
    if there is not None:
        return not isinstance(there, Facade)
    spec = PathFinder.find_spec(plain) if "." not in plain else None
    return spec is not None and spec.origin is not None and os.path.realpath(spec.origin) != path


class Inside:
    """Finds the modules of folders by their full names."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        if not name.startswith(PREFIX):
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.origin is not None:
            spec.loader = Loader(spec.loader, _folders[name.partition(".")[0]], _plain(name))
        return spec


class Loader(Loads):
    """Loads a module of a folder, and has it keep its plain name."""

    def __init__(self, loader: Any, folder: Folder, plain: str) -> None:
        self.loader = loader
        self.folder = folder
        self.plain = plain

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self.loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        name = module.__spec__.name
        module.__name__ = self.plain
        owners = _owners.setdefault(self.plain, {})
        before = owners.get(self.folder)
        owners[self.folder] = module
        top = self.plain.partition(".")[0]
        origin = os.path.realpath(module.__spec__.origin or "")
        if self.plain not in sys.modules and (
            isinstance(sys.modules.get(top), Facade) if top != self.plain else not _is_shared(top, origin)
        ):
            sys.modules[self.plain] = Facade(self.plain)
        try:
            code = self.loader.get_code(name) if hasattr(self.loader, "get_code") else None
            if code is None:
                self.loader.exec_module(module)
            else:
                exec(code, module.__dict__)
        except BaseException:
            owners.pop(self.folder)
            if before is not None:
                owners[self.folder] = before
            elif not owners and isinstance(sys.modules.get(self.plain), Facade):
                del sys.modules[self.plain]
            raise


class Outside:
    """Finds a folder's module by its plain name, when code that is of no folder asks for the sake of one."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        here = _asking()
        if here is None or not here.has(name.partition(".")[0]):
            return None
        try:
            _inside(f"{here.package}.{name}")
        except ModuleNotFoundError as error:
            if error.name == name:
                return None
            raise
        facade = sys.modules.get(name)
        return ModuleSpec(name, Known(facade)) if isinstance(facade, Facade) else None


class Known(Loads):
    """Loads what is there already."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        pass


def _asking() -> Folder | None:
    """The folder whose code is nearest on the stack."""
    frame = sys._getframe(1)
    while frame is not None:
        package = frame.f_globals.get("__package__")
        if isinstance(package, str) and package.startswith(PREFIX):
            return _folders.get(package.partition(".")[0])
        frame = frame.f_back  # type: ignore[assignment]
    return None


class Facade(ModuleType):
    """A module by its plain name: that of the folder whose code asks, or of the only folder that has it."""

    def __getattribute__(self, name: str) -> Any:
        return getattr(_behind(self), name)

    def __setattr__(self, name: str, value: object) -> None:
        # The import system binds what it finds by a plain name, which is bound already.
        if name != "__spec__" and not isinstance(value, Facade):
            setattr(_behind(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_behind(self), name)

    def __dir__(self) -> list[str]:
        return dir(_behind(self))


def _behind(facade: Facade) -> ModuleType:
    plain: str = object.__getattribute__(facade, "__dict__")["__name__"]
    owners, here = _owners.get(plain, {}), _asking()
    if here in owners:
        return owners[here]
    if here is None and len(owners) == 1:
        return next(iter(owners.values()))
    places = " and ".join(owner.path for owner in owners)
    raise AttributeError(f"module {plain} is one of handlers in {places}: only code of theirs can use it")
