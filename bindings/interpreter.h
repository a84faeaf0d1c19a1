#pragma once

namespace oploom::python {

// What the runtime asks of the interpreter: the place of a call, and its lock while a kernel works.
void install_interpreter_hooks();

}  // namespace oploom::python
