// The conjunctions of some pieces within a budget, as a small hitting set problem.
#pragma once

#include "obligations.hpp"
#include "../poll.hpp"

namespace joiner {

// Pieces are numbered anew, from the cheapest. Left out are pieces that another one can replace in every
// conjunction of these: one that costs no more, meets the same of the obligations that are left, is no worse for
// the directions, and, where coverage counts, covers as much. Then more obligations may be met whenever another
// one is, and so on.
struct Table {
    // Coverage counts where conjunctions are looked for that cover something; not where any smallest one will do.
    enum class Coverage { counts, is_of_no_interest };

    static Table of(Obligations& obligations, const Bits& among, uint64_t budget, Coverage coverage, Poll& poll);

    size_t size() const { return numbers.size(); }
    size_t words() const { return words_for(size()); }

    std::vector<uint32_t> numbers, costs;
    std::vector<Bits> coverages;  // by piece
    std::vector<Bits> owed;       // by obligation: the pieces that meet it
    std::vector<Demand> demands;
};

}  // namespace joiner
