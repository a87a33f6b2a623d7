// What conjunctions of any size can cover, obligation by obligation.
//
// What a conjunction covers is inside the coverage of the piece that meets an obligation, for each obligation. The
// other way around, a set that is inside such a coverage for each obligation is covered by those pieces together
// (directions are left out: with them conjunctions cover no more). So of the pieces that meet an obligation only
// the maximal coverages count, and those are few: where 1,500 pieces meet an obligation, often a dozen.
#pragma once

#include "obligations.hpp"
#include "../poll.hpp"

namespace joiner {

// Keeps the maximal coverages of each obligation up to date while pieces are added.
class Reach {
  public:
    // The maximal coverages of the pieces that meet an obligation. They are the pieces' own: valid until one is added.
    using Row = std::vector<const uint64_t*>;

    explicit Reach(Obligations& obligations) : obligations_(obligations), all_(obligations.obligations()) {}

    // Takes new pieces into account. False if that would take more than so much work; it can go on later.
    bool update(uint64_t most_work, Poll& poll);
    // Without obligations whose coverages contain all those of another one: what is inside one of that one's is
    // inside one of these. (Some may be left, where there are many.) The fewest coverages first.
    const std::vector<Row>& rows() const { return rows_; }

  private:
    struct Maximal {
        std::vector<uint32_t> pieces;
        size_t seen = 0;  // so many pieces were looked at
    };

    void add(Maximal& row, uint32_t piece, Poll& poll) const;
    void reduce(uint64_t end, Poll& poll);

    Obligations& obligations_;
    std::vector<Maximal> all_;  // by obligation, up to date for those that do not follow from another
    std::vector<Row> rows_;
    size_t reduced_ = ~size_t(0);  // so many pieces there were when `rows_` was made
};

// Whether the set is inside one of these.
bool inside_any(const uint64_t* set, const Reach::Row& row, size_t words);

}  // namespace joiner
