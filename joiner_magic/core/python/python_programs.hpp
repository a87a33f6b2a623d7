// Programs of joiner_magic.logic.programs, made ready for evaluation.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <vector>

#include "../facts/facts.hpp"
#include "../facts/plan.hpp"

namespace joiner {

// Raises KeyError for a predicate that neither the program nor the facts know, ValueError and
// TypeError for what is no program.
class Compiler {
  public:
    explicit Compiler(FactBase& facts) : facts_(facts) {}
    // `target` is the predicate that will be asked for.
    Program compile(nanobind::handle source, std::string_view target, uint32_t arity);
    // Numbers are variables, anything else is a ground term; `variables` grows to cover them.
    std::vector<Arg> arguments(nanobind::handle args, uint32_t& variables);

  private:
    Arg argument(nanobind::handle arg, uint32_t& variables);
    void body(Program& program, Rule& rule, nanobind::handle literals);
    Relation& known(std::string_view name, uint32_t arity);

    FactBase& facts_;
};

}  // namespace joiner
