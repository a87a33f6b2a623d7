// Rules that a linear program over some of the rules should have.
//
// The program (solvers/cheapest_rules.py) has a row for each cut, with a dual. By the duals a rule *earns*
//
//     sum of dual * max(0, whole - weight of the negatives of the cut that it covers)    over the cuts whose positive it covers.
//
// If no rule at all earns more than `price` for each unit of its size, the duals divided by that price are a proof about all
// rules, and not only about those of the program. A rule that earns more is underpriced, and the program should have it.
#pragma once

#include <utility>

#include "../poll.hpp"
#include "priced_pieces.hpp"

namespace joiner {

struct Cut {
    uint32_t positive;
    int64_t dual;
    std::vector<std::pair<uint32_t, int64_t>> weights;  // of negatives
};

struct Cuts {
    std::vector<Cut> each;
    int64_t whole;  // what stands for 1 in the weights
};

struct Underpriced {
    std::vector<PricedRule> rules;  // some of them, those first that earn most beyond their price; none if there are none
    bool is_complete = true;        // whether the search came to its end
};

// At most so many rules, by at most so much work (as Poll counts it).
Underpriced underpriced_rules(const PricedPieces& pieces, const Cuts& cuts, int64_t price, size_t most_rules,
                              uint64_t most_work, Poll& poll);

}  // namespace joiner
