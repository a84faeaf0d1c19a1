#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/program/ir.h"

namespace oploom::program {

// Runs of the program's own ops (control_run.cpp, list_run.cpp). `if` and `while` have none here:
// the interpreter does them itself.
void run_metadata(RunFrame& frame);
void run_arithmetic(RunFrame& frame);
void run_to_operand(RunFrame& frame);
void run_shift(RunFrame& frame);
void run_undefined(RunFrame& frame);
void run_new_list(RunFrame& frame);
void run_push(RunFrame& frame);
void run_pop(RunFrame& frame);
void run_at(RunFrame& frame);
void run_put(RunFrame& frame);
void run_length(RunFrame& frame);
void run_stack(RunFrame& frame);
void run_concat(RunFrame& frame);
void run_zeros_like(RunFrame& frame);
void run_add_lists(RunFrame& frame);
void run_add_at(RunFrame& frame);
void run_cut(RunFrame& frame);
void run_extend(RunFrame& frame);
void run_unstack(RunFrame& frame);
void run_split(RunFrame& frame);
void run_row_lengths(RunFrame& frame);
void run_entry_shape(RunFrame& frame);
Tensor numbers_of(Ints values);  // a value of kNumbers

// Entries of lists that this thread handled one by one because somebody else holds the list, or an
// op is about all of them. For RunResult::list_entries.
extern __thread std::int64_t list_entries_handled;
inline void count_entries(std::size_t entries) {
  list_entries_handled += static_cast<std::int64_t>(entries);
}

// The type that attribute "type" of list_new and undefined names; raises where it names none.
Type type_of_attributes(const Op& op);

}  // namespace oploom::program
