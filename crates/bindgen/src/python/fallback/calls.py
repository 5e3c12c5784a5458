"""The library, its functions and its handles, for ctypes."""

import ctypes
import os
import pathlib
import threading
import warnings

from . import _changes, _kinds, _types
from ._base import NativeError, file_name
from ._callbacks import RELEASE, Kept, Thunk, foreign, inside, pending, this_thread
from ._kinds import At, Int, Kind, Nothing, USIZE
from ._lent import BufferStruct, decoded

library = None
inline = None


def open_library(folder):
    """Opens the library, once: from what the environment names, else from the package's folder, else as the system finds
    it. That of inline functions is looked for beside it, then in that folder."""
    global library, inline
    file = file_name(_types._LIBRARY)
    file = os.environ.get(_types._LIBRARY_VARIABLE) or _there(os.path.join(folder, file)) or file
    library = _load(_types._LIBRARY, file)
    _changes.check(library)
    if any(function.inline for function in FUNCTIONS):
        name = f"{_types._LIBRARY}_inline"
        beside = os.path.join(os.path.dirname(file), file_name(name))
        inline = _load(name, _there(beside) or _there(os.path.join(folder, file_name(name))) or beside)
    for function in FUNCTIONS:
        function.resolve(file)


def _there(file):
    """A file, if it is there. A name without a folder is for the system to find."""
    return file if os.path.dirname(file) and os.path.exists(file) else None


def _load(name, file):
    try:
        return ctypes.CDLL(str(file))
    except OSError as error:
        help = f"{_types._LIBRARY_VARIABLE} may name its file"
        if name != _types._LIBRARY:
            help = f"build it from the bindings' shims.c, as its first lines say, beside the library {_types._LIBRARY}"
        raise ImportError(f"cannot load the library {name} from {file}: {error}; {help}") from None


class Address:
    """What handles are made of."""

    _address = 0


HANDLES = {}
_lock = threading.RLock()
# Addresses that calls use, and those of them that were released meanwhile, with what releases each.
_held, _left = [], []


def learn(classes):
    """The classes of handles."""
    HANDLES.update({made.__name__: made for made in classes})


class HandleKind(_kinds.Address):
    """The address of what the library made. `give` takes it out of the object, `release` releases a result."""

    def __init__(self, to, nullable=True, give=False, release=None):
        self.to, self.nullable, self.given, self.release = to, nullable, give, release

    def take(self, value, at, keep):
        if isinstance(value, Address) and not isinstance(value, HANDLES[self.to]):
            raise at.wrong_type(self.to, value)
        with _lock:
            address = 0 if value is None else USIZE.take(value, at, None)
            if address == 0 and not self.nullable:
                raise at.invalid("must not be null")
            if not self.given:
                _held.append(address)
                keep.append(Hold(address))
            elif isinstance(value, Address):
                value._address = 0
        return address

    def drop(self, value):
        if self.release and value:
            _release(self.release, value)


def _release(symbol, address):
    release = library[symbol]
    release.argtypes, release.restype = [ctypes.c_void_p], None
    release(address)


class Hold:
    """A handle that a call uses."""

    def __init__(self, address):
        self.address = address

    def end(self):
        left = []
        with _lock:
            _held.remove(self.address)
            if self.address not in _held:
                left = [native for address, native in _left if address == self.address]
                _left[:] = [item for item in _left if item[0] != self.address]
        for native in left:
            native(self.address)


class NativeFunction:
    """A function of the library."""

    def __init__(self, name, symbol, params, ret, fallible=False, error="", deprecated=None, contexts=(), keeps=(), inline=False, releases=False):
        self.name, self.symbol, self.ret, self.fallible, self.inline = name, symbol, ret, fallible, inline
        self.error = error
        self.deprecated = deprecated and (f"{name}() is deprecated" + (f": {deprecated}" if deprecated != " " else ""))
        self.releases = releases
        given = [(param, kind) for place, (param, kind) in enumerate(params) if place not in contexts]
        self.shown = [param for param, _ in given]
        self.count = len(given)
        # With the range of integers, which most arguments are within; that of other kinds is empty.
        self.steps = [(kind.take, At(param, name), *((kind.low, kind.high) if isinstance(kind, Int) else (1, 0))) for param, kind in given]
        # Places among what is passed: where contexts go, and what is not passed at all.
        self.contexts, self.keeps = contexts, keeps
        self.nothing = [place for place, (_, kind) in enumerate(params) if isinstance(kind, Nothing)][::-1]
        self.types = [kind.ctype for _, kind in params if not isinstance(kind, Nothing)]
        kinds = [kind for _, kind in params if not isinstance(kind, Nothing)] + ([ret] if ret else [])
        self.refused = next((kind for kind in kinds if kind.ctype is None), None)

    def resolve(self, file):
        if self.refused:
            return
        try:
            self.native = (inline if self.inline else library)[self.symbol]
        except AttributeError:
            raise ImportError(
                f"the library {_types._LIBRARY}, loaded from {file}, has no symbol {self.symbol}"
            ) from None
        self.native.argtypes = self.types + [ctypes.c_void_p] * self.fallible
        self.native.restype = self.ret and self.ret.ctype

    def arrange(self, args, named):
        if len(args) > len(self.shown):
            raise TypeError(f"{self.name}() takes {len(self.shown)} arguments, got {len(args)}")
        given = dict(zip(self.shown, args))
        for name, value in named.items():
            if name in given:
                raise TypeError(f"{self.name}() got the argument {name} twice")
            if name not in self.shown:
                raise TypeError(f"{self.name}() has no argument {name}")
            given[name] = value
        for name in self.shown:
            if name not in given:
                raise TypeError(f"{self.name}() needs the argument {name}")
        return [given[name] for name in self.shown]

    def caller(self):
        """The function that Python sees. What each call asks for is here once."""
        steps, count, contexts, nothing = self.steps, self.count, self.contexts, self.nothing
        fallible, ret, keeps = self.fallible, self.ret, self.keeps
        give = None if ret is None or type(ret).give is Kind.give else ret.give
        rare = self.deprecated or self.refused

        def call(*args, **named):
            if rare:
                self.warn()
            if named or len(args) != count:
                args = self.arrange(args, named)
            passed, keep, failure = [], [], None
            try:
                for (take, at, low, high), value in zip(steps, args):
                    fits = value.__class__ is int and low <= value <= high
                    passed.append(value if fits else take(value, at, keep))
                for place in contexts:
                    passed.insert(place, None)
                if keeps:
                    for (context, release), kept in zip(keeps, [kept for kept in keep if isinstance(kept, Kept)]):
                        passed[context], passed[release], kept.passed = kept.number, RELEASE, True
                for place in nothing:
                    del passed[place]
                if self.releases and self.left(passed[0]):
                    return None
                if fallible:
                    failure = ctypes.c_void_p()
                    passed.append(ctypes.byref(failure))
                thread = this_thread()
                outer = thread in inside
                inside.add(thread)
                try:
                    result = self.native(*passed)
                finally:
                    if not outer:
                        inside.discard(thread)
            finally:
                for kept in keep:
                    if isinstance(kept, (Hold, Kept, Thunk)):
                        kept.end()
            if failure or pending or foreign:
                self.ended(thread, failure, result)
            return result if give is None else give(result)

        return call

    def warn(self):
        if self.deprecated:
            warnings.warn(self.deprecated, DeprecationWarning, stacklevel=3)
        if self.refused:
            raise NotImplementedError(
                f"ctypes cannot pass {self.refused.name} by value to {self.name}(): build the extension in the glue folder"
            )

    def ended(self, thread, failure, result):
        """Raises what a callback has raised, or the call has failed with."""
        failed = _failed(failure.value, self.error) if failure else None
        raised = pending.pop(thread, None)
        if raised is None and foreign:
            raised = foreign.pop()
        if raised is not None:
            if not failed and hasattr(self.ret, "drop"):
                self.ret.drop(result)
            raise raised
        if failed:
            raise failed

    def left(self, address):
        """Whether a call uses what is to be released, and so will release it."""
        with _lock:
            if address in _held:
                _left.append((address, self.native))
                return True
        return False


FUNCTIONS = []


class Failure(ctypes.Structure):
    _fields_ = [("message", BufferStruct), ("code", ctypes.c_int32)]


def _failed(address, own):
    failure = Failure.from_address(address)
    kind = getattr(NativeError, own) if own and failure.code >= 0 else NativeError
    error = kind(failure.code, decoded(failure.message.data, failure.message.len))
    _release("upcall_failure_release", address)
    return error


def function(name, symbol, params, ret, docs, **more):
    """A function of the module."""
    native = NativeFunction(name, symbol, params, ret, **more)
    FUNCTIONS.append(native)

    call = native.caller()
    call.__name__ = call.__qualname__ = name
    call.__doc__ = docs
    call.__text_signature__ = f"({', '.join(native.shown)})"
    return call


def variable(symbol, kind):
    """Reads a static."""
    return kind.get(address_of(symbol), None)


def set_variable(symbol, kind, value, name):
    """Writes a static."""
    kind.put(address_of(symbol), value, At("value", name))


def address_of(symbol):
    """Where a static is."""
    return ctypes.addressof(ctypes.c_char.in_dll(library, symbol))
