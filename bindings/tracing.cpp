#include "bindings/tracing.h"

#include <memory>
#include <vector>

#include "bindings/args.h"
#include "bindings/dtypes.h"
#include "bindings/errors.h"
#include "runtime/tracer/tracer.h"

namespace oploom::python {

namespace {

struct Recorder final : Tracer {
  void call(TracedCall traced) override { calls.push_back(std::move(traced)); }
  std::vector<TracedCall> calls;
  Tracer* before = nullptr;
  bool running = false;
};

constexpr const char* kName = "oploom.trace";

Recorder& recorder_of(PyObject* capsule) {
  auto* recorder = static_cast<Recorder*>(PyCapsule_GetPointer(capsule, kName));
  if (recorder == nullptr) throw PythonError();
  return *recorder;
}

void destroy(PyObject* capsule) {
  auto* recorder = static_cast<Recorder*>(PyCapsule_GetPointer(capsule, kName));
  // Never stopped, on this thread or another: whoever listens must not vanish.
  if (recorder != nullptr && !recorder->running) delete recorder;
}

PyObject* start(PyObject*, PyObject*) {
  return guarded([] {
    auto recorder = std::make_unique<Recorder>();
    const Object capsule = checked(PyCapsule_New(recorder.get(), kName, destroy));
    recorder->before = thread_state.tracer;
    recorder->running = true;
    thread_state.tracer = recorder.release();
    return Py_NewRef(capsule.get());
  });
}

PyObject* stop(PyObject*, PyObject* capsule) {
  return guarded([&]() -> PyObject* {
    Recorder& recorder = recorder_of(capsule);
    if (recorder.running && thread_state.tracer != &recorder) {
      raise(ErrorKind::kRuntime,
            "trace(): traces must end on the thread where they began, in reverse order");
    }
    if (recorder.running) thread_state.tracer = recorder.before;
    recorder.running = false;
    Py_RETURN_NONE;
  });
}

// (argument, id, shape, dtype)
Object tensor_tuple(const TracedTensor& tensor) {
  Object shape = checked(PyTuple_New(static_cast<Py_ssize_t>(tensor.shape.size())));
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    PyTuple_SET_ITEM(shape.get(), static_cast<Py_ssize_t>(i),
                     checked(PyLong_FromLongLong(tensor.shape[i])).release());
  }
  return checked(Py_BuildValue("(sINO)", tensor.argument, tensor.id, shape.release(),
                               dtype_object(tensor.dtype)));
}

Object tensor_list(const std::vector<TracedTensor>& tensors) {
  Object list = checked(PyList_New(0));
  for (const TracedTensor& tensor : tensors) {
    check(PyList_Append(list.get(), tensor_tuple(tensor).get()));
  }
  return list;
}

PyObject* take(PyObject*, PyObject* capsule) {
  return guarded([&] {
    std::vector<TracedCall> calls;
    std::swap(calls, recorder_of(capsule).calls);
    Object list = checked(PyList_New(0));
    for (const TracedCall& call : calls) {
      const Object inputs = tensor_list(call.inputs);
      const Object outputs = tensor_list(call.outputs);
      const Object row = checked(Py_BuildValue("(sOOssLL)", call.op, inputs.get(), outputs.get(),
                                               call.attributes.c_str(), call.inplace.c_str(),
                                               static_cast<long long>(call.start_ns),
                                               static_cast<long long>(call.duration_ns)));
      check(PyList_Append(list.get(), row.get()));
    }
    return list.release();
  });
}

PyMethodDef functions[] = {
    {"_start_trace", start, METH_NOARGS, nullptr},
    {"_stop_trace", stop, METH_O, nullptr},
    {"_take_calls", take, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_tracing(PyObject* module) { check(PyModule_AddFunctions(module, functions)); }

}  // namespace oploom::python
