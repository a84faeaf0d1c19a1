#include "runtime/core/thread_state.h"

namespace oploom {

__thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

}  // namespace oploom
