// Maximal coverages by obligation, kept up to date as pieces are added.
#include "reach.hpp"

#include <algorithm>

namespace joiner {

bool inside_any(const uint64_t* set, const Reach::Row& row, size_t words) {
    for (const uint64_t* whole : row)
        if (inside(set, whole, words)) return true;
    return false;
}

// Goes through the pieces that were not looked at yet. Only obligations that do not follow from another one have a row.
// If work runs out, the rows keep what they have, and the next call continues there.
bool Reach::update(uint64_t most_work, Poll& poll) {
    const uint64_t end = poll.spent() + most_work;
    if (reduced_ == obligations_.size()) return true;
    for (const size_t number : obligations_.owed_numbers()) {
        Maximal& row = all_[number];
        const Bits& meeting = obligations_.meeting(number);
        for (; row.seen < obligations_.size(); ++row.seen) {
            if (poll.spent() > end) return false;
            if (has(meeting.data(), row.seen)) add(row, static_cast<uint32_t>(row.seen), poll);
        }
    }
    reduce(end, poll);
    return true;
}

// Keeps a row maximal: a piece inside another coverage is not added, and those inside the new one are removed.
void Reach::add(Maximal& row, uint32_t piece, Poll& poll) const {
    const size_t words = obligations_.coverage_words();
    const uint64_t* const coverage = obligations_.coverage(piece);
    poll.spend(row.pieces.size() / 2 + 1);
    const auto contains = [&](uint32_t other) { return inside(coverage, obligations_.coverage(other), words); };
    if (std::any_of(row.pieces.begin(), row.pieces.end(), contains)) return;
    poll.spend(row.pieces.size() * words);
    const auto is_inside = [&](uint32_t other) { return inside(obligations_.coverage(other), coverage, words); };
    row.pieces.erase(std::remove_if(row.pieces.begin(), row.pieces.end(), is_inside), row.pieces.end());
    row.pieces.push_back(piece);
}

// Makes the rows from the maximal pieces. A row is left out if each coverage of some kept row is inside one of its own:
// a set that meets the kept obligation meets this one too. Rows are compared while the work allows; a superfluous row
// does no harm.
void Reach::reduce(uint64_t end, Poll& poll) {
    const size_t words = obligations_.coverage_words();
    std::vector<Row> order;
    for (const size_t number : obligations_.owed_numbers()) {
        order.emplace_back();
        for (const uint32_t piece : all_[number].pieces) order.back().push_back(obligations_.coverage(piece));
    }
    std::stable_sort(order.begin(), order.end(), [](const Row& a, const Row& b) { return a.size() < b.size(); });
    rows_.clear();
    for (Row& row : order) {
        const auto implies = [&](const Row& other) {
            poll.spend(words);
            return std::all_of(other.begin(), other.end(), [&](const uint64_t* set) { return inside_any(set, row, words); });
        };
        if (poll.spent() > end || std::none_of(rows_.begin(), rows_.end(), implies)) rows_.push_back(std::move(row));
    }
    reduced_ = obligations_.size();
}

}  // namespace joiner
