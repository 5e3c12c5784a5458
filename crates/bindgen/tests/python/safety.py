"""What a program can do wrong, run against the hostile library. Each function is one test."""

import array
import copy
import gc
import importlib
import pickle
import sys
import threading
import time

import hostile
import numpy as np
from hostile import Callback, Counter, Names, NativeError

NATIVE = hostile.implementation.__name__.endswith("_native")


def raises(kind, text, function, *args):
    try:
        result = function(*args)
    except kind as error:
        assert text in str(error), f"{error!r} does not say {text!r}"
        return error
    raise AssertionError(f"{function} did not raise {kind} but gave {result!r}")


class Ours(Exception):
    pass


def fail(*_):
    raise Ours("ours")


def test_a_handle_of_another_class_is_refused():
    with Names() as names, Counter(1) as counter:
        raises(TypeError, "must be Counter, not Names", counter.merge, names)
        raises(TypeError, "must be Names, not Counter", hostile.names_push, counter, "x")
        assert names.count_like(counter) == 1


def test_a_handle_cannot_be_copied():
    with Counter(1) as counter:
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            raises(TypeError, "cannot be copied", copied, counter)
    with hostile.make_points(2) as points:
        raises(TypeError, "NativeBuffer", copy.copy, points)


def test_a_handle_given_to_its_release_is_closed():
    before = hostile.live()
    counter = Counter(1)
    hostile.counter_release(counter)
    assert hostile.live() == before
    raises(ValueError, "the Counter was closed", counter.get)
    counter.close()


def test_a_handle_closed_during_a_call_is_released_after_it():
    before = hostile.live()
    counter = Counter(5)
    results = []
    thread = threading.Thread(target=lambda: results.append(counter.slow(200)))
    thread.start()
    time.sleep(0.05)
    counter.close()
    assert hostile.live() == before + 1
    raises(ValueError, "the Counter was closed", counter.get)
    thread.join()
    assert results == [5] and hostile.live() == before


def test_threads_use_a_handle_while_another_closes_it():
    before = hostile.live()

    def use(counter):
        try:
            while True:
                counter.slow(0)
        except ValueError as error:
            assert "was closed" in str(error)

    for _ in range(200):
        counter = Counter(5)
        threads = [threading.Thread(target=use, args=(counter,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        counter.close()
        for thread in threads:
            thread.join()
    assert hostile.live() == before


def test_a_callback_closes_the_handle_that_calls_it():
    before = hostile.live()
    counter = Counter(1)
    assert counter.each(3, lambda _: counter.close() or 1) == 4
    assert hostile.live() == before
    with Counter(1) as counter:
        raises(NativeError, "in use", counter.each, 3, lambda _: counter.add(1))
        assert counter.each(2, lambda _: counter.get()) == 3


def test_an_exception_of_a_callback_is_raised_on_its_own_thread():
    results = {}

    def work(name, function):
        def run():
            for _ in range(1000):
                try:
                    results[name].add(hostile.apply_many(function, 3))
                except Ours:
                    results[name].add("raised")

        results[name] = set()
        return threading.Thread(target=run)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with Callback(abs):
        threads = [work("fails", fail), work("well", lambda _: 7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    sys.setswitchinterval(interval)
    assert results == {"fails": {"raised"}, "well": {21}}


def test_what_a_call_gave_is_released_when_its_callback_raised():
    before = hostile.live()
    with Counter(1) as counter:
        for _ in range(10):
            raises(Ours, "ours", counter.child, fail)
        assert hostile.live() == before + 1
    for function in (hostile.text_of, hostile.floats_of, hostile.fails_after):
        raises(Ours, "ours", function, fail)
    for function in (hostile.ask_color, hostile.ask_char, hostile.ask_bool):
        raises(Ours, "ours", function, fail)
    assert hostile.echo_i8(3) == 3


def test_releasing_a_callback_and_then_joining_its_thread_does_not_wait_for_ever():
    for _ in range(20):
        callback = Callback(lambda value: value)
        hostile.keep(callback)
        hostile.start(3, 0)
        time.sleep(0.01)
        callback.release()
        try:
            hostile.stop()
        except RuntimeError as error:
            assert "after it was released" in str(error)
        hostile.forget()
    try:
        hostile.stop()
    except RuntimeError as error:
        assert "after it was released" in str(error)
    assert hostile.echo_i8(1) == 1


def test_a_lent_slice_cannot_be_kept():
    kept = []
    assert hostile.show_slice(lambda view: kept.append(view) or int(view[0])) == 2
    raises(ValueError, "released", lambda: kept[0][0])
    for look in (np.asarray, lambda view: view[1:], memoryview):
        raises(BufferError, "keep a copy", hostile.show_slice, lambda view: kept.append(look(view)) or 1)
    with Callback(lambda view: kept.append(view)) as noted:
        hostile.note_elsewhere(noted)
    raises(ValueError, "released", lambda: kept[-1][0])
    assert hostile.show_slice(lambda view: kept.append(bytes(view)) or 1) == 1


def test_views_keep_a_buffer_from_being_released():
    with hostile.make_floats(10) as floats:
        looks = [floats.view(), np.asarray(floats), floats.view()[2:]]
        while looks:
            raises(BufferError, "still uses", floats.release)
            looks.pop()
            gc.collect()
    for use in (floats.view, lambda: floats[0], lambda: len(floats), lambda: memoryview(floats)):
        raises((ValueError, TypeError), "", use)
    if NATIVE:
        with hostile.make_floats(1) as floats:
            look = memoryview(floats)
            raises(BufferError, "still uses", floats.release)
            look.release()


def test_slices_of_the_wrong_kind_are_refused():
    wrong = [None, 5, [1.0], b"1234", array.array("d", [1]), array.array("i", [1]), np.zeros(3, ">f4")]
    wrong += [np.zeros((3, 4), "f").T, np.zeros(9, "u1")[1:].view("f"), memoryview(bytearray(9))[1:].cast("f")]
    for values in wrong:
        raises((TypeError, ValueError), "values of sum", hostile.sum, values)
    for values in (b"1234", memoryview(array.array("i", [1])).toreadonly(), np.zeros(4, "i4")[::-1]):
        raises(ValueError, "can be written", hostile.fill, values, 1)
    for empty in (array.array("f"), np.zeros(0, "f")[::2], np.zeros((0, 3), "f")):
        assert hostile.sum(empty) == 0


def test_the_oldest_free_trampoline_is_used_first():
    old = Callback(lambda _: 111)
    hostile.keep_bare(old)
    old.release()
    with Callback(lambda _: 222) as new:
        assert hostile.apply_bare(new, 1) == 222
        raises(RuntimeError, "after it was released", hostile.call_bare, 1)
    hostile.forget()


def test_a_package_that_is_loaded_again_works():
    point = hostile.Point(x=1)
    importlib.reload(hostile)
    assert hostile.bump(point) == 1.0 and hostile.bump(hostile.Point(x=1)) == 1.0
    with hostile.Counter(2) as counter:
        assert counter.get() == 2


def test_a_context_is_found_wherever_it_stands():
    seen = []
    step = lambda context, value: seen.append(context) or value + 1
    assert hostile.context_behind(lambda value: value + 1, 1) == 2
    assert hostile.context_before(77, step, 1) == 2 and seen == [77]
    with Callback(step) as kept:
        assert hostile.context_before(78, kept, 1) == 2 and seen == [77, 78]


def test_a_struct_holds_callbacks():
    done = []
    step, tell = Callback(lambda context, value: context + value), Callback(done.append)
    operations = hostile.Operations(context=40, step=step, done=[None, tell])
    assert operations.step > 0 and operations.done[0] is None and operations.done[1] > 0
    hostile.keep_operations(operations)
    assert hostile.operate(2) == 42 and hostile.operate_elsewhere(3) == 43 and done == [42.0, 43.0]
    operations.done = [tell, tell]
    hostile.keep_operations(operations)
    assert hostile.operate(4) == 44 and done[2:] == [44.0, 44.0]
    with Callback(fail) as failing:
        operations.step = failing
        hostile.keep_operations(operations)
        raises(Ours, "ours", hostile.operate, 1)
    raises(RuntimeError, "after it was released", hostile.operate, 1)
    raises(ValueError, "step of Operations is a Callback that was released", setattr, operations, "step", failing)
    raises(TypeError, "step of Operations must be a Callback", setattr, operations, "step", fail)
    operations.step = step
    hostile.keep_operations(operations)
    del step
    gc.collect()
    raises(RuntimeError, "after it was released", hostile.operate, 1)
    operations.step = None
    hostile.keep_operations(operations)
    assert hostile.operate(1) == -1
    hostile.keep_operations(None)
    tell.release()


def end_while_called():
    global callback
    callback = Callback(lambda value: value)
    hostile.keep(callback)
    hostile.start(4, 0)
    time.sleep(0.05)


for name, test in list(globals().items()):
    if name.startswith("test_") if len(sys.argv) < 2 else name in sys.argv[1:]:
        test()
        if name.startswith("test_"):
            print(name, "ok", flush=True)
