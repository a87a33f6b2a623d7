// Arc consistency over blocks of bits, and the search where it is not enough.
// The domains of a context have a set of values for each variable of the graph. Revising an edge removes values that
// occur in none of its facts together with values of the other domains. In a forest, domains that no edge can reduce
// any more have a binding for each value. Otherwise values are tried for the variables that cut the cycles.
#include <algorithm>

#include "../bits.hpp"
#include "bit_tester.hpp"

namespace joiner::mining::JOINER_WIDTH {

// Two variables that have at most 64 values each: most edges are like this.
// `added` is a further literal over the same variables, or null. False if no pair of values is left. Both domains are
// reduced in one pass: a value is kept if its row meets the other domain, and what the rows reach is the other domain.
bool BitTester::revise_words(const Edge& edge, const Facts* added, uint32_t context, uint64_t& one, uint64_t& other,
                             bool& changed) const {
    const bool back = (other & (other - 1)) == 0;  // a single value: from there it is one look
    const auto rows_of = [&](const Facts& facts) {
        return (back ? facts.reversed : facts.table)->block(place(facts, context));
    };
    std::array<const uint64_t*, most_literals + 1> rows;
    size_t count = 0;
    for (const Facts& facts : edge.facts) rows[count++] = rows_of(facts);
    if (added) rows[count++] = rows_of(*added);
    uint64_t& from = back ? other : one;
    uint64_t& to = back ? one : other;
    uint64_t kept = 0, reached = 0;
    for (uint64_t left = from; left; left &= left - 1) {
        const uint32_t value = lowest_one(left);
        uint64_t row = rows[0][value] & to;
        for (size_t i = 1; i < count; ++i) row &= rows[i][value];
        reached |= row;
        kept |= row ? left & (~left + 1) : 0;
    }
    changed = changed || kept != from || reached != to;
    from = kept;
    to = reached;
    return reached != 0;
}

// The same for domains of any width. The rows of all literals of the edge are intersected, word by word.
bool BitTester::revise_pair(const Graph& graph, const Edge& edge, const Facts* added, uint32_t context,
                            Domains& domains, bool& changed) {
    const uint32_t one = edge.variables[0], other = edge.variables[1];
    if (graph.widths[one] == 1 && graph.widths[other] == 1)
        return revise_words(edge, added, context, domains[graph.offsets[one]], domains[graph.offsets[other]], changed);
    // From the variable with fewer values left.
    const bool back = count_ones(domains.data() + graph.offsets[other], graph.widths[other]) <
                      count_ones(domains.data() + graph.offsets[one], graph.widths[one]);
    const uint32_t from = back ? other : one, to = back ? one : other;
    uint64_t* const a = domains.data() + graph.offsets[from];
    uint64_t* const b = domains.data() + graph.offsets[to];
    const uint32_t words = graph.widths[to];
    const auto table = [&](const Facts& facts) { return back ? facts.reversed : facts.table; };
    const uint64_t* const rows = table(edge.facts[0])->block(place(edge.facts[0], context));
    reached_.assign(words, 0);
    for (uint32_t w = 0; w < graph.widths[from]; ++w)
        for (uint64_t left = a[w]; left; left &= left - 1) {
            const uint32_t value = 64 * w + lowest_one(left);
            const uint64_t* const row = rows + size_t(value) * words;
            uint64_t any = 0;
            for (uint32_t x = 0; x < words; ++x) {
                uint64_t word = row[x] & b[x];
                for (size_t i = 1; word && i < edge.facts.size(); ++i)
                    word &= table(edge.facts[i])->block(place(edge.facts[i], context), value)[x];
                if (word && added) word &= table(*added)->block(added_context_, value)[x];
                any |= word;
                reached_[x] |= word;
            }
            if (!any) {
                a[w] &= ~(left & (~left + 1));
                changed = true;
            }
        }
    uint64_t any = 0;
    for (uint32_t x = 0; x < words; ++x) {
        changed = changed || b[x] != reached_[x];
        b[x] = reached_[x];
        any |= reached_[x];
    }
    return any != 0;
}

// The same for three variables with at most 64 values each, over the table of words. `at` is where the rows of the
// context begin; `next` and `after` are the domains of the variables that follow in cyclic order.
bool BitTester::revise_words(const Table::Grouped& grouped, size_t at, uint64_t& one, uint64_t& next, uint64_t& after,
                             bool& changed) {
    uint64_t kept = 0, kept_next = 0, kept_after = 0;
    for (uint64_t left = one; left; left &= left - 1) {
        const uint64_t* const rows = grouped.words.data() + (at + lowest_one(left)) * grouped.next_size;
        uint64_t any = 0;
        for (uint64_t then = next; then; then &= then - 1) {
            const uint64_t row = rows[lowest_one(then)] & after;
            any |= row;
            kept_next |= row ? then & (~then + 1) : 0;
        }
        kept_after |= any;
        kept |= any ? left & (~left + 1) : 0;
    }
    changed = changed || kept != one || kept_next != next || kept_after != after;
    one = kept;
    next = kept_next;
    after = kept_after;
    return kept != 0;
}

// Revises any edge. Beyond two variables the rows are looked up by the variable with the fewest values left; each row
// that lies inside all domains keeps its values.
bool BitTester::revise(const Graph& graph, const Edge& edge, uint32_t context, Domains& domains, bool& changed) {
    if (edge.count == 2) return revise_pair(graph, edge, nullptr, context, domains, changed);
    const auto domain = [&](uint32_t i) { return domains.data() + graph.offsets[edge.variables[i]]; };
    uint32_t narrowest = 0;
    size_t fewest = ~size_t(0);
    for (uint32_t i = 0; i < edge.count; ++i) {
        const size_t values = count_ones(domain(i), graph.widths[edge.variables[i]]);
        if (values < fewest) fewest = values, narrowest = i;
    }
    const Table::Grouped& grouped = edge.facts[0].table->grouped[narrowest];
    const size_t at = size_t(place(edge.facts[0], context)) * grouped.size;
    if (!grouped.words.empty())
        return revise_words(grouped, at, *domain(narrowest), *domain((narrowest + 1) % 3), *domain((narrowest + 2) % 3),
                            changed);
    reached_.assign(domains.size(), 0);
    bool any = false;
    const auto look = [&](size_t value) {
        for (uint32_t row = grouped.starts[at + value]; row < grouped.starts[at + value + 1]; ++row) {
            const uint32_t* const numbers = grouped.rows.data() + size_t(row) * edge.count;
            bool inside = true;
            for (uint32_t i = 0; i < edge.count && inside; ++i) inside = has(domain(i), numbers[i]);
            if (!inside) continue;
            any = true;
            for (uint32_t i = 0; i < edge.count; ++i)
                insert(reached_.data() + graph.offsets[edge.variables[i]], numbers[i]);
        }
    };
    for_each(domain(narrowest), graph.widths[edge.variables[narrowest]], look);
    for (uint32_t i = 0; i < edge.count; ++i) {
        const uint32_t first = graph.offsets[edge.variables[i]];
        for (uint32_t w = first; w < first + graph.widths[edge.variables[i]]; ++w) {
            changed = changed || domains[w] != reached_[w];
            domains[w] = reached_[w];
        }
    }
    return any;
}

// Revises all edges until nothing changes; false if a domain becomes empty. With `extended` the added literal takes
// part: as an edge of its own, or together with the edge that it doubles.
bool BitTester::propagate(const Graph& graph, uint32_t context, Domains& domains, bool extended) {
    const size_t count = graph.edges.size() + (extended && !doubled_ ? 1 : 0);
    for (bool changed = true; changed;) {
        changed = false;
        if (extended && !doubled_ && !revise(graph, added_, context, domains, changed)) return false;
        for (const Edge& edge : graph.edges) {
            const bool doubled = extended && &edge == doubled_;
            const bool possible = doubled ? revise_pair(graph, edge, &added_.facts[0], context, domains, changed)
                                          : revise(graph, edge, context, domains, changed);
            if (!possible) return false;
        }
        if (count < 2) break;  // a single edge is consistent after one look
    }
    return true;
}

// `depth` is how many of the cut variables have a value. Each of their values is tried on a copy of the domains. When
// all have one, the rest is a forest, and consistent domains are exact: they are added to the supports, or, with
// `extended`, one success is the answer.
bool BitTester::decide(Graph& graph, uint32_t context, Domains& domains, size_t depth, bool extended) {
    if (!propagate(graph, context, domains, extended)) return false;
    const std::vector<uint32_t>& cuts = extended ? extended_cuts_ : graph.cuts;
    if (depth == cuts.size()) {
        for (Variables left = graph.variables; left; left &= left - 1) {
            const uint32_t variable = lowest_one(left);
            if (!any(domains.data() + graph.offsets[variable], graph.widths[variable])) return false;
        }
        uint64_t* const support = graph.supports.data() + size_t(context) * graph.block;
        for (uint32_t w = 0; !extended && w < graph.block; ++w) support[w] |= domains[w];
        return true;
    }
    bool found = false;
    const uint32_t variable = cuts[depth];
    const uint32_t first = graph.offsets[variable];
    Domains& chosen = stack_[depth + 1];
    for (uint32_t w = first; w < first + graph.widths[variable]; ++w)
        for (uint64_t left = domains[w]; left; left &= left - 1) {
            chosen = domains;
            std::fill_n(chosen.begin() + first, graph.widths[variable], 0);
            chosen[w] = left & (~left + 1);
            if (!decide(graph, context, chosen, depth + 1, extended)) continue;
            found = true;
            if (extended) return true;
        }
    return found;
}

}  // namespace joiner::mining::JOINER_WIDTH
