// All rules that a cheapest hypothesis may need.
#pragma once

#include <optional>

#include "../poll.hpp"
#include "priced_pieces.hpp"

namespace joiner {

// A set of rules that some cheapest hypothesis is a part of; nothing if there are more conjunctions than `most_kept`, or more
// work (as Poll counts it) than `most_work`. The smallest rules come first. Whole rules are among them if they can pay.
std::optional<std::vector<PricedRule>> closure(const PricedPieces& pieces, size_t most_kept, uint64_t most_work, Poll& poll);

}  // namespace joiner
