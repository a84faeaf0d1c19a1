// The cheapest call that Python can make into C: what a call of the library is compared with.
#include <Python.h>

static PyObject* noop(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  (void)self, (void)arguments, (void)count;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"noop", (PyCFunction)(void (*)(void))noop, METH_FASTCALL, "Does nothing, with any arguments."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "noop", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_noop(void) { return PyModule_Create(&module); }
