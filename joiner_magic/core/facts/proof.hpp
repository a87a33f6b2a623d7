// Derivations: how a program comes to a ground atom.
#pragma once

#include <optional>
#include <vector>

#include "tabling.hpp"

namespace joiner {

struct ProofStep {
    uint32_t rule;
    std::vector<TermId> values;                     // of the rule's variables; no_term where unbound
    std::vector<std::optional<size_t>> premises;    // for each literal the step that proves it; none: a fact
};

// The derivation of an atom of the program's target, premises before what they support, or nothing
// when it does not follow within the machine's budget.
std::vector<ProofStep> derive(const Program& program, Machine& machine, const TermBank& bank,
                              const std::vector<TermId>& row);

}  // namespace joiner
