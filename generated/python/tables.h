// Generated from ops.yaml by `make generate`. Do not edit.
#pragma once

#include "bindings/tables.h"

namespace oploom::python {

extern const OpTable activation_table;
extern const OpTable arithmetic_table;
extern const OpTable comparison_table;
extern const OpTable creation_table;
extern const OpTable indexing_table;
extern const OpTable layout_table;
extern const OpTable linalg_table;
extern const OpTable loss_table;
extern const OpTable optimizer_table;
extern const OpTable random_table;
extern const OpTable reduction_table;

inline constexpr const OpTable* op_tables[] = {
    &activation_table,
    &arithmetic_table,
    &comparison_table,
    &creation_table,
    &indexing_table,
    &layout_table,
    &linalg_table,
    &loss_table,
    &optimizer_table,
    &random_table,
    &reduction_table,
};

}  // namespace oploom::python
