#include "bit_tester.hpp"

#include <algorithm>

#include "../bits.hpp"

namespace joiner::mining {

BitTester::BitTester(const Language& language, Worlds& worlds)
    : language_(language), worlds_(worlds), positive_words_(static_cast<uint32_t>(words_for(worlds.examples().positives))),
      words_(positive_words_ + static_cast<uint32_t>(words_for(worlds.examples().negatives))), stack_(most_variables + 1) {}

// Each thread keeps what it has found once: the worlds are asked under a lock.
const Table& BitTester::table(const Literal& literal, Variables bound, bool reversed) {
    const Table*& known = tables_[worlds_.table_key(literal, bound, reversed)];
    if (!known) known = &worlds_.table(literal, bound, reversed);
    return *known;
}

const Contexts& BitTester::contexts(Variables mask) {
    const Contexts*& known = contexts_[mask];
    if (!known) known = &worlds_.contexts(mask);
    return *known;
}

const uint32_t* BitTester::narrowing(Variables mask, Variables part) {
    const uint32_t*& known = narrowings_[uint64_t(mask) << 32 | part];
    if (!known) known = worlds_.narrowing(mask, part).data();
    return known;
}

void BitTester::load(const Body& body, const uint64_t* coverage) {
    disconnect();
    literals_.clear();
    variables_ = shared_ = 0;
    Variables head = 0;
    for (uint32_t i = 0; i < body.length; ++i) {
        literals_.push_back(language_.literal(body.codes[i]));
        Variables here = literals_.back().variables();
        head |= here & language_.head_variables();
        // A sort with one value only: its variables tell nothing, wherever they occur.
        for (uint32_t a = 0; a < literals_.back().arity; ++a)
            if (worlds_.sort(worlds_.sort_of(literals_.back().predicate, a)).size < 2) here &= ~(Variables(1) << literals_.back().args[a]);
        shared_ |= variables_ & here & ~language_.head_variables();
        variables_ |= here & ~language_.head_variables();
    }
    mask_ = worlds_.widened(head);
    parents_ = &contexts(mask_);
    covered_.clear();
    is_covered_.assign(parents_->count, 0);
    const uint32_t positives = worlds_.examples().positives;
    for (uint32_t c = 0; c < parents_->count; ++c) {
        const uint32_t example = parents_->members[parents_->starts[c]];
        const bool covered = example < positives ? has(coverage, example) : has(coverage + positive_words_, example - positives);
        if (!covered) continue;
        is_covered_[c] = 1;
        covered_.push_back(c);
    }
    graph_count_ = 0;
}

// The graph over the variables that several literals share, and those that an extension takes up.
BitTester::Graph& BitTester::graph_over(Variables variables) {
    const auto known = std::find_if(graphs_.begin(), graphs_.begin() + graph_count_,
                                    [&](const Graph& graph) { return graph.variables == (shared_ | variables); });
    if (known != graphs_.begin() + graph_count_) return *known;
    const Graph* const part = (variables & ~shared_) ? &graph_over(0) : nullptr;
    if (graphs_.size() == graph_count_) graphs_.emplace_back();
    Graph& graph = graphs_[graph_count_++];
    lay_out(graph, shared_ | variables);
    find_cuts(graph);
    graph.part = part;
    graph.completed = false;
    graph.supports.assign(size_t(parents_->count) * graph.block, 0);
    find_supports(graph, 0, parents_->positive);
    return graph;
}

void BitTester::complete(Graph& graph) {
    if (graph.completed) return;
    if (graph.part) complete(*const_cast<Graph*>(graph.part));
    find_supports(graph, parents_->positive, parents_->count);
    graph.completed = true;
}

template <class Visit>
void BitTester::for_covered(uint32_t first, uint32_t last, Visit visit) const {
    const auto from = std::lower_bound(covered_.begin(), covered_.end(), first);
    for (auto context = from; context != covered_.end() && *context < last; ++context) visit(*context);
}

void BitTester::lay_out(Graph& graph, Variables variables) {
    graph.variables = variables;
    graph.block = 0;
    graph.full.clear();
    graph.edges.clear();
    for (const Literal& literal : literals_)
        for (uint32_t a = 0; a < literal.arity; ++a) {
            const uint32_t variable = literal.args[a];
            if (!(variables >> variable & 1)) continue;
            graph.widths[variable] = worlds_.sort_of(literal.predicate, a);  // its sort, until all are known
        }
    for (Variables left = variables; left; left &= left - 1) {
        const uint32_t variable = lowest_one(left);
        const Sort& sort = worlds_.sort(graph.widths[variable]);
        graph.single[variable].clear();
        graph.offsets[variable] = graph.block;
        graph.widths[variable] = sort.words;
        graph.block += sort.words;
        for (uint32_t w = 0; w < sort.words; ++w) {
            const uint32_t bits = sort.size > 64 * w ? std::min(64u, sort.size - 64 * w) : 0;
            graph.full.push_back(bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1);
        }
    }
    for (const Literal& literal : literals_) connect(graph, literal, variables, false);
}

void BitTester::connect(Graph& graph, const Literal& literal, Variables bound, bool added) {
    Edge edge;
    for (uint32_t a = 0; a < literal.arity; ++a)
        if (bound >> literal.args[a] & 1) edge.variables[edge.count++] = literal.args[a];
    if (!edge.count) return;
    const bool reversed = edge.count == 2 && edge.variables[0] > edge.variables[1];
    if (reversed) std::swap(edge.variables[0], edge.variables[1]);
    const Table& table = this->table(literal, bound, reversed);
    const Table* const other = edge.count == 2 ? &this->table(literal, bound, !reversed) : nullptr;
    const Facts facts{&table, other, added ? nullptr : narrowing(mask_, table.mask)};
    if (edge.count == 1) {
        graph.single[edge.variables[0]].push_back(facts);
        return;
    }
    if (edge.count == 2)
        for (Edge& known : graph.edges)
            if (known.count == 2 && known.variables[0] == edge.variables[0] && known.variables[1] == edge.variables[1]) {
                known.facts.push_back(facts);
                return;
            }
    edge.facts.push_back(facts);
    graph.edges.push_back(std::move(edge));
}

// Take the added literal out of the graph again.
void BitTester::disconnect() {
    if (!connected_) return;
    connected_ = false;
    if (graph_->edges.size() != edges_before_) graph_->edges.pop_back();
    else
        for (Edge& edge : graph_->edges)
            if (!edge.facts.back().narrowing) edge.facts.pop_back();
    find_cuts(*graph_);
}

// A variable on a cycle among those that are not assigned; -1 if there is no cycle.
int BitTester::cutting(const Graph& graph, Variables assigned) const {
    std::array<uint8_t, most_variables> root;
    for (uint32_t v = 0; v < most_variables; ++v) root[v] = static_cast<uint8_t>(v);
    const auto find = [&](uint32_t v) {
        while (root[v] != v) v = root[v];
        return v;
    };
    for (const Edge& edge : graph.edges) {
        int first = -1;
        for (uint32_t i = 0; i < edge.count; ++i) {
            if (assigned >> edge.variables[i] & 1) continue;
            const uint32_t here = find(edge.variables[i]);
            if (first < 0) first = static_cast<int>(here);
            else if (here == static_cast<uint32_t>(first)) return edge.variables[i];
            else root[here] = static_cast<uint8_t>(first);
        }
    }
    return -1;
}

void BitTester::find_cuts(Graph& graph) const {
    graph.cuts.clear();
    if (graph.edges.size() < 2) return;
    Variables assigned = 0;
    for (int variable; (variable = cutting(graph, assigned)) >= 0; assigned |= Variables(1) << variable)
        graph.cuts.push_back(static_cast<uint32_t>(variable));
}

void BitTester::find_supports(Graph& graph, uint32_t first, uint32_t last) {
    Domains& domains = stack_[0];
    const Graph* const part = graph.part;
    for_covered(first, last, [&](uint32_t context) {
        domains = graph.full;
        for (Variables left = graph.variables; left; left &= left - 1) {
            const uint32_t variable = lowest_one(left);
            uint64_t* const domain = domains.data() + graph.offsets[variable];
            const uint32_t words = graph.widths[variable];
            if (part && (part->variables >> variable & 1)) {
                std::copy_n(part->support(context) + part->offsets[variable], words, domain);
                continue;
            }
            for (const Facts& facts : graph.single[variable]) {
                const uint64_t* const block = facts.table->block(place(facts, context));
                for (uint32_t w = 0; w < words; ++w) domain[w] &= block[w];
            }
        }
        decide(graph, context, domains, 0, true);
    });
}

bool BitTester::revise_pair(const Graph& graph, const Edge& edge, uint32_t context, Domains& domains, bool& changed) {
    const uint32_t one = edge.variables[0], other = edge.variables[1];
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

bool BitTester::revise(const Graph& graph, const Edge& edge, uint32_t context, Domains& domains, bool& changed) {
    if (edge.count == 2) return revise_pair(graph, edge, context, domains, changed);
    const auto domain = [&](uint32_t i) { return domains.data() + graph.offsets[edge.variables[i]]; };
    uint32_t narrowest = 0;
    size_t fewest = ~size_t(0);
    for (uint32_t i = 0; i < edge.count; ++i) {
        const size_t values = count_ones(domain(i), graph.widths[edge.variables[i]]);
        if (values < fewest) fewest = values, narrowest = i;
    }
    const Table::Grouped& grouped = edge.facts[0].table->grouped[narrowest];
    const size_t at = size_t(place(edge.facts[0], context)) * grouped.size;
    reached_.assign(domains.size(), 0);
    bool any = false;
    const auto look = [&](size_t value) {
        for (uint32_t row = grouped.starts[at + value]; row < grouped.starts[at + value + 1]; ++row) {
            const uint32_t* const numbers = grouped.rows.data() + size_t(row) * edge.count;
            bool inside = true;
            for (uint32_t i = 0; i < edge.count && inside; ++i) inside = has(domain(i), numbers[i]);
            if (!inside) continue;
            any = true;
            for (uint32_t i = 0; i < edge.count; ++i) insert(reached_.data() + graph.offsets[edge.variables[i]], numbers[i]);
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

bool BitTester::propagate(const Graph& graph, uint32_t context, Domains& domains) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Edge& edge : graph.edges)
            if (!revise(graph, edge, context, domains, changed)) return false;
        if (graph.edges.size() < 2) break;  // a single edge is consistent after one look
    }
    return true;
}

bool BitTester::decide(Graph& graph, uint32_t context, Domains& domains, size_t depth, bool all) {
    if (!propagate(graph, context, domains)) return false;
    if (depth == graph.cuts.size()) {
        for (Variables left = graph.variables; left; left &= left - 1) {
            const uint32_t variable = lowest_one(left);
            if (!any(domains.data() + graph.offsets[variable], graph.widths[variable])) return false;
        }
        uint64_t* const support = graph.supports.data() + size_t(context) * graph.block;
        for (uint32_t w = 0; all && w < graph.block; ++w) support[w] |= domains[w];
        return true;
    }
    bool found = false;
    const uint32_t variable = graph.cuts[depth];
    const uint32_t first = graph.offsets[variable];
    Domains& chosen = stack_[depth + 1];
    for (uint32_t w = first; w < first + graph.widths[variable]; ++w)
        for (uint64_t left = domains[w]; left; left &= left - 1) {
            chosen = domains;
            std::fill_n(chosen.begin() + first, graph.widths[variable], 0);
            chosen[w] = left & (~left + 1);
            if (!decide(graph, context, chosen, depth + 1, all)) continue;
            found = true;
            if (!all) return true;
        }
    return found;
}

// Whether the body with the added literal, which has several of its variables, holds.
bool BitTester::holds(Graph& graph, uint32_t context) {
    Domains& domains = stack_[0];
    domains.assign(graph.support(context), graph.support(context) + graph.block);
    if (!closes_) {
        // The edge was there before, in a graph without cycles: any binding of it extends to all.
        bool changed = false;
        for (Edge& edge : graph.edges)
            if (!edge.facts.back().narrowing) {
                follows_ = follows_ && holds_throughout(graph, edge, context);
                return revise(graph, edge, context, domains, changed);
            }
    }
    follows_ = false;
    return decide(graph, context, domains, 0, false);
}

// Whether the added literal, the last of the edge, holds for all values that the others allow.
bool BitTester::holds_throughout(const Graph& graph, const Edge& edge, uint32_t context) const {
    if (edge.count != 2) return false;
    const uint32_t from = edge.variables[0], to = edge.variables[1];
    const uint64_t* const a = graph.support(context) + graph.offsets[from];
    const uint64_t* const b = graph.support(context) + graph.offsets[to];
    for (uint32_t w = 0; w < graph.widths[from]; ++w)
        for (uint64_t left = a[w]; left; left &= left - 1) {
            const uint32_t value = 64 * w + lowest_one(left);
            for (uint32_t x = 0; x < graph.widths[to]; ++x) {
                uint64_t allowed = b[x];
                for (size_t i = 0; i + 1 < edge.facts.size(); ++i)
                    allowed &= edge.facts[i].table->block(place(edge.facts[i], context), value)[x];
                if (allowed & ~edge.facts.back().table->block(added_context_, value)[x]) return false;
            }
        }
    return true;
}

bool BitTester::covers(uint32_t context) {
    added_context_ = to_table_[context];
    if (joined_ > 1) return holds(*graph_, to_parent_[context]);
    const uint64_t* const block = table_->block(added_context_);
    if (!joined_) return block[0] != 0;
    const uint64_t* const support = graph_->support(to_parent_[context]) + offset_;
    if (follows_) follows_ = inside(support, block, table_->words);
    return meet(support, block, table_->words);
}

bool BitTester::test(const Literal& added, Coverage& coverage) {
    disconnect();
    const Variables joined = added.variables() & variables_;
    joined_ = count_ones(joined);
    graph_ = joined ? &graph_over(joined) : nullptr;
    table_ = &table(added, joined);
    const Variables mask = worlds_.widened(mask_ | (added.variables() & language_.head_variables()));
    contexts_here_ = &contexts(mask);
    same_contexts_ = mask == mask_;
    to_parent_ = narrowing(mask, mask_);
    to_table_ = narrowing(mask, table_->mask);
    if (joined_ > 1) {
        edges_before_ = graph_->edges.size();
        connect(*graph_, added, joined, true);
        connected_ = true;
        find_cuts(*graph_);
        closes_ = graph_->edges.size() != edges_before_ || !graph_->cuts.empty();
    }
    offset_ = joined_ == 1 ? graph_->offsets[lowest_one(joined)] : 0;
    follows_ = joined_ > 0;
    coverage.assign(words_, 0);
    take(0, contexts_here_->positive, coverage);
    return any(coverage.data(), positive_words_);
}

void BitTester::complete(Coverage& coverage) {
    if (graph_ && !graph_->completed) {
        // Supports are those of the body alone.
        const Variables variables = graph_->variables;
        std::vector<Edge> edges;
        std::vector<uint32_t> cuts;
        const bool was_connected = connected_;
        if (was_connected) {
            edges = graph_->edges;
            cuts = graph_->cuts;
            disconnect();
        }
        complete(graph_over(variables));
        if (was_connected) {
            graph_->edges = std::move(edges);
            graph_->cuts = std::move(cuts);
            connected_ = true;
        }
    }
    take(contexts_here_->positive, contexts_here_->count, coverage);
}

// Test the contexts in this range, and note the examples that they stand for.
void BitTester::take(uint32_t first, uint32_t last, Coverage& coverage) {
    const Contexts& contexts = *contexts_here_;
    const uint32_t positives = worlds_.examples().positives;
    const auto visit = [&](uint32_t context) {
        if (!covers(context)) return;
        for (uint32_t i = contexts.starts[context]; i < contexts.starts[context + 1]; ++i) {
            const uint32_t example = contexts.members[i];
            if (example < positives) insert(coverage.data(), example);
            else insert(coverage.data() + positive_words_, example - positives);
        }
    };
    if (same_contexts_) return for_covered(first, last, visit);
    for (uint32_t context = first; context < last; ++context)
        if (is_covered_[to_parent_[context]]) visit(context);
}

}  // namespace joiner::mining
