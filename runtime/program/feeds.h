#pragma once

#include <span>
#include <vector>

#include "runtime/program/plan.h"

// What comes into a run and what is asked of it. All raise before anything is run.
namespace oploom::program {

// Along program.inputs; an undefined tensor where none was given. Raises kArgument, kType by name.
void check_feeds(const Program& program, std::span<const Tensor> feeds);
// Raises where a value is not to be had when the program has ended.
void check_fetch(const Program& program, std::span<Value* const> fetch);
// Fetched values and effects: what a plan is kept by.
std::vector<Value*> roots_of(const Program& program, std::span<Value* const> fetch);
// Raises where a feed is needed and none was given.
void fill_arguments(const Program& program, Plan& plan, std::span<const Tensor> feeds);

}  // namespace oploom::program
