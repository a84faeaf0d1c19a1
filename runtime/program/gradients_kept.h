#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/program/differentiation.h"

// Gradient rules read forward values wherever those are. In the gradient of a branch or loop they stand in another
// region than what they read; these classes bring the values there, once each, after the region was filled:
// whatever no op of it reads is never kept.
namespace oploom::program {

class Bridge {
 public:
  // from: a region of the forward op; made: the gradient's region, filled, its regions included.
  Bridge(Differentiation& differentiation, Op& forward, Region& from, Region& made);
  virtual ~Bridge() = default;
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  // Lets made read what can be seen in it only.
  void rewire();

 protected:
  // A value that made can read, equal to `value` of from.
  virtual Value* bring(Value* value) = 0;
  // Values of from that bring would find, not make.
  virtual std::vector<Value*> kept() const = 0;

  Differentiation& differentiation_;
  Op& forward_;
  Region& from_;
  Region& made_;
  Region front_;  // what will be put before the ops of made

 private:
  Value* resolve(Value* value);
  void rewire(Region& region);
  bool reads_shapes_of_from(const Op& op) const;
  Op& moved(std::unique_ptr<Op> op);
  Op& copied_constant(const Op& op);

  std::unordered_map<Value*, Value*> resolved_;
  std::vector<std::unique_ptr<Value>> gone_;  // of moved ops: kept so that no new value gets their address
  std::unordered_map<const Value*, std::vector<Op*>> shape_ops_;  // of kept(), by what they read
};

// A branch: a further result, undefined in the other branch.
class BranchBridge : public Bridge {
 public:
  BranchBridge(Differentiation& differentiation, Op& forward, std::size_t branch, Region& made);

 protected:
  Value* bring(Value* value) override;
  std::vector<Value*> kept() const override;

 private:
  std::size_t branch_;
  std::unordered_map<Value*, std::size_t> yielded_;
};

// The body of a loop: a list that each trip pushes to; the gradient's trips pop from it in reverse.
class LoopBridge : public Bridge {
 public:
  LoopBridge(Differentiation& differentiation, Op& forward, Region& made);

  // What the gradient's loop carries for the lists, after its own variables. made has the arguments already.
  const std::vector<Value*>& inits() const { return inits_; }
  const std::vector<Value*>& yields() const { return yields_; }
  // The number of trips of the forward loop.
  Value* trips();

 protected:
  Value* bring(Value* value) override;
  std::vector<Value*> kept() const override;

 private:
  void expect_room(const Type& type) const;
  std::size_t pushed(Value* value);
  // A further variable of the forward loop, its yield still to be set.
  std::size_t carry(std::unique_ptr<Op> init, bool needs_grad);

  std::unordered_map<Value*, std::size_t> lists_;  // by what is pushed: which variable
  std::vector<Value*> inits_;
  std::vector<Value*> yields_;
};

}  // namespace oploom::program
