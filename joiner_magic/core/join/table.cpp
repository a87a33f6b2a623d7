// A small copy of the join problem for one search: the pieces that may occur, renumbered from the cheapest, without
// those that another one can replace.
#include "table.hpp"

#include <algorithm>
#include <numeric>

#include "front.hpp"

namespace joiner {
namespace {

// The members of `set` at these places, numbered by them.
Bits at(const Bits& set, const std::vector<uint32_t>& places) {
    Bits picked(words_for(places.size()));
    for (size_t i = 0; i < places.size(); ++i)
        if (has(set.data(), places[i])) insert(picked.data(), i);
    return picked;
}

// The values at these places, in this order.
template <class T>
std::vector<T> at(const std::vector<T>& values, const std::vector<uint32_t>& places) {
    std::vector<T> picked;
    for (const uint32_t place : places) picked.push_back(values[place]);
    return picked;
}

// Reduces the table to the pieces at these places. With fewer pieces more obligations may follow from others, so they
// are reduced as well.
void pick(Table& table, const std::vector<uint32_t>& places) {
    table.numbers = at<uint32_t>(table.numbers, places);
    table.costs = at<uint32_t>(table.costs, places);
    table.coverages = at<Bits>(table.coverages, places);
    for (Bits& row : table.owed) row = at(row, places);
    table.owed = minimal(std::move(table.owed));
    for (Demand& demand : table.demands) demand = {at(demand.bringing, places), at(demand.meeting, places)};
}

// By piece, what it is good for.
// A merit has the positives that the piece covers (if coverage counts), the obligations it meets, the demands it meets,
// and the demands it does not bring. More is better in each respect, so inclusion of merits means dominance.
std::vector<Bits> merits(const Table& table, bool with_coverage) {
    const size_t covered = with_coverage && table.size() ? table.coverages[0].size() : 0;
    const size_t rows = table.owed.size(), demands = table.demands.size();
    std::vector<Bits> merits(table.size(), Bits(covered + words_for(rows + 2 * demands)));
    for (size_t i = 0; i < table.size() && covered; ++i)
        std::copy(table.coverages[i].begin(), table.coverages[i].end(), merits[i].begin());
    const auto mark = [&](size_t piece, size_t place) { insert(merits[piece].data() + covered, place); };
    for (size_t row = 0; row < rows; ++row)
        for_each(table.owed[row].data(), table.words(), [&](size_t piece) { mark(piece, row); });
    for (size_t i = 0; i < demands; ++i)
        for (size_t piece = 0; piece < table.size(); ++piece) {
            if (has(table.demands[i].meeting.data(), piece)) mark(piece, rows + i);
            if (!has(table.demands[i].bringing.data(), piece)) mark(piece, rows + demands + i);
        }
    return merits;
}

// Those that no other one can replace, the cheapest first, and of equally cheap ones the best.
std::vector<uint32_t> undominated(const Table& table, bool with_coverage, Poll& poll) {
    const std::vector<Bits> merit = merits(table, with_coverage);
    std::vector<size_t> strength(table.size());
    for (size_t i = 0; i < table.size(); ++i) strength[i] = count_ones(merit[i].data(), merit[i].size());
    std::vector<uint32_t> order(table.size()), kept;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return table.costs[a] != table.costs[b] ? table.costs[a] < table.costs[b] : strength[a] > strength[b];
    });
    Front front(merit.empty() ? 0 : merit[0].size());
    for (const uint32_t piece : order) {
        poll.spend(front.size() / 8 + 64);
        if (front.add(table.costs[piece], merit[piece].data())) kept.push_back(piece);
    }
    return kept;
}

}  // namespace

// Pieces above the budget are left out. Dropping pieces and dropping obligations are repeated until neither changes
// anything, since each can make the other possible.
Table Table::of(Obligations& obligations, const Bits& among, uint64_t budget, Coverage coverage, Poll& poll) {
    Table table;
    for_each(among.data(), among.size(), [&](size_t piece) {
        if (obligations.cost(piece) > budget) return;
        const uint64_t* covers = obligations.coverage(piece);
        table.numbers.push_back(static_cast<uint32_t>(piece));
        table.costs.push_back(obligations.cost(piece));
        table.coverages.emplace_back(covers, covers + obligations.coverage_words());
    });
    for (const Bits& row : obligations.owed()) table.owed.push_back(at(row, table.numbers));
    table.owed = minimal(std::move(table.owed));
    for (const Demand& demand : obligations.demands())
        table.demands.push_back({at(demand.bringing, table.numbers), at(demand.meeting, table.numbers)});
    for (size_t before = table.size() + 1; table.size() < before;) {
        before = table.size();
        pick(table, undominated(table, coverage == Coverage::counts, poll));
    }
    return table;
}

}  // namespace joiner
