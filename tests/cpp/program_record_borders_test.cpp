#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oploom/oploom.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/kernels/generator.h"
#include "tests/cpp/program_net.h"

// What crosses the borders of branches, loops and programs while recording: types, numbers, writes,
// gradients, handles.
namespace oploom::program {
namespace {

using ::testing::HasSubstr;
using List = std::vector<double>;
using Lengths = std::vector<std::int64_t>;

Variables none() { return {}; }
Recorder::Branch gives(const Variable& x) {
  return [x] { return Variables{x}; };
}

// --- Handles whose program is gone, or is another.

constexpr const char* kGone =
    "[program] a value is used whose program is gone; keep the program for as long as its values "
    "are used";

TEST(ProgramBorders, HandlesOutliveTheirProgram) {
  Variable x, view, array;
  {
    Net b;
    x = b.op("clone", {b.input({2}, {1, 2})});
    view = b.op("slice", {x}, {Index{IndexItem::number(0)}});
    b.op("exp_", {x});  // the view is stale: it would be read anew
    array = b.recorder.array();
  }
  for (const Variable& gone : {x, view, array}) {
    EXPECT_TRUE(gone.defined());
    EXPECT_EQ(refused([&] { gone.value(); }), kGone);
    EXPECT_EQ(refused([&] { gone.type(); }), kGone);
    EXPECT_EQ(refused([&] { gone.stop_gradient(); }), kGone);
    EXPECT_EQ(refused([&] { gone.set_stop_gradient(true); }), kGone);
    EXPECT_EQ(refused([&] { gone.is_leaf(); }), kGone);
    EXPECT_EQ(refused([&] { gone.name(); }), kGone);
    EXPECT_EQ(refused([&] { gone.program(); }), kGone);
    EXPECT_EQ(kind_of([&] { gone.value(); }), ErrorKind::kRuntime);
  }
  Net other;
  EXPECT_EQ(refused([&] { other.op("relu", {x}); }), kGone);
  EXPECT_EQ(refused([&] { other.op("relu_", {x}); }), kGone);
  EXPECT_EQ(refused([&] { other.recorder.detach(view); }), kGone);
  EXPECT_EQ(refused([&] { other.recorder.grad({x}, {x}); }), kGone);
  const Variable copy = view;  // copies and ends of handles ask nothing of the program
}

TEST(ProgramBorders, ValuesOfAnotherProgramAreRefused) {
  constexpr const char* kOther =
      "[program] expected a value of the program that is recorded, got one of another";
  Net a;
  const Variable x = a.op("clone", {a.input({}, {1})});
  const Variable truth = a.op("less_than", {x, a.number(3)});
  Net b;
  const Variable y = b.op("clone", {b.input({}, {1})});
  EXPECT_EQ(refused([&] { b.op("relu_", {x}); }), kOther);
  EXPECT_EQ(refused([&] { b.op("add_", {y, x}); }), kOther);
  EXPECT_EQ(refused([&] { b.recorder.detach(x); }), kOther);
  EXPECT_EQ(refused([&] { b.recorder.grad({x}, {y}); }), kOther);
  EXPECT_EQ(refused([&] { b.recorder.grad({y}, {x}); }), kOther);
  EXPECT_EQ(refused([&] { b.recorder.grad({y}, {y}, {x}); }), kOther);
  EXPECT_EQ(refused([&] { b.recorder.grad({y}, {y}, {}, {x}); }), kOther);
  EXPECT_EQ(refused([&] { b.recorder.cond(truth, none, none); }), kOther);
  EXPECT_EQ(
      refused([&] { b.recorder.cond(b.op("less_than", {y, b.number(3)}), gives(x), gives(y)); }),
      kOther);
  EXPECT_EQ(refused([&] {
              b.recorder.while_loop([&](const Variables&) { return truth; },
                                    [](const Variables& v) { return v; }, {y});
            }),
            kOther);
  EXPECT_EQ(refused([&] { b.recorder.array_write(b.recorder.array(), b.whole(0), x); }), kOther);
  verify(b.program);
}

TEST(ProgramBorders, AnAliasOfAWrittenParameterIsRefused) {
  Net b;
  const Tensor eager = test::constant({1, 2});
  const Tensor alias = detach(eager);
  b.op("relu_", {b.parameter(eager)});
  EXPECT_THAT(refused([&] { b.parameter(alias); }),
              HasSubstr("a parameter that this program has written"));
}

// --- Numbers.

// A number that crosses a border is what to_tensor() makes of it: float32, int64 or bool. So
// float32 stays float32, as it does where the number is an operand in eager mode.
TEST(ProgramBorders, NumbersBecomeTensorsOfTheDefaultDtype) {
  Net b;
  const Variable x = b.op("cast", {b.input({2}, {1, 2}, true)}, {DType::kFloat32});
  const Variable n = b.op("cast", {x}, {DType::kInt64});
  const Variable pred = b.op("less_than", {b.scalar(1, true), b.number(2)});
  const Variable whole = b.recorder.constant(Number(3));
  const auto results = b.recorder.cond(
      pred, [&] { return Variables{b.number(0.5), whole}; },
      [&] { return Variables{b.number(1.5), whole}; });
  EXPECT_EQ(results[0].type(), tensor_type(DType::kFloat32, {}));
  EXPECT_EQ(results[1].type(), tensor_type(DType::kInt64, {}));
  EXPECT_EQ(b.op("multiply", {x, results[0]}).type().dtype, DType::kFloat32);
  EXPECT_EQ(b.op("multiply", {x, results[1]}).type().dtype, DType::kFloat32);
  EXPECT_EQ(b.op("multiply", {n, results[1]}).type().dtype, DType::kInt64);
  EXPECT_EQ(b.op("multiply", {n, results[0]}).type().dtype, DType::kFloat32);
  EXPECT_EQ(b.values(b.op("cast", {b.op("multiply", {x, results[0]})}, {DType::kFloat64})),
            (List{0.5, 1}));
  EXPECT_EQ(refused([&] { b.recorder.cond(pred, gives(whole), gives(b.number(0.5))); }),
            "[cond] result 0 of the branches: expected one dtype, got int64[] and float32[]; cast "
            "one of them");
}

TEST(ProgramBorders, NumbersAsLoopVariables) {
  Net b;
  const Variable x = b.op("cast", {b.input({2}, {1, 2}, true)}, {DType::kFloat32});
  const auto results = b.recorder.while_loop(
      [&](const Variables& v) { return b.op("less_than", {v[0], b.recorder.constant(Number(3))}); },
      [&](const Variables& v) {
        return Variables{b.op("add", {v[0], b.recorder.constant(Number(1))}),
                         b.op("multiply", {v[1], b.number(0.5)}), b.number(0.25)};
      },
      {b.recorder.constant(Number(0)), b.number(1), b.number(1)});
  EXPECT_EQ(results[0].type(), tensor_type(DType::kInt64, {}));
  EXPECT_EQ(results[1].type(), tensor_type(DType::kFloat32, {}));
  EXPECT_EQ(results[2].type(), tensor_type(DType::kFloat32, {}));
  const Variable scaled = b.op("multiply", {b.op("multiply", {x, results[1]}), results[2]});
  EXPECT_EQ(scaled.type().dtype, DType::kFloat32);
  EXPECT_EQ(b.values(b.op("cast", {scaled}, {DType::kFloat64})), (List{0.03125, 0.0625}));
}

// --- Types.

TEST(ProgramBorders, Conditions) {
  Net b;
  const Variable x = b.input({}, {1});
  const Variable two = b.op("less_than", {b.input({2}, {1, 2}), b.number(2)});
  const auto loop = [&](const Variable& condition) {
    return refused([&] {
      b.recorder.while_loop([&](const Variables&) { return condition; },
                            [](const Variables& v) { return v; }, {x});
    });
  };
  const std::string advice = "; compare, or reduce to one element first";
  const std::string expected = " condition: expected one truth value, bool[], got ";
  EXPECT_EQ(refused([&] { b.recorder.cond(x, none, none); }),
            "[cond]" + expected + "float64[]" + advice);
  EXPECT_EQ(refused([&] { b.recorder.cond(two, none, none); }),
            "[cond]" + expected + "bool[2]" + advice);
  EXPECT_EQ(refused([&] { b.recorder.cond(b.recorder.array(), none, none); }),
            "[cond]" + expected + "list" + advice);
  EXPECT_EQ(loop(x), "[while_loop]" + expected + "float64[]" + advice);
  EXPECT_EQ(loop(two), "[while_loop]" + expected + "bool[2]" + advice);
  EXPECT_EQ(kind_of([&] { b.recorder.cond(x, none, none); }), ErrorKind::kType);
}

TEST(ProgramBorders, ResultsOfBranches) {
  Net b;
  const Variable x = b.input({}, {1});
  const Variable pred = b.op("less_than", {x, b.number(2)});
  const auto cond = [&](const Recorder::Branch& then, const Recorder::Branch& otherwise) {
    return refused([&] { b.recorder.cond(pred, then, otherwise); });
  };
  EXPECT_EQ(cond(gives(x), none),
            "[cond] false_fn: expected 1 results, as true_fn gives, got 0; let both return the "
            "same number");
  EXPECT_EQ(cond(gives(x), gives(Variable())),
            "[cond, false_fn] result 0: expected a value of the program, got none");
  EXPECT_EQ(cond(gives(x), gives(b.whole(1))),
            "[cond] result 0 of the branches: expected one dtype, got float64[] and int64[]; cast "
            "one of them");
  EXPECT_EQ(cond(gives(x), gives(b.filled({1}, 1))),
            "[cond] result 0 of the branches: expected one number of dimensions, got float64[] and "
            "float64[1]; reshape one of them");
  EXPECT_EQ(cond(gives(x), gives(b.recorder.array())),
            "[cond] result 0 of the branches: expected values of one kind, got float64[] and list; "
            "make both "
            "tensors, or both lists");
  verify(b.program);
  const auto joined = b.recorder.cond(pred, gives(b.filled({2, 3}, 1)), gives(b.filled({2, 1}, 5)));
  EXPECT_EQ(joined[0].type(), tensor_type(DType::kFloat64, {2, -1}));
  EXPECT_EQ(b.values(joined[0]), List(6, 1.0));
}

TEST(ProgramBorders, ResultsOfBodies) {
  Net b;
  const Variable x = b.input({}, {1});
  const auto loop = [&](const Variables& results, const Variables& inits) {
    return refused([&] {
      b.recorder.while_loop([&](const Variables&) { return b.op("less_than", {x, b.number(0)}); },
                            [&](const Variables&) { return results; }, inits);
    });
  };
  EXPECT_EQ(loop({}, {}), "[while_loop] loop_vars: expected at least one loop variable, got none");
  EXPECT_EQ(loop({x, x}, {x}),
            "[while_loop] body: expected 1 results, one for each loop variable, got 2; let it "
            "return as many "
            "as it was given");
  EXPECT_EQ(loop({Variable()}, {x}),
            "[while_loop, body] result 0: expected a value of the program, got none");
  EXPECT_EQ(loop({x}, {Variable()}),
            "[while_loop, loop_vars] result 0: expected a value of the program, got none");
  EXPECT_EQ(loop({b.whole(1)}, {x}),
            "[while_loop] loop variable 0: expected one dtype, got float64[] and int64[]; cast one "
            "of them");
  EXPECT_EQ(loop({b.filled({1}, 1)}, {x}),
            "[while_loop] loop variable 0: expected one number of dimensions, got float64[] and "
            "float64[1]; "
            "reshape one of them");
  verify(b.program);
}

TEST(ProgramBorders, AConditionMayNotWrite) {
  Net b;
  const Variable t = b.op("clone", {b.input({}, {1})});
  EXPECT_EQ(refused([&] {
              b.recorder.while_loop(
                  [&](const Variables&) {
                    b.op("add_", {t, b.number(1)});
                    return b.op("less_than", {t, b.number(0)});
                  },
                  [](const Variables& v) { return v; }, {t});
            }),
            "[while_loop] cond: expected a condition that writes into no value from outside, but "
            "add_ wrote into '" +
                t.name() + "'; move the write into body, or use the plain form");
}

// --- Writes into what is captured.

TEST(ProgramBorders, ViewsOfCapturedValuesAreWritten) {
  Net b;
  const Variable w = b.input({4}, {1, 2, 3, 4});
  const Variable x = b.op("clone", {w});
  const Variable pred = b.op("less_than", {b.op("sum", {x}), b.number(100)});
  const Variables halves = b.all("split", {x}, {Lengths{2, 2}});
  b.recorder.cond(
      pred,
      [&] {
        const Variable made_inside = b.op("slice", {halves[0]}, {Index{IndexItem::number(0)}});
        b.op("scale_", {made_inside}, {Scalar(3.0)});
        b.op("scale_", {halves[1]}, {Scalar(2.0)});
        return Variables{};
      },
      [&] {
        b.op("fill_", {halves[1]}, {Scalar(0.0)});
        return Variables{};
      });
  EXPECT_EQ(b.values(x), (List{3, 2, 6, 8}));
  EXPECT_EQ(b.values(halves[1]), (List{6, 8}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {x}), w)), (List{3, 1, 2, 2}));
  b.repeat(2, {}, [&](const Variables&) {
    b.op("add_", {halves[0], halves[1]});
    return Variables{};
  });
  EXPECT_EQ(b.values(x), (List{15, 18, 6, 8}));
  EXPECT_EQ(b.values(b.grad(b.op("sum", {x}), w)), (List{3, 1, 6, 6}));
}

TEST(ProgramBorders, CapturedHandlesKeepTheirMemory) {
  Net b;
  const Variable x = b.op("clone", {b.input({1, 2}, {1, 2}, true)});
  const Variable pred = b.op("less_than", {b.op("sum", {x}), b.number(9)});
  const auto in_branch = [&](const std::string& name, std::vector<Attribute> attributes) {
    return refused([&] {
      b.recorder.cond(pred, [&] { return b.all(name, {x}, attributes), Variables{}; }, none);
    });
  };
  EXPECT_EQ(in_branch("squeeze_", {Lengths{0}}),
            "[squeeze_] x: Tensor '" + x.name() +
                "' comes from outside of this branch or loop, so it keeps its "
                "shape; use the plain form");
  EXPECT_EQ(in_branch("cast_", {DType::kInt64}),
            "[cast_] x: Tensor '" + x.name() +
                "' comes from outside of this branch or loop, so it keeps its shape "
                "and dtype; use the plain form");
}

TEST(ProgramBorders, AWriteInABranchLeavesNoLeaf) {
  Net b;
  const Variable w = b.input({}, {3});
  const Variable t = b.op("clone", {b.input({}, {2})});
  const Variable pred = b.op("less_than", {w, b.number(0)});
  b.recorder.cond(pred, [&] { return b.op("fill_", {t}, {Scalar(1.0)}), Variables{}; }, none);
  EXPECT_FALSE(t.is_leaf());
  b.op("multiply_", {t, w});  // and may be written
  EXPECT_EQ(b.value(t), 6);
  // A loop in which a value comes to need a gradient only on the way.
  const Variable s = b.filled({}, 1);
  b.repeat(2, {b.filled({}, 1)}, [&](const Variables& v) {
    b.op("multiply_", {s, v[0]});
    return Variables{b.op("multiply", {v[0], w})};
  });
  EXPECT_FALSE(s.is_leaf());
  b.op("add_", {s, w});
  EXPECT_EQ(b.value(s), 1 * 3 + 3);
  EXPECT_EQ(b.value(b.grad(s, w)), 1 + 1);
}

// --- Reshapes: a view or a copy (E9).

constexpr const char* kOpen =
    ", but whether it shares memory with what it was made from hangs on lengths that are known at "
    "run time only. Use "
    "clone() of it.";

TEST(ProgramBorders, ReshapesThatAreKnown) {
  Net b;
  const Variable x = b.op("clone", {b.input({2, 2}, {1, 2, 3, 4}, true)});
  const Variable view = b.op("reshape", {x}, {Lengths{4}});
  const Variable copy = b.op("reshape", {b.op("transpose", {x}, {Lengths{1, 0}})}, {Lengths{4}});
  b.op("scale_", {view}, {Scalar(2.0)});
  b.op("scale_", {copy}, {Scalar(10.0)});
  EXPECT_EQ(b.values(x), (List{2, 4, 6, 8}));
  EXPECT_EQ(b.values(copy), (List{10, 30, 20, 40}));
}

TEST(ProgramBorders, ReshapesThatAreNotKnown) {
  Net b;
  const Variable u = b.recorder.input("u", tensor_type(DType::kFloat64, {-1, 2}), true);
  b.feeds.push_back(test::constant({2, 2}, {1, 2, 3, 4}));
  const Variable x = b.op("clone", {u});
  const Variable flat =
      b.op("reshape", {x}, {Lengths{-1}});  // fresh results are contiguous: a view
  b.op("add_", {flat, b.number(1)});
  EXPECT_EQ(b.values(x), (List{2, 3, 4, 5}));
  const Variable turned = b.op("transpose", {x}, {Lengths{1, 0}});
  const Variable open = b.op("reshape", {turned}, {Lengths{-1}});
  EXPECT_EQ(b.values(open), (List{2, 4, 3, 5}));
  const std::string name = "[reshape] '" + open.name() + "' ";
  EXPECT_EQ(b.refusal("relu_", {open}), name + "is written into" + kOpen);
  const Variable inner = b.op("slice", {open}, {Index{IndexItem::number(0)}});
  EXPECT_EQ(b.refusal("relu_", {inner}), name + "is written into through a view" + kOpen);
  const Variable detached = b.recorder.detach(open);
  EXPECT_THAT(b.refusal("relu_", {detached}), HasSubstr(kOpen));
  const Variable copy = b.op("clone", {open});
  b.op("add_", {x, b.number(1)});
  EXPECT_EQ(refused([&] { open.value(); }), name + "is read after a write to its base" + kOpen);
  EXPECT_EQ(kind_of([&] { open.value(); }), ErrorKind::kInplace);
  b.op("relu_", {copy});  // the way out
  EXPECT_EQ(b.values(copy), (List{2, 4, 3, 5}));
}

// --- Gradients inside loops.

TEST(ProgramBorders, GradientInALoopBodyIsRefusedWhereItMayBeHidden) {
  Net b;
  const Variable x = b.input({}, {3});
  const auto ask = [&](const std::function<Variable(const Variable&)>& target) {
    return refused([&] {
      b.repeat(2, {b.op("clone", {x})},
               [&](const Variables& v) { return Variables{b.grad(target(v[0]), x)}; });
    });
  };
  EXPECT_THAT(ask([&](const Variable& v) { return b.op("multiply", {v, x}); }),
              HasSubstr("a target depends on the variable, and the trips before this one may have "
                        "put the input into "
                        "it. Ask for the gradient after the loop, or detach() the variable."));
  EXPECT_EQ(ask([&](const Variable& v) { return b.op("multiply", {b.recorder.detach(v), x}); }),
            "");
}

TEST(ProgramBorders, GradientInALoopBodyOfWhatItWrites) {
  Net b;
  const Tensor eager = test::leaf({}, {1});
  const Variable w = b.parameter(eager);
  const auto step = [&](const Variable& loss) {
    const Variable g = b.grad(loss, w);
    b.all("sgd_", {w, b.number(0.25), g, {}});
    return g;
  };
  // Only the present trip's w is in the loss: (w - 3)^2, w += 0.5 * (3 - w).
  b.repeat(2, {}, [&](const Variables&) {
    step(b.op("square", {b.op("subtract", {w, b.number(3)})}));
    return Variables{};
  });
  b.value(w);
  EXPECT_EQ(test::values(eager), (List{2.5}));
  // A sum over the trips holds w of the trips before, which is the same leaf.
  EXPECT_THAT(refused([&] {
                b.repeat(2, {b.filled({}, 0)}, [&](const Variables& v) {
                  const Variable total = b.op("add", {v[0], b.op("square", {w})});
                  step(total);
                  return Variables{total};
                });
              }),
              HasSubstr("Ask for the gradient after the loop"));
}

// --- Draws.

TEST(ProgramBorders, NoPassChangesADraw) {
  struct Drawing {
    Net b;
    Variable normal, uniform, looped, dead;
    Drawing() {
      const Variable pred = b.op("less_than", {b.input({}, {1}, true), b.number(2)});
      dead = b.op("rand", {}, {Lengths{2}});
      normal = b.filled({4}, 0);
      b.op("normal_", {b.op("slice", {normal}, {Index{IndexItem::slice(1, 3)}})});
      const Variable twice =
          b.op("square", {b.op("square", {normal})});  // something to write in place
      uniform = b.recorder.cond(
          pred, [&] { return Variables{b.op("uniform_", {b.op("clone", {twice})})}; },
          [&] { return Variables{twice}; })[0];
      looped = b.repeat(3, {b.filled({2}, 0)}, [&](const Variables& v) {
        const Variable fresh = b.op("uniform_", {b.filled({2}, 0)});
        return Variables{b.op("add", {b.op("scale", {v[0]}, {Scalar(10.0)}), fresh})};
      })[0];
    }
    List draws() {
      List all = b.values(normal);
      for (const Variable& x : {uniform, looped}) {
        const List more = b.values(x);
        all.insert(all.end(), more.begin(), more.end());
      }
      return all;
    }
    std::vector<Value*> fetch() const { return {normal.value(), uniform.value(), looped.value()}; }
  };
  oploom::seed(11);
  const List expected = Drawing().draws();
  using Pass = std::function<void(Drawing&)>;
  const std::vector<std::pair<const char*, Pass>> passes = {
      {"prune", [](Drawing& d) { prune(d.b.program, d.fetch()); }},
      {"functionalize", [](Drawing& d) { functionalize(d.b.program); }},
      {"apply_inplace", [](Drawing& d) { apply_inplace(d.b.program, d.fetch()); }},
      {"clean_up", [](Drawing& d) { clean_up(d.b.program); }},
      {"all",
       [](Drawing& d) {
         functionalize(d.b.program);
         clean_up(d.b.program);
         prune(d.b.program, d.fetch());
         apply_inplace(d.b.program, d.fetch());
       }},
  };
  for (const auto& [name, pass] : passes) {
    Drawing d;
    pass(d);
    EXPECT_EQ(d.draws(), expected) << name;
  }
  Drawing again;
  EXPECT_EQ(again.draws(), expected);
  EXPECT_NE(again.draws(), expected);  // the run counts
  oploom::seed(12);
  EXPECT_NE(Drawing().draws(), expected);
}

}  // namespace
}  // namespace oploom::program
