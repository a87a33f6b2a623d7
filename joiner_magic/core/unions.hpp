// What sets of parts with a bounded price can cover together.
#pragma once

#include <optional>

#include "bits.hpp"
#include "poll.hpp"

namespace joiner {

struct PricedSet {
    uint32_t price;  // positive
    Bits set;
};

// The inclusion-maximal unions of parts that cost at most `budget` together; none if more than
// `most` unions have to be compared for one budget.
//
// They grow with the budget: a union of at most c literals is one of fewer, or a part on top of a union
// of what is left without it. Only maximal ones need to grow further, since what contains a union still
// contains it when both get the same part.
std::optional<std::vector<Bits>> maximal_unions(const std::vector<PricedSet>& parts, uint32_t budget, size_t words,
                                                size_t most, Poll& poll);

// Those sets that are inside no other one.
std::vector<Bits> maximal_sets(std::vector<Bits> sets, Poll& poll);

}  // namespace joiner
