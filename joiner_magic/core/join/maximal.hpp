// All conjunctions within a size bound that cover something new.
#pragma once

#include "front.hpp"
#include "table.hpp"

namespace joiner {

// A legal conjunction without negatives: its pieces by number, the positives it covers, its size with the head.
struct Conjunction {
    std::vector<uint32_t> pieces;
    Bits pos;
    uint64_t size;
};

// Appends to `found` conjunctions of at most this size (the head is one literal, the pieces add their cost) that
// cover all of `including`. Their coverages are all the subset-maximal ones that are not inside one of the known
// coverages of at most this size, and some more. What was found when `poll` ends the search is right.
void find_maximal(Obligations& obligations, const Front& known, uint64_t bound, const Bits& including, Poll& poll,
                  std::vector<Conjunction>& found);

// Without those that cover no more than another one that is no larger.
std::vector<Conjunction> outermost(std::vector<Conjunction> conjunctions);

}  // namespace joiner
