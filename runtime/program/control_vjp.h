#pragma once

namespace oploom::program {

class Vjp;

// Gradient rules of the program's own ops; what each gives is said in control_vjp.cpp. `if` and
// `while` have none here: gradients.cpp builds theirs.
void vjp_shift(Vjp& vjp);
void vjp_push(Vjp& vjp);
void vjp_pop(Vjp& vjp);
void vjp_at(Vjp& vjp);
void vjp_put(Vjp& vjp);
void vjp_stack(Vjp& vjp);
void vjp_concat(Vjp& vjp);
void vjp_add_lists(Vjp& vjp);
void vjp_add_at(Vjp& vjp);
void vjp_cut(Vjp& vjp);
void vjp_extend(Vjp& vjp);
void vjp_unstack(Vjp& vjp);
void vjp_split(Vjp& vjp);

}  // namespace oploom::program
