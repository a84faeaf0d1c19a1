#include "runtime/program/function.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "generated/roles.h"
#include "runtime/autograd/engine.h"
#include "runtime/autograd/node.h"
#include "runtime/autograd/saved.h"
#include "runtime/core/blocking.h"
#include "runtime/core/error.h"
#include "runtime/core/prepare.h"
#include "runtime/kernels/generator.h"
#include "runtime/program/activity.h"
#include "runtime/program/gradients.h"
#include "runtime/program/needed.h"
#include "runtime/program/plan.h"
#include "runtime/program/roles.h"

namespace oploom::program {
namespace {

// Of a function's program: to run it, and to add to it.
class Reading {
 public:
  explicit Reading(std::shared_mutex& mutex) : lock_(mutex, std::defer_lock) { lock_unlocked(lock_); }

 private:
  std::shared_lock<std::shared_mutex> lock_;
};
class Adding {
 public:
  explicit Adding(std::shared_mutex& mutex) : lock_(mutex, std::defer_lock) { lock_unlocked(lock_); }

 private:
  std::unique_lock<std::shared_mutex> lock_;
};

// The same bytes without a history.
Tensor bare(const Tensor& x) { return alias(x, x.shape(), x.strides(), x.offset()); }

void fill(Plan& plan, const Value& value, const Tensor& x) {
  const std::uint32_t slot = plan.slot_of(value);
  if (slot != Plan::kNone) plan.slots[slot].tensor = bare(x);
}

// Which plan is whose for as long as its slots are in use.
class Borrowed {
 public:
  Borrowed(Program& program, std::span<Value* const> roots) : program_(&program) {
    if (!program.plans) program.plans = std::make_shared<PlanCache>();
    entry_ = program.plans->take(program, roots);
  }
  ~Borrowed() {
    if (!entry_.plan) return;
    entry_.plan->clear_slots();
    if (entry_.revision == program_->revision) program_->plans->give_back(std::move(entry_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Plan& plan() const { return *entry_.plan; }

 private:
  Program* program_;
  PlanCache::Entry entry_;
};

// How many steps of plan come from ops up to `last`.
std::size_t steps_until(const Program& program, const Plan& plan, const Op* last) {
  std::size_t step = 0;
  const auto& steps = plan.main.steps;
  for (const auto& op : program.main.ops) {
    if (last == nullptr) break;
    if (step < steps.size() && steps[step].op == op.get()) ++step;
    if (op.get() == last) break;
  }
  return step;
}

void mark_reads(const Plan& plan, const Op& op, std::vector<bool>& read) {
  const auto mark = [&](const Value* value) {
    const std::uint32_t slot = value != nullptr ? plan.slot_of(*value) : Plan::kNone;
    if (slot != Plan::kNone) read[slot] = true;
  };
  for_each_use(op, mark);
  for (const auto& region : op.regions) {
    for (const auto& inner : region->ops) mark_reads(plan, *inner, read);
    for (const Value* value : region->yields) mark(value);
  }
}

// Worked out once for a plan. Read: by a step of the second half, or a gradient already.
const Plan::Halves& halves_of(const Program& program, Plan& plan, const Op* last,
                              std::span<Value* const> gradients) {
  if (plan.halves) return *plan.halves;
  auto made = std::make_unique<Plan::Halves>();
  made->first_step = steps_until(program, plan, last);
  made->read.resize(plan.slots.size());
  for (std::size_t i = made->first_step; i < plan.main.steps.size(); ++i) {
    mark_reads(plan, *plan.main.steps[i].op, made->read);
  }
  for (const Value* gradient : gradients) {
    if (gradient != nullptr) made->read[plan.slot_of(*gradient)] = true;
  }
  plan.halves = std::move(made);
  return *plan.halves;
}

// f(Tensor&) for each tensor in a slot, lists included. Lists are the slot's own then.
template <typename F>
void for_each_tensor(Slot& slot, F&& f) {
  if (slot.tensor.defined()) f(slot.tensor);
  if (!slot.list) return;
  for (Slot& item : slot.list->items) for_each_tensor(item, f);
}

// What was overwritten without being read: the write cuts its history.
bool is_zeros(const Value* gradient) {
  return gradient != nullptr && gradient->op != nullptr && gradient->op->def == &roles::kZeros;
}

// Along outputs: which others each may have been made of, in any of their versions; those inside of a
// branch or loop are not told apart.
std::vector<std::vector<std::size_t>> made_of_each_other(const Program& program,
                                                         const std::vector<Value*>& outputs,
                                                         const Function::Versions& versions) {
  std::vector<std::vector<std::size_t>> sources(outputs.size());
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Needed needed(program, std::span(&outputs[k], 1));
    const auto reads = [&needed](const Value* value) { return needed.value(*value); };
    const Op* op = outputs[k]->op;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool together = op != nullptr && !op->regions.empty() && outputs[i]->op == op;
      const bool earlier = i < versions.size() &&
                           std::any_of(versions[i].begin(), versions[i].end(), reads);
      if (i != k && (reads(outputs[i]) || together || earlier)) sources[k].push_back(i);
    }
  }
  return sources;
}

}  // namespace

// --- The node of one call: the run between its halves.

class FunctionNode final : public Node {
 public:
  using Asked = Function::Asked;
  FunctionNode(Ref<Function> function, const Function::Derivative& usual,
               const Function::Derivative& whole, std::uint64_t run)
      : Node(function->info_, nullptr, static_cast<std::uint32_t>(function->inputs_.size()),
             nullptr, static_cast<std::uint32_t>(function->outputs_.size())),
        function_(std::move(function)),
        derivative_(usual),
        whole_(whole),
        run_number_(run),
        own_edges_(num_edges_),
        own_slots_(num_slots_),
        borrowed_(std::make_unique<Borrowed>(*function_->program_, usual.roots)) {
    edges_ = own_edges_.data();
    slots_ = own_slots_.data();
  }

  // The first half. Answers the outputs, without a history yet.
  std::vector<Tensor> forward(TensorList inputs);

  void verify() const override {
    if (create_graph()) return inputs_.verify(*this);
    watched_.verify(*this);
  }
  void backward() override {
    expect_written_unasked();
    const Asked asked = asked_now();
    std::vector<Tensor> gradients = create_graph() || asked != derivative_.asked
                                        ? worked_out_anew(asked)
                                        : second_half();
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i].defined()) give(i, std::move(gradients[i]));
    }
  }
  // The engine counts what came for each output alone, though one may be made of another.
  void expect_whole(std::uint32_t output, bool written) const override {
    if (written && function_->written_by_[output] == Function::kNotWritten) return;
    for (std::size_t other = 0; other < num_slots_; ++other) {
      const auto& sources = function_->made_of_[other];
      if (std::find(sources.begin(), sources.end(), output) == sources.end()) continue;
      if (!written && !grad(other).defined()) continue;
      refuse_part(output, other);
    }
  }
  void written_by(std::uint32_t output, std::weak_ptr<Node* const> by) override {
    writers_[output] = std::move(by);
  }
  void release() noexcept override {
    inputs_.release();
    watched_.release();
    borrowed_ = nullptr;
  }

 protected:
  void dispose() noexcept override { delete this; }

 private:
  Plan& plan() const { return borrowed_->plan(); }
  [[noreturn]] void refuse_part(std::uint32_t output, std::size_t other) const {
    raise(ErrorKind::kUnimplemented, "[", op().name, "] the gradient of result ", output,
          " of the call is asked for, which is a part of result ", other,
          " of the same call: what comes through that is not known apart. Ask for gradients of "
          "the call's arguments, or let two functions make the two results");
  }
  void expect_written_unasked() const;
  Tensor output_of(std::size_t i, TensorList inputs, std::vector<Tensor>& outputs, bool read_later);
  void keep(TensorList inputs, const std::vector<Tensor>& outputs, const std::vector<bool>& read);
  Asked asked_now() const;
  std::vector<Tensor> worked_out_anew(const Asked& asked);
  std::vector<Tensor> second_half();

  Ref<Function> function_;
  const Function::Derivative& derivative_;  // of the outputs that were asked last time
  const Function::Derivative& whole_;       // of all
  const std::uint64_t run_number_;
  std::vector<Edge> own_edges_;
  std::vector<Tensor> own_slots_;
  std::unique_ptr<Borrowed> borrowed_;  // with what the second half reads in its slots
  SavedList watched_;                   // what of that others can write, too
  SavedList inputs_;                    // for worked_out_anew()
  std::map<std::uint32_t, std::weak_ptr<Node* const>> writers_;  // by output
};

// A tensor whose memory no input and no other output sees. Where backward reads it, too, its slot
// keeps a handle of its own on that memory, which is watched.
Tensor FunctionNode::output_of(std::size_t i, TensorList inputs, std::vector<Tensor>& outputs,
                               bool read_later) {
  Slot& slot = plan().slots[plan().slot_of(*function_->outputs_[i])];
  const Tensor value = slot.tensor;
  const Tensor* target = function_->input_written_by(i, inputs);
  if (target != nullptr && Function::is_untouched(value, *target)) return program::bare(value);
  const auto shares = [&](const Tensor& other) {
    return other.defined() && other.impl()->storage == value.impl()->storage;
  };
  const bool shared = std::any_of(inputs.begin(), inputs.end(), shares) ||
                      std::any_of(outputs.begin(), outputs.end(), shares);
  if (shared || !value.contiguous() || value.impl()->storage->nbytes != value.nbytes())
    return copied(value);
  return read_later ? program::bare(value) : value;
}

std::vector<Tensor> FunctionNode::forward(TensorList inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) fill(plan(), *function_->inputs_[i], inputs[i]);
  const auto& [first_step, read] =
      halves_of(*function_->program_, plan(), function_->last_, derivative_.gradients);
  run_steps(plan(), 0, first_step, run_number_);
  std::vector<Tensor> outputs;
  for (std::size_t i = 0; i < num_slots_; ++i) {
    outputs.push_back(output_of(i, inputs, outputs, read[plan().slot_of(*function_->outputs_[i])]));
  }
  for (const Value* output : function_->outputs_) {  // one value may be several outputs
    const std::uint32_t slot = plan().slot_of(*output);
    if (!read[slot]) plan().slots[slot].tensor = Tensor();
  }
  keep(inputs, outputs, read);
  return outputs;
}

void FunctionNode::keep(TensorList inputs, const std::vector<Tensor>& outputs,
                        const std::vector<bool>& read) {
  // Whose memory the user can write from now on, and what is going to be written by the call
  // itself.
  std::unordered_map<const Storage*, const Tensor*> users;
  std::unordered_set<const Storage*> written;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Storage* storage = inputs[i].impl()->storage;
    users.emplace(storage, &inputs[i]);
    if (function_->written_[i] || (storage->guard & Storage::kForeign) != 0)
      written.insert(storage);
  }
  for (const Tensor& output : outputs) users.emplace(output.impl()->storage, &output);
  std::vector<std::pair<const Tensor*, Tensor>> watched;
  for (std::size_t s = 0; s < read.size(); ++s) {
    if (!read[s]) continue;
    for_each_tensor(plan().slots[s], [&](Tensor& x) {
      const Storage* storage = x.impl()->storage;
      const auto user = users.find(storage);
      if (user == users.end()) return;
      if (written.contains(storage))
        x = copied(x);
      else
        watched.emplace_back(user->second, x);
    });
  }
  watched_.resize(watched.size());
  for (std::size_t k = 0; k < watched.size(); ++k)
    watched_[k].copied(*watched[k].first, watched[k].second);
  inputs_.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!whole_.reads[i]) continue;
    if (written.contains(inputs[i].impl()->storage))
      inputs_[i].copied(inputs[i], oploom::copied(inputs[i]));
    else
      inputs_[i].input(inputs[i]);
  }
}

// Of an argument that the call wrote: no gradient comes to its node for what another result was made
// of it.
void FunctionNode::expect_written_unasked() const {
  for (const auto& [output, writer] : writers_) {
    const auto node = writer.lock();
    if (!node || !is_asked_for(**node)) continue;
    for (std::size_t other = 0; other < num_slots_; ++other) {
      const auto& sources = function_->made_of_[other];
      const bool part = std::find(sources.begin(), sources.end(), output) != sources.end();
      if (part && grad(other).defined()) refuse_part(output, other);
    }
  }
}

FunctionNode::Asked FunctionNode::asked_now() const {
  Asked asked = function_->able_;
  for (std::size_t i = 0; i < num_slots_; ++i) asked[i] = asked[i] && grad(i).defined();
  return asked;
}

std::vector<Tensor> FunctionNode::worked_out_anew(const Asked& asked) {
  const Function::Derivative& derivative = function_->derivative(asked);
  Function& gradient_function = function_->gradient_function(asked);
  std::vector<Tensor> arguments = inputs_.get(*this);
  for (std::size_t i = 0; i < arguments.size(); ++i) {  // nobody reads it
    if (!arguments[i].defined())
      arguments[i] = oploom::roles::zeros({}, function_->inputs_[i]->type.dtype);
  }
  for (std::size_t i = 0; i < num_slots_; ++i) {
    if (asked[i]) arguments.push_back(grad(i));
  }
  const std::vector<Tensor> found = create_graph()
                                        ? gradient_function.call(arguments, run_number_)
                                        : gradient_function.evaluate(arguments, run_number_);
  std::vector<Tensor> gradients(num_edges_);
  std::size_t next = 0;
  for (std::size_t i = 0; i < num_edges_; ++i) {
    if (derivative.gradients[i] != nullptr) gradients[i] = found[next++];
  }
  if (!create_graph()) {
    freed_ = !retain_graph();
    const Adding adding(*function_->mutex_);
    function_->usual_ = &derivative;
  }
  return gradients;
}

std::vector<Tensor> FunctionNode::second_half() {
  const Reading reading(*function_->mutex_);
  std::vector<Slot>& slots = plan().slots;
  // For a further backward. Handles on what is kept also stop the run from overwriting it.
  struct Kept {
    Plan& plan;
    std::vector<Slot> slots;
    ~Kept() {
      plan.clear_slots();
      std::copy(slots.begin(), slots.end(), plan.slots.begin());
    }
  } const kept{plan(), retain_graph() ? slots : std::vector<Slot>()};
  freed_ = !retain_graph();  // whatever happens now
  for (std::size_t i = 0; i < num_slots_; ++i) {
    if (derivative_.seeds[i] != nullptr) fill(plan(), *derivative_.seeds[i], grad(i));
  }
  run_steps(plan(), plan().halves->first_step, plan().main.steps.size(), run_number_);
  std::vector<Tensor> gradients(num_edges_);
  for (std::size_t i = 0; i < num_edges_; ++i) {
    if (derivative_.gradients[i] == nullptr || !needs(i)) continue;
    gradients[i] = slots[plan().slot_of(*derivative_.gradients[i])].tensor;
  }
  return gradients;
}

// --- The function.

Function::Function(std::string name, std::shared_ptr<Program> program, std::vector<Value*> inputs,
                   std::vector<Value*> outputs, Versions versions)
    : name_(std::move(name)),
      gradient_name_(name_ + "_grad"),
      info_{name_.c_str(), gradient_name_.c_str()},
      program_(std::move(program)),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      versions_(std::move(versions)),
      written_(inputs_.size(), false),
      written_by_(outputs_.size(), kNotWritten) {
  for_each_op(program_->main,
              [this](const Op& op) { random_ |= (op.def->flags & OpDef::kRandom) != 0; });
  for (const Value* output : outputs_)
    able_.push_back(output->needs_grad && can_have_grad(output->type));
  if (!program_->main.ops.empty()) last_ = program_->main.ops.back().get();
}

bool Function::is_untouched(const Tensor& output, const Tensor& input) {
  return output.impl()->storage == input.impl()->storage && output.offset() == input.offset() &&
         output.strides() == input.strides();
}

const Tensor* Function::input_written_by(std::size_t output, TensorList inputs) const {
  return written_by_[output] == kNotWritten ? nullptr : &inputs[written_by_[output]];
}

const Function::Derivative& Function::derivative(const Asked& asked) {
  {
    const Reading reading(*mutex_);
    if (const auto known = derivatives_.find(asked); known != derivatives_.end()) return *known->second;
  }
  const Adding adding(*mutex_);
  if (made_of_.empty()) made_of_ = made_of_each_other(*program_, outputs_, versions_);
  if (const auto known = derivatives_.find(asked); known != derivatives_.end()) return *known->second;
  auto made = differentiated(asked);
  return *(derivatives_[asked] = std::move(made));
}

const Function::Derivative& Function::usual_derivative() {
  {
    const Reading reading(*mutex_);
    if (usual_ != nullptr) return *usual_;
  }
  return derivative(able_);
}

std::unique_ptr<Function::Derivative> Function::differentiated(const Asked& asked) {
  auto made = std::make_unique<Derivative>();
  made->asked = asked;
  std::vector<Value*> targets, seeds;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Value* seed = nullptr;
    if (asked[i]) {
      const auto number = program_->inputs.size();  // names are unique
      seed = program_->add_input(text(gradient_name_, ", result ", i, ", ", number), outputs_[i]->type, false);
      targets.push_back(outputs_[i]);
      seeds.push_back(seed);
    }
    made->seeds.push_back(seed);
  }
  Builder builder(*program_, program_->main);
  const Builder::Scope scope(builder);
  std::vector<Value*> sources;
  for (Value* input : inputs_) {
    if (input->needs_grad) sources.push_back(input);
  }
  const std::vector<Value*> found =
      targets.empty() ? std::vector<Value*>(sources.size()) : gradients(targets, sources, seeds);
  for (std::size_t i = 0, next = 0; i < inputs_.size(); ++i) {
    Value* gradient = inputs_[i]->needs_grad ? found[next++] : nullptr;
    made->gradients.push_back(written_[i] && is_zeros(gradient) ? nullptr : gradient);
  }
  std::vector<Value*> wanted;
  for (Value* gradient : made->gradients) {
    if (gradient != nullptr) wanted.push_back(gradient);
  }
  const Needed needed(*program_, wanted);
  for (const Value* input : inputs_) made->reads.push_back(needed.value(*input));
  made->roots = outputs_;
  made->roots.insert(made->roots.end(), wanted.begin(), wanted.end());
  return made;
}

Function& Function::gradient_function(const Asked& asked) {
  derivative(asked);
  const Adding adding(*mutex_);
  Derivative& made = *derivatives_[asked];
  if (made.function) return *made.function;
  std::vector<Value*> inputs = inputs_, outputs;
  for (Value* seed : made.seeds) {
    if (seed != nullptr) inputs.push_back(seed);
  }
  for (Value* gradient : made.gradients) {
    if (gradient != nullptr) outputs.push_back(gradient);
  }
  made.function = Ref<Function>::adopt(
      new Function(gradient_name_, program_, std::move(inputs), std::move(outputs)));
  made.function->mutex_ = mutex_;
  return *made.function;
}

// The gradient mode is that of recording: outputs tell. Backward without create_graph does not come
// here.
bool Function::is_recorded(TensorList inputs) const {
  const auto tells = [](const Value* output) { return output->needs_grad; };
  if (std::none_of(outputs_.begin(), outputs_.end(), tells)) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs_[i]->needs_grad && needs_grad(inputs[i])) return true;
  }
  return false;
}

std::vector<Tensor> Function::call(TensorList inputs, std::uint64_t run) {
  // Random ops draw by a number of the process's, which seed() sets back: no two calls share it,
  // nor does the run of a program, which are counted from 1.
  constexpr std::uint64_t kOfCalls = std::uint64_t{1} << 63;
  const std::uint64_t number = run != 0  ? run
                               : random_ ? kernels::reserve_draws(1).first | kOfCalls
                                         : ++program_->run_count;
  return is_recorded(inputs) ? record(inputs, number) : evaluate(inputs, number);
}

std::vector<Tensor> Function::evaluate(TensorList inputs, std::uint64_t run) {
  const NoGrad no_grad;
  const Reading reading(*mutex_);
  const Borrowed borrowed(*program_, outputs_);
  Plan& plan = borrowed.plan();
  for (std::size_t i = 0; i < inputs.size(); ++i) fill(plan, *inputs_[i], inputs[i]);
  run_steps(plan, 0, plan.main.steps.size(), run);
  std::vector<Tensor> outputs;
  for (const Value* value : outputs_) outputs.push_back(plan.slots[plan.slot_of(*value)].tensor);
  plan.clear_slots();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor& x = outputs[i];
    const Tensor* target = input_written_by(i, inputs);
    if (target != nullptr && is_untouched(x, *target)) continue;
    if (!x.contiguous() || !solely_held(x)) x = copied(x);
  }
  return outputs;
}

std::vector<Tensor> Function::record(TensorList inputs, std::uint64_t run) {
  const Derivative& made = usual_derivative();
  const Derivative& whole = derivative(able_);
  Ref<FunctionNode> node;
  std::vector<Tensor> outputs;
  {
    const Reading reading(*mutex_);
    node = Ref<FunctionNode>::adopt(new FunctionNode(Ref<Function>::share(this), made, whole, run));
    const NoGrad no_grad;
    outputs = node->forward(inputs);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (whole.gradients[i] != nullptr && needs_grad(inputs[i])) node->connect(i, inputs[i]);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (able_[i]) set_history(outputs[i], node, static_cast<std::uint32_t>(i));
  }
  return outputs;
}

}  // namespace oploom::program
