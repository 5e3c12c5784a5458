"""Python functions that native code calls, for ctypes."""

import collections
import ctypes
import functools
import itertools
import sys
import threading
import traceback

from ._kinds import Address, At, Kind, Pointer
from ._lent import Slice

this_thread = threading.get_ident
# The threads that are in native calls, and what a callback has raised in the innermost of each.
inside, pending = set(), {}
# What callbacks on threads of the library have raised.
foreign = []
_RESULT = At("the result", "a callback")


class Callback:
    """A function that native code may keep and call from any thread, until it is released."""

    def __init__(self, function):
        if not callable(function):
            raise At("function", "Callback").wrong_type("a callable", function)
        self._function, self._thunks = function, {}

    def release(self):
        """Ends it: a native call after this is an error."""
        self._function = None
        for function, thunk in self._thunks.items():
            function.free(thunk)
        self._thunks = {}

    def __enter__(self):
        if self._function is None:
            raise ValueError("the callback was released")
        return self

    def __exit__(self, *_):
        self.release()

    def __del__(self):
        if self.__dict__.get("_function") is not None:
            self.release()


class Thunk:
    """Native code for a Python function. It is never freed, only used again: a late call is an error."""

    def __init__(self, of):
        self.of, self.target = of, None
        self.native = of.type(self.call)
        self.address = ctypes.cast(self.native, ctypes.c_void_p).value

    def end(self):
        """The end of the call that it was made for."""
        self.of.free(self)

    def call(self, *args):
        of = self.of
        if pending and this_thread() in pending:
            return of.zero
        try:
            # Another thread may free it meanwhile.
            target = self.target
            if target is None:
                raise RuntimeError("a callback was called after it was released")
            return self.answer(target, args)
        except BaseException as error:
            thread = this_thread()
            if thread in inside:
                pending[thread] = error
            elif inside and not foreign:
                foreign.append(error)
            else:
                _report(error, self.target)
            return of.zero

    def answer(self, target, args):
        of = self.of
        if of.lends:
            return self.run(target, args)
        if of.gives:
            args = [give(args[place]) for place, give in of.gives]
        elif of.context is not None:
            args = args[: of.context] + args[of.context + 1 :]
        result = target(*args)
        return None if of.ret is None else of.ret.take(result, _RESULT, None)

    def run(self, target, args):
        of, shown, lent = self.of, [], []
        for place, (kind, value) in enumerate(zip(of.params, args)):
            if isinstance(kind, Slice):
                view, array = kind.lend(value)
                shown.append(view)
                lent.append((view, array))
            elif place != of.context:
                shown.append(kind.give(value))
        view = None
        result = target(*shown)
        shown = None
        while lent:
            view, array = lent.pop()
            try:
                view.release()
            except BufferError:
                pass
            view = None
            if array() is not None:
                raise BufferError("a callback kept a view of a slice that it was lent: keep a copy")
        return None if of.ret is None else of.ret.take(result, _RESULT, None)


class _Unraisable:
    """What `sys.unraisablehook` takes; its own type cannot be made."""

    err_msg = "Exception ignored in a callback"

    def __init__(self, error, object):
        self.exc_type, self.exc_value, self.exc_traceback = type(error), error, error.__traceback__
        self.object = object


def _report(error, target):
    if sys.unraisablehook is not sys.__unraisablehook__:
        sys.unraisablehook(_Unraisable(error, target))
    elif sys.stderr is not None:
        print(f"{_Unraisable.err_msg}: {target!r}", file=sys.stderr)
        traceback.print_exception(error)


class Function(Address):
    """The address of a function; `context` is the place of the parameter that is not shown. `kinds` gives those
    of its parameters and its result once one is called: among them may be structs that are not made yet."""

    def __init__(self, kinds, context=None, nullable=True, zero=0):
        self.kinds, self.context, self.nullable, self.other = kinds, context, nullable, zero
        self.idle = collections.deque()

    params = functools.cached_property(lambda self: self.kinds()[0])
    ret = functools.cached_property(lambda self: self.kinds()[1])
    # What native code is given where the function has raised.
    zero = property(lambda self: None if self.ret is None else self.other)
    lends = functools.cached_property(lambda self: any(isinstance(kind, Slice) for kind in self.params))

    @functools.cached_property
    def gives(self):
        """The places of the parameters that are shown, and what makes Python's value of each; nothing if all are
        Python's values already."""
        shown = [(place, kind) for place, kind in enumerate(self.params) if place != self.context]
        plain = all(type(kind).give is Kind.give for _, kind in shown)
        return [] if plain else [(place, kind.give) for place, kind in shown]

    @functools.cached_property
    def type(self):
        """What ctypes makes it of; None if it cannot."""
        params, ret = self.params, self.ret
        simple = ret is None or ret.ctype is not None and issubclass(ret.ctype, ctypes._SimpleCData)
        if not simple or not all(kind.ctype for kind in params):
            return None
        return ctypes.CFUNCTYPE(ret and ret.ctype, *(kind.ctype for kind in params))

    def put(self, address, value, at):
        if callable(value) and not hasattr(value, "__index__"):
            raise at.wrong_type("a Callback, which the program keeps, the address of a function or None", value)
        value = self.kept(value, at) if isinstance(value, Callback) else Pointer().take(value, at, None)
        self.ctype.from_address(address).value = value

    def take(self, value, at, keep):
        if keep is None:
            return Pointer().take(value, at, None)
        if isinstance(value, Callback):
            return self.kept(value, at)
        if callable(value):
            thunk = self.thunk(value, at)
            keep.append(thunk)
            return thunk.address
        if value is not None and not hasattr(value, "__index__"):
            raise at.wrong_type("a callable, a Callback, the address of a function or None", value)
        return Pointer(None, nullable=self.nullable).take(value, at, None)

    def kept(self, callback, at):
        if callback._function is None:
            raise at.invalid("is a Callback that was released")
        if self not in callback._thunks:
            callback._thunks[self] = self.thunk(callback._function, at)
        return callback._thunks[self].address

    def thunk(self, target, at):
        if self.type is None:
            raise NotImplementedError(
                f"{at.text} passes or returns what ctypes cannot in a callback: build the extension in the glue folder"
            )
        # One that was freed just now is used again as late as can be, for native code may still call it.
        thunk = self.idle.popleft() if len(self.idle) > 64 else Thunk(self)
        thunk.target = target
        return thunk

    def free(self, thunk):
        thunk.target = None
        self.idle.append(thunk)


# What native code keeps, by the number that it passes back; the next number; and the numbers that it has released.
_kept, _numbers, _released = {}, itertools.count(1), collections.deque()


class Kept:
    """A callable on its way to native code, which has it once it is passed."""

    def __init__(self, target):
        self.number, self.passed = next(_numbers), False
        _kept[self.number] = target

    def end(self):
        if not self.passed:
            _kept.pop(self.number, None)


class KeptThunk(Thunk):
    """Native code for all functions of one kind that native code keeps."""

    def call(self, *args):
        target = _kept.get(args[self.of.context])
        try:
            return self.answer(target, args)
        except BaseException as error:
            _report(error, target)
            return self.of.zero


class KeptFunction(Function):
    """A function that native code keeps: it gives the context back when it has forgotten it."""

    thunk = functools.cached_property(KeptThunk)

    def take(self, value, at, keep):
        if not callable(value):
            raise at.wrong_type("a callable", value)
        if self.type is None:
            raise NotImplementedError(
                f"{at.text} passes or returns what ctypes cannot in a callback: build the extension in the glue folder"
            )
        keep.append(Kept(value))
        return self.thunk.address


def _release(number):
    # What ends with a callable may call the library, which is just letting go of it: Python does that later.
    _released.append(number)
    ctypes.pythonapi.Py_AddPendingCall(_EMPTY, None)


def _empty(_):
    while _released:
        _kept.pop(_released.popleft(), None)
    return 0


_EMPTY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(_empty)
_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_release)
RELEASE = ctypes.cast(_RELEASE, ctypes.c_void_p).value
