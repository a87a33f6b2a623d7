// A cheapest legal conjunction of given pieces: a greedy one first, then a search for cheaper ones.
#include "smallest.hpp"

#include <algorithm>
#include <limits>

#include "hitting_sets.hpp"

namespace joiner {
namespace {

using Chosen = std::vector<uint32_t>;  // pieces of the table

// What the chosen pieces cost together.
uint64_t cost_of(const Table& table, const Chosen& chosen) {
    uint64_t cost = 0;
    for (const uint32_t piece : chosen) cost += table.costs[piece];
    return cost;
}

// Whether one of the chosen pieces is in the set.
bool any_of(const Bits& set, const Chosen& chosen) {
    return std::any_of(chosen.begin(), chosen.end(), [&](uint32_t piece) { return has(set.data(), piece); });
}

// Whether the chosen pieces meet all obligations, and each demand that one of them brings.
bool is_legal(const Table& table, const Chosen& chosen) {
    for (const Bits& row : table.owed)
        if (!any_of(row, chosen)) return false;
    for (const Demand& demand : table.demands)
        if (any_of(demand.bringing, chosen) && !any_of(demand.meeting, chosen)) return false;
    return true;
}

// Again and again the piece that meets the most of what is owed for its price, then without those that
// turned out not to be needed.
class Greedy {
  public:
    Greedy(const Table& table, Poll& poll) : table_(table), poll_(poll) {}

    // A demand becomes owed when a piece brings it and none that was chosen meets it.
    Chosen chosen() {
        std::vector<const Bits*> owed;
        for (const Bits& row : table_.owed) owed.push_back(&row);
        Chosen chosen;
        while (!owed.empty()) {
            chosen.push_back(best(owed));
            owed.erase(std::remove_if(owed.begin(), owed.end(), [&](const Bits* row) { return has(row->data(), chosen.back()); }),
                       owed.end());
            for (const Demand& demand : table_.demands)
                if (has(demand.bringing.data(), chosen.back()) && !any_of(demand.meeting, chosen)) owed.push_back(&demand.meeting);
        }
        return needed(chosen);
    }

  private:
    // The piece with the best ratio of obligations met to cost. The ratios are compared by multiplying across, without
    // division.
    uint32_t best(const std::vector<const Bits*>& owed) {
        std::vector<uint32_t> meets(table_.size());
        for (const Bits* row : owed) for_each(row->data(), row->size(), [&](size_t piece) { ++meets[piece]; });
        poll_.spend(owed.size() * table_.size());
        uint32_t best = 0;
        for (uint32_t piece = 1; piece < table_.size(); ++piece)
            if (uint64_t(meets[piece]) * table_.costs[best] > uint64_t(meets[best]) * table_.costs[piece]) best = piece;
        return best;
    }

    // Drops pieces that are not needed, the dearest first.
    // Again, as a piece may have been kept for the demands of a later one.
    Chosen needed(Chosen chosen) {
        std::sort(chosen.rbegin(), chosen.rend());  // the dearest first
        for (size_t before = chosen.size() + 1; chosen.size() < before;) {
            before = chosen.size();
            for (size_t i = 0; i < chosen.size();) {
                Chosen without = chosen;
                without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
                if (!without.empty() && is_legal(table_, without)) chosen = std::move(without);
                else ++i;
            }
        }
        return chosen;
    }

    const Table& table_;
    Poll& poll_;
};

// The hitting set search without coverage, in which each find lowers the budget below its own cost. The last one that
// is found is the cheapest.
class Cheaper : public HittingSets {
  public:
    struct TooHard {};

    Cheaper(const Table& table, uint64_t most, Poll& poll) : HittingSets(table, 0, poll), end_(poll.spent() + most) {}

    Chosen best;

  private:
    // Every set of pieces may be useful here. The question is used to see whether the work is used up.
    bool is_useful(const uint64_t*) override {
        if (poll_.spent() > end_) throw TooHard{};
        return true;
    }
    uint64_t found(const Chosen& chosen, uint64_t cost, const uint64_t*) override {
        best = chosen;
        return cost - 1;
    }

    uint64_t end_;
};

}  // namespace

// `among` is a legal conjunction, so the greedy choice always succeeds. The search then looks for something cheaper,
// and gives up when its work is used up; the best so far is legal in any case.
std::vector<uint32_t> smallest(Obligations& obligations, const Bits& among, uint64_t most, Poll& poll) {
    const Table table = Table::of(
        obligations, among, std::numeric_limits<uint64_t>::max(), Table::Coverage::is_of_no_interest, poll);
    Chosen best = Greedy(table, poll).chosen();
    Cheaper search(table, most, poll);
    try {
        search.search(cost_of(table, best) - 1);
    } catch (const Cheaper::TooHard&) {
    }
    if (!search.best.empty()) best = search.best;
    for (uint32_t& piece : best) piece = table.numbers[piece];
    std::sort(best.begin(), best.end());
    return best;
}

}  // namespace joiner
