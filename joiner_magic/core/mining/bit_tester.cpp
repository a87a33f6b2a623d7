// Tests extensions of a body over bits. The header explains supports and graphs. This file loads bodies, builds graphs
// and tests literals; consistency.cpp decides single contexts.
#include "bit_tester.hpp"

#include <algorithm>

#include "../bits.hpp"

namespace joiner::mining::JOINER_WIDTH {

BitTester::BitTester(const Language& language, Worlds& worlds)
    : language_(language),
      worlds_(worlds),
      positive_words_(static_cast<uint32_t>(words_for(worlds.examples().positives))),
      words_(positive_words_ + static_cast<uint32_t>(words_for(worlds.examples().negatives))),
      stack_(most_variables + 1) {}

// Each thread keeps what it has found once: the worlds are asked under a lock.
const Table& BitTester::table(const Literal& literal, Variables bound, bool reversed) {
    const Table*& known = tables_[worlds_.table_key(literal, bound, reversed)];
    if (!known) known = &worlds_.table(literal, bound, reversed);
    return *known;
}

// The same for contexts and narrowings: after the first question no lock is needed.
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

// Collects the variables of the body, the contexts that it covers, and the required sets that it can still cover. A
// context is covered if its first example is, because all examples of a context agree on all variables that the body
// mentions. Graphs are built when an extension needs them.
void BitTester::load(const Body& body, const uint64_t* coverage, const Goal& goal) {
    literals_.clear();
    variables_ = shared_ = 0;
    Variables head = 0;
    for (uint32_t i = 0; i < body.length; ++i) {
        const Literal literal = language_.literal(body.codes[i]);
        Variables here = literal.variables();
        head |= here & language_.head_variables();
        here &= ~language_.head_variables();
        // A sort with one value only, in all worlds the same: its variables tell nothing, wherever they occur.
        for (uint32_t a = 0; a < literal.arity; ++a) {
            const Sort& sort = worlds_.sort(worlds_.sort_of(literal.predicate, a));
            if (sort.size < 2 && !sort.local) here &= ~(Variables(1) << literal.args[a]);
        }
        shared_ |= variables_ & here;
        variables_ |= here;
        literals_.push_back(literal);
    }
    mask_ = worlds_.widened(head);
    parents_ = &contexts(mask_);
    covered_.clear();
    is_covered_.assign(parents_->count, 0);
    const uint32_t positives = worlds_.examples().positives;
    for (uint32_t c = 0; c < parents_->count; ++c) {
        const uint32_t example = parents_->members[parents_->starts[c]];
        const bool covered =
            example < positives ? has(coverage, example) : has(coverage + positive_words_, example - positives);
        if (!covered) continue;
        is_covered_[c] = 1;
        covered_.push_back(c);
    }
    consistent_ = goal.consistent;
    has_goal_ = goal.required != nullptr;
    required_.clear();
    for (size_t i = 0; has_goal_ && i < goal.required->size(); ++i)
        if (inside((*goal.required)[i].data(), coverage, positive_words_)) required_.push_back(&(*goal.required)[i]);
    graph_count_ = 0;
}

// The graph over the variables that several literals share, and those that an extension takes up.
BitTester::Graph& BitTester::graph_over(Variables variables) {
    const auto known = std::find_if(graphs_.begin(), graphs_.begin() + graph_count_,
                                    [&](const Graph& graph) { return graph.variables == (shared_ | variables); });
    if (known != graphs_.begin() + graph_count_) return *known;
    // The supports over the shared variables are a start for those with more variables, and are found only once.
    Graph* const part = (variables & ~shared_) ? &graph_over(0) : nullptr;
    if (graphs_.size() == graph_count_) graphs_.emplace_back();
    Graph& graph = graphs_[graph_count_++];
    lay_out(graph, shared_ | variables);
    find_cuts(graph, nullptr, graph.cuts);
    graph.part = part;
    graph.supports.resize(size_t(parents_->count) * graph.block);
    graph.is_known.assign(parents_->count, 0);
    return graph;
}

// Gives each variable a block within the domains of a context, and sorts the literals by the number of these variables
// that they have: none, one, or more. Literals without any hold in every context that the body covers.
void BitTester::lay_out(Graph& graph, Variables variables) {
    graph.variables = variables;
    graph.block = 0;
    graph.full.clear();
    graph.edges.clear();
    for (const Literal& literal : literals_)
        for (uint32_t a = 0; a < literal.arity; ++a)
            if (variables >> literal.args[a] & 1) graph.widths[literal.args[a]] = worlds_.sort_of(literal.predicate, a);
    for (Variables left = variables; left; left &= left - 1) {
        const uint32_t variable = lowest_one(left);
        const Sort& sort = worlds_.sort(graph.widths[variable]);  // until here its sort stood for its width
        graph.single[variable].clear();
        graph.offsets[variable] = graph.block;
        graph.widths[variable] = sort.words;
        graph.block += sort.words;
        for (uint32_t w = 0; w < sort.words; ++w) {
            const uint32_t bits = sort.size > 64 * w ? std::min(64u, sort.size - 64 * w) : 0;
            graph.full.push_back(bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1);
        }
    }
    for (const Literal& literal : literals_) {
        Edge edge = this->edge(literal, variables, false);
        if (edge.count == 1) graph.single[edge.variables[0]].push_back(edge.facts[0]);
        else if (Edge* const known = same_pair(graph, edge)) known->facts.push_back(edge.facts[0]);
        else if (edge.count) graph.edges.push_back(std::move(edge));
    }
}

// The literal as an edge over the variables in `bound`. Pairs are put in ascending order, so that two literals over the
// same variables are found to be the same edge. An edge of the added literal has contexts of its own.
BitTester::Edge BitTester::edge(const Literal& literal, Variables bound, bool added) {
    Edge edge;
    for (uint32_t a = 0; a < literal.arity; ++a)
        if (bound >> literal.args[a] & 1) edge.variables[edge.count++] = literal.args[a];
    if (!edge.count) return edge;
    const bool reversed = edge.count == 2 && edge.variables[0] > edge.variables[1];
    if (reversed) std::swap(edge.variables[0], edge.variables[1]);
    const Table& table = this->table(literal, bound, reversed);
    const Table* const other = edge.count == 2 ? &this->table(literal, bound, !reversed) : nullptr;
    edge.facts.push_back({&table, other, added ? nullptr : narrowing(mask_, table.mask)});
    return edge;
}

// The edge of the graph over the same two variables, if there is one.
BitTester::Edge* BitTester::same_pair(Graph& graph, const Edge& edge) {
    if (edge.count != 2) return nullptr;
    for (Edge& known : graph.edges)
        if (known.count == 2 && known.variables[0] == edge.variables[0] && known.variables[1] == edge.variables[1])
            return &known;
    return nullptr;
}

// Variables that cut all cycles when they have a value, found one by one: an edge that meets itself names the next.
// A union-find structure shows cycles: if two variables of an edge are connected already, the edge closes one. The
// variable then counts as assigned, which takes it out of all edges, and the search for cycles starts again. After the
// loop the edges over unassigned variables form a forest. Edges over more than two variables count as hyperedges.
void BitTester::find_cuts(const Graph& graph, const Edge* added, std::vector<uint32_t>& cuts) const {
    cuts.clear();
    if (graph.edges.size() + (added ? 1 : 0) < 2) return;
    Variables assigned = 0;
    for (bool cyclic = true; cyclic;) {
        cyclic = false;
        std::array<uint8_t, most_variables> root;
        for (uint32_t v = 0; v < most_variables; ++v) root[v] = static_cast<uint8_t>(v);
        const auto find = [&](uint32_t v) {
            while (root[v] != v) v = root[v];
            return v;
        };
        for (size_t e = 0; e <= graph.edges.size() && !cyclic; ++e) {
            if (e == graph.edges.size() && !added) break;
            const Edge& edge = e == graph.edges.size() ? *added : graph.edges[e];
            int first = -1;
            for (uint32_t i = 0; i < edge.count && !cyclic; ++i) {
                if (assigned >> edge.variables[i] & 1) continue;
                const uint32_t here = find(edge.variables[i]);
                if (first < 0) first = static_cast<int>(here);
                else if (here != static_cast<uint32_t>(first)) root[here] = static_cast<uint8_t>(first);
                else {
                    cyclic = true;
                    cuts.push_back(edge.variables[i]);
                    assigned |= Variables(1) << edge.variables[i];
                }
            }
        }
    }
}

// The supports of all variables of the graph in a context that the body covers.
const uint64_t* BitTester::supports(Graph& graph, uint32_t context) {
    if (!graph.is_known[context]) find_supports(graph, context);
    return graph.supports.data() + size_t(context) * graph.block;
}

// The domains start from the supports of the smaller graph, or from the literals over one variable, and are then
// reduced to what is in some binding. Domains of the smaller graph are already free of what its literals forbid.
void BitTester::find_supports(Graph& graph, uint32_t context) {
    const uint64_t* const part = graph.part ? supports(*graph.part, context) : nullptr;
    graph.is_known[context] = 1;
    std::fill_n(graph.supports.begin() + size_t(context) * graph.block, graph.block, 0);
    Domains& domains = stack_[0];
    domains = graph.full;
    for (Variables left = graph.variables; left; left &= left - 1) {
        const uint32_t variable = lowest_one(left);
        uint64_t* const domain = domains.data() + graph.offsets[variable];
        const uint32_t words = graph.widths[variable];
        if (part && (graph.part->variables >> variable & 1)) {
            std::copy_n(part + graph.part->offsets[variable], words, domain);
            continue;
        }
        for (const Facts& facts : graph.single[variable]) {
            const uint64_t* const block = facts.table->block(place(facts, context));
            for (uint32_t w = 0; w < words; ++w) domain[w] &= block[w];
        }
    }
    decide(graph, context, domains, 0, false);
}

// Whether the body with the added literal, which has several of its variables, holds.
bool BitTester::holds(uint32_t context) {
    const uint64_t* const supported = supports(*graph_, context);
    Domains& domains = stack_[0];
    domains.assign(supported, supported + graph_->block);
    // `added_context_` must be set. An added edge next to an existing one changes nothing about the rest of the forest:
    // each pair of values that both literals allow extends to a binding of the whole body, as supports are exact.
    if (doubled_ && graph_->cuts.empty()) {
        // The edge was there before, in a graph without cycles: any binding of it extends to all.
        bool changed = false;
        follows_ = follows_ && holds_throughout(*doubled_, supported, context);
        return revise_pair(*graph_, *doubled_, &added_.facts[0], context, domains, changed);
    }
    follows_ = false;
    return decide(*graph_, context, domains, 0, true);
}

// Whether the added literal holds for all values that the edge allows.
// Then it follows from the body in this context: each binding has a pair of values that the edge allows.
bool BitTester::holds_throughout(const Edge& edge, const uint64_t* supports, uint32_t context) const {
    const uint32_t from = edge.variables[0], to = edge.variables[1];
    const uint64_t* const a = supports + graph_->offsets[from];
    const uint64_t* const b = supports + graph_->offsets[to];
    for (uint32_t w = 0; w < graph_->widths[from]; ++w)
        for (uint64_t left = a[w]; left; left &= left - 1) {
            const uint32_t value = 64 * w + lowest_one(left);
            for (uint32_t x = 0; x < graph_->widths[to]; ++x) {
                uint64_t allowed = b[x];
                for (const Facts& facts : edge.facts) allowed &= facts.table->block(place(facts, context), value)[x];
                if (allowed & ~added_.facts[0].table->block(added_context_, value)[x]) return false;
            }
        }
    return true;
}

// Whether the extended body holds in a context of its own contexts. With one shared variable the literal holds if some
// supported value is in its block, and it follows if all are. Without any, it depends on the context alone.
bool BitTester::covers(uint32_t context) {
    added_context_ = to_table_[context];
    if (joined_ > 1) return holds(to_parent_[context]);
    const uint64_t* const block = table_->block(added_context_);
    if (!joined_) return block[0] != 0;
    const uint64_t* const support = supports(*graph_, to_parent_[context]) + offset_;
    if (follows_) follows_ = inside(support, block, table_->words);
    return meet(support, block, table_->words);
}

// The contexts in this range that the body covers, until `visit` says that it is enough.
template <class Visit>
void BitTester::for_contexts(uint32_t first, uint32_t last, Visit visit) {
    if (same_contexts_) {
        const auto from = std::lower_bound(covered_.begin(), covered_.end(), first);
        for (auto context = from; context != covered_.end() && *context < last; ++context)
            if (!visit(*context)) return;
    } else {
        for (uint32_t context = first; context < last; ++context)
            if (is_covered_[to_parent_[context]] && !visit(context)) return;
    }
}

// Prepares the added literal, then goes through the contexts with positive examples. When a positive is missed, the
// required sets that have it can no longer be covered. If none is left, the test ends. Negatives that share a context
// with positives are entered on the way.
bool BitTester::test(const Literal& added, Coverage& coverage) {
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
        added_ = edge(added, joined, true);
        doubled_ = same_pair(*graph_, added_);
        find_cuts(*graph_, doubled_ ? nullptr : &added_, extended_cuts_);
    }
    offset_ = joined_ == 1 ? graph_->offsets[lowest_one(joined)] : 0;
    follows_ = joined_ > 0;
    coverage.assign(words_, 0);
    possible_ = required_;
    const Contexts& contexts = *contexts_here_;
    const uint32_t positives = worlds_.examples().positives;
    for_contexts(0, contexts.positive, [&](uint32_t context) {
        const bool covered = covers(context);
        for (uint32_t i = contexts.starts[context]; i < contexts.starts[context + 1]; ++i) {
            const uint32_t example = contexts.members[i];
            if (covered && example < positives) insert(coverage.data(), example);
            else if (covered) insert(coverage.data() + positive_words_, example - positives);
            else if (example < positives)
                possible_.erase(std::remove_if(possible_.begin(), possible_.end(),
                                               [&](const Bits* set) { return has(set->data(), example); }),
                                possible_.end());
        }
        return !has_goal_ || !possible_.empty();
    });
    return !has_goal_ || !possible_.empty();
}

// The contexts that only negatives have. With a goal of consistency the first negative that is covered is enough.
void BitTester::complete(Coverage& coverage) {
    const Contexts& contexts = *contexts_here_;
    const uint32_t positives = worlds_.examples().positives;
    for_contexts(contexts.positive, contexts.count, [&](uint32_t context) {
        if (!covers(context)) return true;
        for (uint32_t i = contexts.starts[context]; i < contexts.starts[context + 1]; ++i)
            insert(coverage.data() + positive_words_, contexts.members[i] - positives);
        return !consistent_;
    });
}

}  // namespace joiner::mining::JOINER_WIDTH
