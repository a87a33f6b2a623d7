// What conjunctions of any size can cover, obligation by obligation.
//
// What a conjunction covers is inside the coverage of the piece that meets an obligation, for each obligation. The
// other way around, a set that is inside such a coverage for each obligation is covered by those pieces together
// (directions are left out: with them conjunctions cover no more). So of the pieces that meet an obligation only
// the maximal coverages count, and those are few: where 1,500 pieces meet an obligation, often a dozen.
#pragma once

#include "obligations.hpp"
#include "poll.hpp"

namespace joiner {

class Reach {
  public:
    using Row = std::vector<Bits>;  // the maximal coverages of the pieces that meet an obligation

    explicit Reach(const Obligations& obligations) : obligations_(obligations), all_(obligations.obligations()) {}

    // Takes new pieces into account. False if that would take more than so much work; it can go on later.
    bool update(uint64_t most_work, Poll& poll);
    // Without obligations whose coverages contain all those of another one: what is inside one of that one's is
    // inside one of these. The fewest coverages first.
    const std::vector<Row>& rows() const { return rows_; }

  private:
    void add(Row& row, const uint64_t* coverage, Poll& poll) const;
    void reduce(Poll& poll);

    const Obligations& obligations_;
    std::vector<Row> all_;
    std::vector<Row> rows_;
    size_t pieces_ = 0;  // so many are in `all_`
    size_t reduced_ = ~size_t(0);  // so many were in `all_` when `rows_` was made
};

// Whether the set is inside one of these.
bool inside_any(const uint64_t* set, const Reach::Row& row, size_t words);

}  // namespace joiner
