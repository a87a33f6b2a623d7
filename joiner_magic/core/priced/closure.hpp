// All rules that a cheapest hypothesis may need.
#pragma once

#include <optional>

#include "../poll.hpp"
#include "priced_pieces.hpp"

namespace joiner {

// A set of rules that some cheapest hypothesis is a part of; nothing if there are more conjunctions than `most_kept`, or more
// work (as Poll counts it) than `most_work`. The smallest rules come first. Whole rules are among them if they can pay.
//
// With `proof`, duals that prove a bound (underpriced.hpp): only rules that earn at least their price less `slack` by them.
struct DualProof {
    Weights earning;  // what a positive is worth at most
    int64_t price, slack;
};
std::optional<std::vector<PricedRule>> closure(const PricedPieces& pieces, size_t most_kept, uint64_t most_work, Poll& poll,
                                               const DualProof* proof = nullptr);

}  // namespace joiner
