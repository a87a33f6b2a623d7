// Set cover with prices: reductions of the problem (CoverTable), then branch and bound (CoverSearch). It chooses which
// of the parts that were found make the smallest hypothesis.
#include "cover.hpp"

#include <algorithm>
#include <numeric>

#include "../join/front.hpp"

namespace joiner {

namespace {

// The numbers from 0 to `count` - 1.
std::vector<uint32_t> numbered(size_t count) {
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

size_t size_of(const Bits& set) { return count_ones(set.data(), set.size()); }

// The members of a set in ascending order.
std::vector<uint32_t> members(const Bits& set) {
    std::vector<uint32_t> found;
    for_each(set.data(), set.size(), [&](size_t member) { found.push_back(static_cast<uint32_t>(member)); });
    return found;
}

// A front of merits keeps what is not inside another; of parts of an example, those count that contain no other.
Bits complement(const Bits& set, size_t count) {
    Bits rest(set.size());
    for (size_t i = 0; i < count; ++i)
        if (!has(set.data(), i)) insert(rest.data(), i);
    return rest;
}

}  // namespace

CoverTable::CoverTable(const CoverProblem& problem, Poll& poll) {
    drop_dominated(problem, poll);
    drop_implied(problem, poll);
    translate_forbidden(problem);
}

// Keeps the parts that no other part can replace. Parts in no forbidden set come first in the order and are the only
// ones in the front, since only they may take the place of another part: a part that is in a forbidden set might not be
// allowed together with the rest of a cover. Parts that cover nothing are dropped.
void CoverTable::drop_dominated(const CoverProblem& problem, Poll& poll) {
    std::vector<char> restricted(problem.prices.size());
    for (const auto& together : problem.forbidden)
        for (uint32_t number : together) restricted[number] = 1;
    std::vector<size_t> sizes(problem.prices.size());
    for (size_t i = 0; i < sizes.size(); ++i) sizes[i] = size_of(problem.coverages[i]);
    // A dominator covers more for no more, so it comes first in this order.
    std::vector<uint32_t> order = numbered(problem.prices.size());
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        if (restricted[a] != restricted[b]) return restricted[a] < restricted[b];
        if (problem.prices[a] != problem.prices[b]) return problem.prices[a] < problem.prices[b];
        return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
    });
    Front front(problem.target.size());
    for (uint32_t number : order) {
        poll.spend(front.size() / 8);
        const uint64_t* coverage = problem.coverages[number].data();
        if (!sizes[number]) continue;
        const bool kept = restricted[number] ? !front.dominates(problem.prices[number], coverage)
                                             : front.add(problem.prices[number], coverage);
        if (kept) numbers.push_back(number);
    }
    // The numbers are sorted again, so that the result does not depend on the order of the comparison.
    std::sort(numbers.begin(), numbers.end());
    for (uint32_t number : numbers) prices.push_back(problem.prices[number]);
}

// Keeps the examples that are hardest to cover. If the parts of example A are among the parts of example B, each part
// that covers A covers B, so B needs no row of its own. Rows are compared from the fewest parts on, so that the row
// that implies others is met before them. The complement turns "contains another row" into "is inside another merit",
// which is what a front answers.
void CoverTable::drop_implied(const CoverProblem& problem, Poll& poll) {
    const size_t words = words_for(numbers.size());
    std::vector<Bits> columns(problem.target.size() * 64, Bits(words));
    for (size_t place = 0; place < numbers.size(); ++place)
        for (uint32_t example : members(problem.coverages[numbers[place]])) insert(columns[example].data(), place);
    std::vector<std::pair<size_t, Bits>> rows;
    for (uint32_t example : members(problem.target))
        rows.emplace_back(size_of(columns[example]), std::move(columns[example]));
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    Front front(words);
    for (size_t i = 0; i < rows.size(); ++i) {
        poll.spend(front.size() / 8 + numbers.size());
        if (front.add(0, complement(rows[i].second, numbers.size()).data())) covering.push_back(members(rows[i].second));
    }
}

// Forbidden sets in the numbers of the table. A set with a part that was dropped can no longer be chosen as a whole, so
// it is left out.
void CoverTable::translate_forbidden(const CoverProblem& problem) {
    for (const auto& together : problem.forbidden) {
        std::vector<uint32_t> places;
        for (uint32_t number : together) {
            const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
            if (at != numbers.end() && *at == number) places.push_back(static_cast<uint32_t>(at - numbers.begin()));
        }
        if (places.size() == together.size()) forbidden.push_back(std::move(places));
    }
}

// Searches the whole tree; the best cover that was found is in `best_`. See the class comment for the method.
bool CoverSearch::run() {
    const size_t examples = table_.covering.size();
    covers_.assign(table_.prices.size(), Bits(words_for(examples)));
    for (size_t example = 0; example < examples; ++example)
        for (uint32_t place : table_.covering[example]) insert(covers_[place].data(), example);
    Bits open(words_for(examples)), available(is_chosen_.size());
    for (size_t example = 0; example < examples; ++example) insert(open.data(), example);
    for (size_t place = 0; place < table_.prices.size(); ++place) insert(available.data(), place);
    branch(open, std::move(available), 0);
    return !gave_up_;
}

// Covers of the open examples by available parts, on top of what is chosen and paid for. `available` is a copy, as
// parts are taken out of it: those whose bound is over the limit here, and those whose branch has been searched. The
// limit falls with each cover that is found, so it is compared again before each branch.
void CoverSearch::branch(const Bits& open, Bits available, Price paid) {
    if (!any(open.data(), open.size())) {
        if (paid < limit_) {
            limit_ = paid;
            best_ = chosen_;
            found_ = true;
        }
        return;
    }
    const Branches branches = bound(open, available, paid);
    for (size_t place = 0; place < branches.least.size(); ++place)
        if (branches.least[place] >= limit_) erase(available.data(), place);
    for (uint32_t place : branches.places) {
        if (gave_up_) return;
        erase(available.data(), place);
        if (branches.least[place] >= limit_ || is_forbidden(place)) continue;
        chosen_.push_back(place);
        insert(is_chosen_.data(), place);
        branch(without(open, place), available, paid + table_.prices[place]);
        erase(is_chosen_.data(), place);
        chosen_.pop_back();
    }
}

// The dual bound at a node, and the parts to branch on. `rest` is what each part has left of its price after the shares
// of the examples so far. An example without an available part has the share `no_limit`, which ends the branch. The
// price of a part is at least the shares of its examples and its rest. A cover pays for each open example's share
// through some part, so a cover with a given part costs at least all shares and the rest of that part.
CoverSearch::Branches CoverSearch::bound(const Bits& open, const Bits& available, Price paid) {
    std::vector<Price> rest = table_.prices;
    Price shares = 0;
    Branches branches;
    size_t fewest = std::numeric_limits<size_t>::max();
    std::vector<uint32_t> parts;
    if (!spend(rest.size())) return {};
    for (uint32_t example : members(open)) {
        parts.clear();
        Price share = no_limit;
        for (uint32_t place : table_.covering[example])
            if (has(available.data(), place)) {
                parts.push_back(place);
                share = std::min(share, rest[place]);
            }
        if (!spend(table_.covering[example].size()) || paid + shares + share >= limit_) return {};
        shares += share;
        for (uint32_t place : parts) rest[place] -= share;
        if (parts.size() < fewest) {
            fewest = parts.size();
            branches.places = parts;
        }
    }
    // From here on `rest` is the bound of a cover with each part, no longer what the part has left.
    for (Price& left : rest) left += paid + shares;
    std::sort(branches.places.begin(), branches.places.end(), [&](uint32_t a, uint32_t b) {
        return rest[a] != rest[b] ? rest[a] < rest[b] : a < b;
    });
    branches.least = std::move(rest);
    return branches;
}

// Whether choosing the part would complete a forbidden set.
bool CoverSearch::is_forbidden(uint32_t place) const {
    for (const auto& together : table_.forbidden)
        if (std::find(together.begin(), together.end(), place) != together.end() &&
            std::all_of(together.begin(), together.end(),
                        [&](uint32_t other) { return other == place || has(is_chosen_.data(), other); }))
            return true;
    return false;
}

// The open examples that the part does not cover.
Bits CoverSearch::without(const Bits& open, uint32_t place) const {
    Bits rest = open;
    for (size_t i = 0; i < rest.size(); ++i) rest[i] &= ~covers_[place][i];
    return rest;
}

// False when there is no work left.
// Counts work against the limit of this search and against the poll, which may throw.
bool CoverSearch::spend(uint64_t work) {
    if (work > left_) {
        gave_up_ = true;
        return false;
    }
    left_ -= work;
    poll_.spend(work);
    return true;
}

}  // namespace joiner
