#pragma once

// The whole of Oploom for C++ users: tensors, every op of the registry, gradients, traces.

#include "generated/ops.h"
#include "runtime/autograd/engine.h"
#include "runtime/autograd/record.h"
#include "runtime/core/dtype.h"
#include "runtime/core/error.h"
#include "runtime/core/tensor.h"
#include "runtime/tracer/tracer.h"
