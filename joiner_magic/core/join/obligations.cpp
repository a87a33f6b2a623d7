// The obligations of conjunctions as bitsets over the pieces. Every part of the join asks this class which pieces meet
// what; pieces are added as the miner finds them.
#include "obligations.hpp"

#include <algorithm>

#include "front.hpp"

namespace joiner {

// In ascending order of size a set comes after each set that it could contain. Of equal sets the first number is kept.
std::vector<size_t> minimal(const std::vector<const Bits*>& sets) {
    std::vector<std::pair<size_t, size_t>> order;
    for (size_t i = 0; i < sets.size(); ++i) order.emplace_back(count_ones(sets[i]->data(), sets[i]->size()), i);
    std::sort(order.begin(), order.end());
    std::vector<size_t> kept;
    if (sets.size() < 512) {  // to compare them is quicker than to set up a front
        for (const auto& [count, number] : order) {
            const Bits& set = *sets[number];
            const auto within = [&](size_t smaller) { return inside(sets[smaller]->data(), set.data(), set.size()); };
            if (std::none_of(kept.begin(), kept.end(), within)) kept.push_back(number);
        }
        return kept;
    }
    // What contains another set lacks at most what that one lacks.
    Front lacking(sets[0]->size());
    Bits lacks;
    for (const auto& [count, number] : order) {
        lacks = *sets[number];
        for (uint64_t& word : lacks) word = ~word;
        if (lacking.add(0, lacks.data())) kept.push_back(number);
    }
    return kept;
}

// The sets that are left, in ascending order of size.
std::vector<Bits> minimal(std::vector<Bits> sets) {
    std::vector<const Bits*> all;
    for (const Bits& set : sets) all.push_back(&set);
    std::vector<Bits> kept;
    for (const size_t number : minimal(all)) kept.push_back(std::move(sets[number]));
    return kept;
}

// `required` are head variables; `demands` is the number of demands of the directions.
Obligations::Obligations(size_t positives, size_t negatives, const Bits& required, size_t demands)
    : covering_(positives), missing_(negatives), demands_(demands) {
    for_each(required.data(), required.size(), [&](size_t variable) { required_.push_back({variable, {}}); });
}

// Gives the piece the next number, and enters it in each set that it belongs to.
void Obligations::add(const Piece& piece) {
    const size_t number = size(), width = words_for(number + 1);
    const auto mark = [&](Bits& set, bool member) {
        set.resize(width);
        if (member) insert(set.data(), number);
    };
    mark(all_, true);
    for (size_t i = 0; i < covering_.size(); ++i) mark(covering_[i], has(piece.pos.data(), i));
    for (size_t i = 0; i < missing_.size(); ++i) mark(missing_[i], !has(piece.neg.data(), i));
    for (Required& required : required_) mark(required.meeting, has(piece.head.data(), required.variable));
    for (size_t i = 0; i < demands_.size(); ++i) {
        mark(demands_[i].bringing, has(piece.stuck.data(), i));
        mark(demands_[i].meeting, has(piece.progress.data(), i));
    }
    coverages_.insert(coverages_.end(), piece.pos.begin(), piece.pos.end());
    costs_.push_back(piece.cost);
}

// A piece that covers all of the examples is in the intersection of their columns.
Bits Obligations::covering_all(const uint64_t* examples) const {
    Bits among = all_;
    for_each(examples, coverage_words(), [&](size_t example) {
        const Bits& covering = covering_[example];
        for (size_t w = 0; w < among.size(); ++w) among[w] &= covering[w];
    });
    return among;
}

// Obligation 0 is "one piece at all", then come the negatives, then the required head variables.
const Bits& Obligations::meeting(size_t obligation) const {
    if (obligation == 0) return all_;
    if (obligation <= missing_.size()) return missing_[obligation - 1];
    return required_[obligation - 1 - missing_.size()].meeting;
}

// If all pieces that meet obligation A meet B too, then whoever meets A meets B, and B is left out. This is found anew
// when pieces were added.
void Obligations::find_owed() {
    if (owed_for_ == size()) return;
    std::vector<const Bits*> rows;
    for (size_t i = 0; i < obligations(); ++i) rows.push_back(&meeting(i));
    owed_numbers_ = minimal(rows);
    owed_.clear();
    for (const size_t number : owed_numbers_) owed_.push_back(meeting(number));
    owed_for_ = size();
    likely_ = 0;
}

const std::vector<Bits>& Obligations::owed() {
    find_owed();
    return owed_;
}

const std::vector<size_t>& Obligations::owed_numbers() {
    find_owed();
    return owed_numbers_;
}

// Pieces that are stuck under a demand which none of the pieces can meet are taken out. This may take away the progress
// that others rely on, so it is repeated. What is left is the largest set that keeps its demands, because only pieces
// that no legal subset can have are removed. It is legal if it meets the ordinary obligations. The obligation that
// failed the last time is tried first, as neighbouring questions tend to fail for the same reason.
bool Obligations::narrow(Bits& among) {
    bool changed = !demands_.empty();
    while (changed) {
        changed = false;
        for (const Demand& demand : demands_) {
            if (!meet(among.data(), demand.bringing.data(), among.size())) continue;
            if (meet(among.data(), demand.meeting.data(), among.size())) continue;
            for (size_t w = 0; w < among.size(); ++w) among[w] &= ~demand.bringing[w];
            changed = true;
        }
    }
    const std::vector<Bits>& rows = owed();
    const auto unmet = [&](const Bits& row) { return !meet(among.data(), row.data(), row.size()); };
    if (likely_ < rows.size() && unmet(rows[likely_])) return false;
    for (size_t i = 0; i < rows.size(); ++i)
        if (unmet(rows[i])) {
            likely_ = i;
            return false;
        }
    return true;
}

}  // namespace joiner
