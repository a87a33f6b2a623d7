// The rule that is worth most, by depth-first search over conjunctions.
#pragma once

#include <optional>

#include "../poll.hpp"
#include "priced_pieces.hpp"

namespace joiner {

// What a rule is worth: it earns `earning` for each positive of `wanted` that it covers, and pays its size and `paying` for
// each negative of `unwanted` that it covers.
struct Market {
    Bits wanted, unwanted;
    const Weights& earning;
    const Weights& paying;
};

struct BestRule {
    std::optional<PricedRule> rule;  // none if none is worth more than what was asked for
    int64_t worth = 0;
    bool is_best = true;  // whether the search came to its end
};

// A rule that is worth the most, if that is more than `above`. At most so many conjunctions are looked at. With `seed`, a
// positive, only rules that cover it are considered.
BestRule best_rule(const PricedPieces& pieces, const Market& market, int64_t above, uint64_t most_nodes, Poll& poll,
                   std::optional<size_t> seed = std::nullopt);

}  // namespace joiner
