#include "bindings/hooks.h"

#include "bindings/errors.h"
#include "bindings/object.h"
#include "runtime/autograd/record.h"

namespace oploom::python {

namespace {

// The callable, shared by the hook and its handle: the handle takes it away wherever the hook sits.
struct Callable {
  PyObject* object;

  explicit Callable(PyObject* callable) : object(Py_NewRef(callable)) {}
  Callable(const Callable&) = delete;
  Callable& operator=(const Callable&) = delete;
  ~Callable() {
    if (object == nullptr) return;
    WithLock lock;
    if (lock.held()) clear();
  }
  void clear() { Py_CLEAR(object); }
};

class PythonHook final : public Hook {
 public:
  explicit PythonHook(std::shared_ptr<Callable> callable) : callable_(std::move(callable)) {}

  // Raises PythonError, which passes through the engine unchanged.
  Tensor call(const Tensor& gradient) override {
    WithLock lock;
    if (!lock.held() || callable_->object == nullptr) return {};
    const Object callable = Object::share(callable_->object);  // the hook may remove itself
    const Object argument = Object::adopt(wrap(gradient));
    const Object result = checked(PyObject_CallOneArg(callable.get(), argument.get()));
    if (result.get() == Py_None) return {};
    if (!is_tensor(result.get())) {
      raise(ErrorKind::kType, "a gradient hook must return a Tensor or None, not ",
            Py_TYPE(result.get())->tp_name);
    }
    return tensor_of(result.get());
  }

  Callable& callable() const { return *callable_; }

 private:
  std::shared_ptr<Callable> callable_;
};

// What register_hook answers.
struct Handle {
  PyObject_HEAD std::shared_ptr<Callable> callable;
  Object tensor;  // a weak reference
  std::uint64_t id;
};

PyObject* handle_remove(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    auto* handle = reinterpret_cast<Handle*>(self);
    const bool was_there = handle->callable->object != nullptr;
    handle->callable->clear();
    const Object tensor = Object::share(PyWeakref_GetObject(handle->tensor.get()));
    // Not found where the tensor has a new value since: then the empty hook stays with the old one.
    if (was_there && tensor.get() != Py_None) remove_hook(tensor_of(tensor.get()), handle->id);
    return PyBool_FromLong(was_there);
  });
}

void handle_dealloc(PyObject* self) {
  auto* handle = reinterpret_cast<Handle*>(self);
  handle->callable.~shared_ptr();
  handle->tensor.~Object();
  PyObject_Free(self);
}

PyMethodDef handle_methods[] = {
    {"remove", handle_remove, METH_NOARGS,
     "remove($self)\n--\n\nTakes the hook away. Answers whether it was still there."},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject HandleType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "oploom.HookHandle",
    .tp_basicsize = sizeof(Handle),
    .tp_dealloc = handle_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A hook on a tensor's gradient; see Tensor.register_hook().",
    .tp_methods = handle_methods,
};

struct Visit {
  visitproc visit;
  void* arg;
  int result;
};

}  // namespace

PyObject* register_hook(PyObject* self, PyObject* callable) {
  if (!PyCallable_Check(callable)) {
    raise(ErrorKind::kType, "register_hook(): argument 'hook' must be callable, not ",
          Py_TYPE(callable)->tp_name);
  }
  Object weak = checked(PyWeakref_NewRef(self, nullptr));
  auto shared = std::make_shared<Callable>(callable);
  const std::uint64_t id =
      oploom::register_hook(tensor_of(self), std::make_unique<PythonHook>(shared));
  track(self);
  auto* handle = PyObject_New(Handle, &HandleType);
  if (handle == nullptr) throw PythonError();
  new (&handle->callable) std::shared_ptr<Callable>(std::move(shared));
  new (&handle->tensor) Object(std::move(weak));
  handle->id = id;
  return reinterpret_cast<PyObject*>(handle);
}

int visit_hooks(const Tensor& tensor, visitproc visit, void* arg) {
  Visit state{visit, arg, 0};
  each_hook(
      tensor,
      [](Hook& hook, void* context) {
        auto* s = static_cast<Visit*>(context);
        auto* python_hook = dynamic_cast<PythonHook*>(&hook);
        if (python_hook == nullptr || s->result != 0) return;
        PyObject* callable = python_hook->callable().object;
        if (callable != nullptr) s->result = s->visit(callable, s->arg);
      },
      &state);
  return state.result;
}

void clear_hooks(const Tensor& tensor) {
  each_hook(
      tensor,
      [](Hook& hook, void*) {
        if (auto* python_hook = dynamic_cast<PythonHook*>(&hook)) python_hook->callable().clear();
      },
      nullptr);
}

void add_hook_handle(PyObject* module) {
  check(PyType_Ready(&HandleType));
  check(PyModule_AddObjectRef(module, "HookHandle", reinterpret_cast<PyObject*>(&HandleType)));
}

}  // namespace oploom::python
