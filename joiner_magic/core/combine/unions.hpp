// What sets of parts with a bounded price can cover together.
#pragma once

#include "../bits.hpp"
#include "../poll.hpp"

namespace joiner {

// The inclusion-maximal unions of parts, by budget.
//
// They grow with the budget: a union of at most c literals is one of fewer, or a part on top of a union
// of what is left without it. Only maximal ones need to grow further, since what contains a union still
// contains it when both get the same part.
class Unions {
  public:
    // Gives up on budgets for which more than `most` unions have to be compared.
    Unions(size_t words, size_t most) : words_(words), most_(most), within_{{Bits(words)}} {}
    // Before the first question; prices are positive.
    void add(uint32_t price, Bits coverage);

    // Those of parts that cost at most this together; nothing if they are given up.
    const std::vector<Bits>* within(uint32_t budget, Poll& poll);

  private:
    void grow(Poll& poll);

    size_t words_, most_;
    bool given_up_ = false;
    std::vector<std::vector<Bits>> parts_;   // by price
    std::vector<std::vector<Bits>> within_;  // by budget
};

}  // namespace joiner
