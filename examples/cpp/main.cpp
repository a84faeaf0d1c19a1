// Fits y = 2 x by gradient descent, then shows a write that is refused.
//
//   cmake -S examples/cpp -B build/example -DCMAKE_PREFIX_PATH=<where Oploom is installed>
//   cmake --build build/example && build/example/oploom_example
#include <oploom/oploom.h>

#include <iostream>

int main() {
  oploom::Tensor x = oploom::imperative_rand({64, 1, 1});
  oploom::imperative_squeeze_(x, {1});  // in place: x has shape [64, 1] from here on
  const oploom::Tensor y = oploom::imperative_scale(x, 2.0);

  oploom::Tensor w = oploom::imperative_zeros({1, 1});
  oploom::set_stop_gradient(w, false);
  for (int step = 0; step < 200; ++step) {
    oploom::Tensor error = oploom::imperative_matmul(x, w);
    oploom::imperative_subtract_(error, y);  // one buffer
    oploom::backward(oploom::imperative_mean(oploom::imperative_square(error)));
    const oploom::NoGrad no_grad;  // else the next line is refused, as the last one below
    oploom::imperative_subtract_(w, oploom::imperative_scale(oploom::grad_of(w), 0.5));
    oploom::set_grad(w, {});
  }
  std::cout << "w = " << w.data<float>()[0] << '\n';

  try {
    oploom::imperative_relu_(w);
  } catch (const oploom::Error& error) {
    std::cout << error.what() << '\n';
  }
}
