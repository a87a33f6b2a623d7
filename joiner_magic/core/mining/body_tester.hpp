// Tests bodies that grow one literal at a time.
#pragma once

#include "../bits.hpp"
#include "language.hpp"

namespace joiner::mining::JOINER_WIDTH {

// What a body covers: words for the positives, then words for the negatives.
using Coverage = std::vector<uint64_t>;

// What extensions of a body must be good for; a tester may stop as soon as one is not.
struct Goal {
    const std::vector<Bits>* required = nullptr;  // sets of positives, one of which must be covered; null: anything
    bool consistent = false;                      // only extensions that cover no negative are of use
};

class BodyTester {
  public:
    virtual ~BodyTester() = default;
    // Make ready to test extensions of a body, of which the coverage is known.
    virtual void load(const Body& body, const uint64_t* coverage, const Goal& goal) = 0;
    // Which positive examples the body with one more literal covers; false if not all are known because it
    // misses the goal.
    virtual bool test(const Literal& added, Coverage& coverage) = 0;
    // And which negative ones, of the literal tested last.
    virtual void complete(Coverage& coverage) = 0;
    // After that: whether the literal follows from the body, that is, holds under every binding that makes it true.
    virtual bool follows() const { return false; }
};

}  // namespace joiner::mining::JOINER_WIDTH
