// Tells callgrind from inside the counted program where a stretch begins and ends. Outside of
// callgrind both functions do nothing.
#include <Python.h>
#include <valgrind/callgrind.h>

static PyObject* zero(PyObject* self, PyObject* none) {
  (void)self, (void)none;
  CALLGRIND_ZERO_STATS;
  Py_RETURN_NONE;
}

static PyObject* dump(PyObject* self, PyObject* label) {
  (void)self;
  const char* text = PyUnicode_AsUTF8(label);
  if (text == NULL) return NULL;
  CALLGRIND_DUMP_STATS_AT(text);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"zero", zero, METH_NOARGS, "Starts counting at 0."},
    {"dump", dump, METH_O, "Writes the counts so far to a file of their own, with a label."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "counters", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_counters(void) { return PyModule_Create(&module); }
