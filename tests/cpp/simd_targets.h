#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "hwy/highway.h"
#include "runtime/kernels/elementwise.h"

namespace oploom::test {

// Runs body with the kernels of each CPU target that this machine has.
template <typename Body>
void on_each_target(Body body) {
  const auto choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    kernels::refill_loops();
  };
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    choose(target);
    body();
    choose(0);
  }
}

}  // namespace oploom::test
