// Which examples does a program cover?
#pragma once

#include <optional>
#include <vector>

#include "evaluate.hpp"
#include "tabling.hpp"

namespace joiner {

// Clear the bits of examples that the rule does not cover; bits that are already clear stay so.
void keep_covered(Machine& machine, const Rule& rule, const Plan& plan, ExampleSet& examples, Bits& bits);

// A program made ready to be tested on sets of examples. Rules over facts alone are planned once and
// tested on all examples together; programs that call what they define are tabled, and the tables
// serve all examples.
class Tester {
  public:
    Tester(const Program& program, Machine& machine, const TermBank& bank);
    Bits covered(ExampleSet& examples);

  private:
    Bits covered_by_rules(ExampleSet& examples);
    Bits covered_by_tables(ExampleSet& examples);

    const Program& program_;
    Machine& machine_;
    std::optional<Tabling> tabling_;
    std::vector<Plan> plans_;  // for each rule of the target, unless it is tabled
};

}  // namespace joiner
