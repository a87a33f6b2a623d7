// Sums of weights over sets.
#pragma once

#include <array>

#include "../bits.hpp"

namespace joiner {

// A weight for each member that a set may have, and the sum of the weights of a set's members.
// Where all weights are the same, members are counted. Otherwise sums of eight members each are looked up in a table.
class Weights {
  public:
    explicit Weights(const std::vector<int64_t>& weights);

    int64_t sum(const uint64_t* set) const;
    // The sum over the members of `one` that `other` has too, and over those that it lacks.
    int64_t sum_of_both(const uint64_t* one, const uint64_t* other) const;
    int64_t sum_without(const uint64_t* one, const uint64_t* other) const;
    size_t words() const { return words_; }

  private:
    using OfByte = std::array<int64_t, 256>;

    int64_t of_word(size_t word, uint64_t members) const;

    size_t words_;
    bool alike_ = true;
    int64_t each_ = 0;          // where all are alike
    std::vector<OfByte> sums_;  // otherwise, by byte of the set
};

}  // namespace joiner
