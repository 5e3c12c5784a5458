/* What one writes without a generator: an extension over CPython's stable ABI, as fast as that goes. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <structmember.h>

#include "../by_hand.h"

/* In the limited API since 3.12, exported since 3.9. */
PyObject *PyObject_Vectorcall(PyObject *, PyObject *const *, size_t, PyObject *);

typedef struct { PyObject_HEAD Body body; } BodyObject;
static PyTypeObject *body_type;

static PyObject *wrong(const char *message)
{
    PyErr_SetString(PyExc_TypeError, message);
    return NULL;
}

static int number(PyObject *object, int32_t *to)
{
    long value = PyLong_AsLong(object);
    if (value == -1 && PyErr_Occurred()) return -1;
    if (value < INT32_MIN || value > INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "does not fit into 32 bits");
        return -1;
    }
    *to = (int32_t)value;
    return 0;
}

static PyObject *failed(Failure *failure)
{
    PyObject *message = PyUnicode_DecodeUTF8(failure->message, failure->length, "replace");
    upcall_failure_release(failure);
    if (message) {
        PyErr_SetObject(PyExc_ValueError, message);
        Py_DECREF(message);
    }
    return NULL;
}

static PyObject *py_add(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    int32_t a, b;
    if (count != 2) return wrong("add() takes 2 arguments");
    if (number(args[0], &a) || number(args[1], &b)) return NULL;
    return PyLong_FromLong(add(a, b));
}

static PyObject *py_moved(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 1 || Py_TYPE(args[0]) != body_type) return wrong("moved() takes a Body");
    PyObject *made = PyType_GenericAlloc(body_type, 0);
    if (made) ((BodyObject *)made)->body = moved(((BodyObject *)args[0])->body);
    return made;
}

static PyObject *py_length(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Py_ssize_t size;
    Failure *failure = NULL;
    if (count != 1) return wrong("length() takes 1 argument");
    const char *text = PyUnicode_AsUTF8AndSize(args[0], &size);
    if (!text) return NULL;
    uint32_t result = length((Slice){text, (size_t)size}, &failure);
    return failure ? failed(failure) : PyLong_FromUnsignedLong(result);
}

static PyObject *py_sum(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Py_buffer view;
    if (count != 1) return wrong("sum() takes 1 argument");
    if (PyObject_GetBuffer(args[0], &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return NULL;
    if (!view.format || view.format[0] != 'f' || view.format[1]) {
        PyBuffer_Release(&view);
        return wrong("sum() takes a buffer of f32");
    }
    float result = sum((Slice){view.buf, (size_t)view.len / sizeof(float)});
    PyBuffer_Release(&view);
    return PyFloat_FromDouble(result);
}

typedef struct { PyObject *callable; int raised; } Call;

static int32_t called(void *context, int32_t value)
{
    Call *call = context;
    int32_t number_given = 0;
    if (call->raised) return 0;
    PyObject *argument = PyLong_FromLong(value);
    PyObject *result = argument ? PyObject_Vectorcall(call->callable, &argument, 1, NULL) : NULL;
    Py_XDECREF(argument);
    if (!result || number(result, &number_given)) call->raised = 1;
    Py_XDECREF(result);
    return number_given;
}

static PyObject *py_apply(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    int32_t value;
    if (count != 2 || !PyCallable_Check(args[1])) return wrong("apply() takes an int and a callable");
    if (number(args[0], &value)) return NULL;
    Call call = {args[1], 0};
    int32_t result = apply(value, called, &call);
    return call.raised ? NULL : PyLong_FromLong(result);
}

static PyObject *py_repeat(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    int32_t times;
    if (count != 2 || !PyCallable_Check(args[1])) return wrong("repeat() takes an int and a callable");
    if (number(args[0], &times)) return NULL;
    Call call = {args[1], 0};
    int32_t result = repeat(times, called, &call);
    return call.raised ? NULL : PyLong_FromLong(result);
}

static PyObject *py_checked(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    int32_t value;
    Failure *failure = NULL;
    if (count != 1) return wrong("checked() takes 1 argument");
    if (number(args[0], &value)) return NULL;
    uint32_t result = checked(value, &failure);
    return failure ? failed(failure) : PyLong_FromUnsignedLong(result);
}

static PyObject *body_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = {"x", "y", "z", "dx", "dy", "dz", NULL};
    Body body = {0};
    if (!PyArg_ParseTupleAndKeywords(args, named, "|dddddd", names, &body.x, &body.y, &body.z, &body.dx, &body.dy, &body.dz))
        return NULL;
    PyObject *made = PyType_GenericAlloc(type, 0);
    if (made) ((BodyObject *)made)->body = body;
    return made;
}

static void body_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_Free(object);
    Py_DECREF(type);
}

#define MEMBER(name) {#name, T_DOUBLE, offsetof(BodyObject, body.name), 0, NULL}
static PyMemberDef body_members[] = {MEMBER(x), MEMBER(y), MEMBER(z), MEMBER(dx), MEMBER(dy), MEMBER(dz), {NULL}};
static PyType_Slot body_slots[] = {
    {Py_tp_new, body_new}, {Py_tp_dealloc, body_dealloc}, {Py_tp_members, body_members}, {0, NULL}};
static PyType_Spec body_spec = {"by_hand.Body", sizeof(BodyObject), 0, Py_TPFLAGS_DEFAULT, body_slots};

#define FUNCTION(name) {#name, (PyCFunction)(void (*)(void))py_##name, METH_FASTCALL, NULL}
static PyMethodDef functions[] = {
    FUNCTION(add), FUNCTION(moved), FUNCTION(length), FUNCTION(sum), FUNCTION(apply),
    FUNCTION(repeat), FUNCTION(checked), {NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "by_hand", NULL, -1, functions};

PyMODINIT_FUNC PyInit_by_hand(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    body_type = (PyTypeObject *)PyType_FromSpec(&body_spec);
    if (!body_type || PyModule_AddObjectRef(module, "Body", (PyObject *)body_type)) return NULL;
    return module;
}
