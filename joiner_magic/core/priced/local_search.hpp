// Cheap hypotheses, by taking rules away and putting better ones in their place.
#pragma once

#include "best_rule.hpp"

namespace joiner {

// Rules, and what they cost together.
struct PricedHypothesis {
    std::vector<PricedRule> rules;
    int64_t cost = 0;
};

// What rules cost together.
int64_t cost_of(const PricedPieces& pieces, const std::vector<PricedRule>& rules);

// Looks for a cheaper hypothesis than the one that it begins with, for so many rounds or so much work (as Poll counts it). The
// same call gives the same answer.
PricedHypothesis cheaper_hypothesis(const PricedPieces& pieces, std::vector<PricedRule> begin, uint64_t rounds,
                                    uint64_t most_work, uint64_t seed, Poll& poll);

}  // namespace joiner
