// Lays out examples and facts as bits: sorts, worlds, contexts and tables. Sorts and worlds are found once; contexts
// and tables are made when a tester first asks for them, under a lock that all threads share.
#include "worlds.hpp"

#include <algorithm>
#include <unordered_set>

#include "../bits.hpp"

namespace joiner::mining::JOINER_WIDTH {

namespace {

// If all tables together are estimated to take more bytes than this, facts are not laid out as bits.
constexpr double large = 512e6;
// Tables beyond the first few megabytes may take so many bytes for each fact and example. Their blocks are as wide as a
// sort has values: where those are thousands and no worlds part them, tables are nearly empty, and grow with the square
// of the facts, while following facts one by one stays linear. Measured on a random graph with three edges for each
// node, the two ways take the same time from 500 to 2,000 nodes (80 to 250 bytes), with 20,000 nodes bits take 12 times
// as long.
constexpr double few_bytes = 4e6, bytes_per_row = 128;
constexpr size_t most_words = size_t(1) << 22;  // of a table over three variables
constexpr uint32_t few = 64;                    // values that fit a word need no worlds
constexpr size_t most_reached = 1 << 12;        // values in a world that is worth it

}  // namespace

// If bits are switched off, nothing is prepared, and the miner uses the other tester.
Worlds::Worlds(const Language& language, const Examples& examples, size_t most_bytes)
    : language_(language), examples_(examples), most_bytes_(most_bytes), too_large_(!language.bits) {
    if (too_large_) return;
    find_sorts();
    find_worlds();
    number_values();
    estimate();
}

// Variables of different types never meet, unless some argument is untyped and meets them all.
// With types everywhere each type is a sort of its own. Otherwise all values are of one sort, so that each literal that
// can be written has a table.
void Worlds::find_sorts() {
    bool typed =
        std::none_of(language_.head_types.begin(), language_.head_types.end(), [](int16_t t) { return t < 0; });
    uint32_t types = 0;
    const auto count = [&](int16_t type) { types = std::max(types, static_cast<uint32_t>(type + 1)); };
    for (int16_t type : language_.head_types) count(type);
    for (const Predicate& predicate : language_.predicates)
        for (uint32_t a = 0; a < predicate.arity; ++a) {
            typed = typed && predicate.types[a] >= 0;
            count(predicate.types[a]);
        }
    sorts_.resize(typed ? std::max(types, 1u) : 1);
    const auto sort = [&](int16_t type) { return typed ? static_cast<uint32_t>(type) : 0; };
    for (int16_t type : language_.head_types) head_sorts_.push_back(sort(type));
    for (const Predicate& predicate : language_.predicates) {
        sorts_of_.emplace_back();
        for (uint32_t a = 0; a < predicate.arity; ++a) sorts_of_.back()[a] = sort(predicate.types[a]);
    }
}

// Collects the values of each sort, and looks for a head argument that parts the examples into worlds. That is only
// worth it for a sort with many values, and only if a world has at most half of them. Other sorts are numbered
// globally.
void Worlds::find_worlds() {
    std::vector<std::unordered_set<TermId>> values(sorts_.size());
    for (size_t p = 0; p < sorts_of_.size(); ++p) {
        const Rows rows = language_.predicates[p].relation->rows();
        for (uint32_t i = 0; i < rows.count; ++i)
            for (uint32_t a = 0; a < rows.width; ++a)
                values[sorts_of_[p][a]].insert(rows.first[size_t(i) * rows.width + a]);
    }
    size_t largest = 0;
    for (size_t s = 0; s < sorts_.size(); ++s) largest = std::max(largest, values[s].size());
    if (largest > few)
        for (uint32_t key = 0; key < language_.head_arity && key_ < 0; ++key)
            if (reach(key, std::min(most_reached, largest / 2))) key_ = static_cast<int>(key);
    if (key_ < 0) reached_.clear();
    for (size_t s = 0; s < sorts_.size(); ++s) {
        size_t most = 0;
        for (const auto& world : reached_) most = std::max(most, world[s].size());
        sorts_[s].local = key_ >= 0 && values[s].size() > few && most * 2 <= values[s].size();
        if (sorts_[s].local) continue;
        std::vector<TermId> all(values[s].begin(), values[s].end());
        std::sort(all.begin(), all.end());  // the order of a hash set is nobody's
        sorts_[s].numbers.emplace_back();
        for (TermId value : all)
            sorts_[s].numbers[0].emplace(value, static_cast<uint32_t>(sorts_[s].numbers[0].size()));
        sorts_[s].size = static_cast<uint32_t>(all.size());
    }
}

// The values that rules can reach from the examples with the same value in one head argument; false if too many.
// Groups the examples by their value of the head argument `key`, and follows the facts from all values of each group. A
// value is reached through a fact whose inputs are reached, or, if some predicate has no input, through a fact that has
// any reached value. The result is in `reached_`. More than `most` new values in one world make it pointless.
bool Worlds::reach(uint32_t key, size_t most) {
    const bool directed = std::all_of(language_.predicates.begin(), language_.predicates.end(),
                                      [](const Predicate& p) { return p.inputs || !p.arity; });
    worlds_.clear();
    world_keys_.clear();
    reached_.clear();
    std::vector<std::vector<uint32_t>> members;
    for (uint32_t e = 0; e < examples_.count(); ++e) {
        const TermId value = examples_.row(e)[key];
        const auto [found, fresh] = worlds_.try_emplace(value, static_cast<uint32_t>(world_keys_.size()));
        if (fresh) {
            world_keys_.push_back(value);
            members.emplace_back();
        }
        members[found->second].push_back(e);
    }
    for (const auto& examples : members) {
        std::vector<std::unordered_set<TermId>> seen(sorts_.size());
        std::vector<std::vector<TermId>> order(sorts_.size());
        std::vector<std::pair<uint32_t, TermId>> todo;
        size_t total = 0;
        const auto take = [&](uint32_t sort, TermId value) {
            if (!seen[sort].insert(value).second) return;
            order[sort].push_back(value);
            todo.emplace_back(sort, value);
            ++total;
        };
        for (uint32_t e : examples)
            for (uint32_t a = 0; a < examples_.arity; ++a) take(head_sorts_[a], examples_.row(e)[a]);
        const size_t given = total;
        while (!todo.empty()) {
            if (total - given > most) return false;
            const auto [sort, value] = todo.back();
            todo.pop_back();
            for (size_t p = 0; p < sorts_of_.size(); ++p) {
                const Predicate& predicate = language_.predicates[p];
                for (uint32_t a = 0; a < predicate.arity; ++a) {
                    if (sorts_of_[p][a] != sort || (directed && !(predicate.inputs >> a & 1))) continue;
                    const Rows rows = predicate.relation->index(Columns(1) << a).find(&value);
                    for (uint32_t i = 0; i < rows.count; ++i) {
                        const TermId* row = rows.first + size_t(i) * rows.width;
                        const auto at = [&](uint32_t other) { return row[other < a ? other : other - 1]; };
                        // With directions a fact is followed once all its inputs are reached, whichever of them is the
                        // last.
                        bool runs = true;
                        if (directed)
                            for (uint32_t other = 0; other < predicate.arity; ++other)
                                if (other != a && (predicate.inputs >> other & 1))
                                    runs = runs && seen[sorts_of_[p][other]].count(at(other));
                        for (uint32_t other = 0; runs && other < predicate.arity; ++other)
                            if (other != a) take(sorts_of_[p][other], at(other));
                    }
                    if (total - given > most) return false;
                }
            }
        }
        reached_.push_back(std::move(order));
    }
    return true;
}

// Numbers the values of local sorts within each world, in the order in which they were reached.
void Worlds::number_values() {
    for (size_t s = 0; s < sorts_.size(); ++s) {
        Sort& sort = sorts_[s];
        if (sort.local)
            for (const auto& world : reached_) {
                sort.numbers.emplace_back();
                for (TermId value : world[s])
                    sort.numbers.back().emplace(value, static_cast<uint32_t>(sort.numbers.back().size()));
                sort.size = std::max(sort.size, static_cast<uint32_t>(world[s].size()));
            }
        sort.words = std::max(1u, (sort.size + 63) / 64);
    }
    reached_.clear();
}

// What the tables could take at most, more or less: over one variable for all examples, and over two variables.
// This decides between bits and plans before any table is made. Tables over three variables are not estimated; they are
// checked against the memory limit when they are made.
void Worlds::estimate() {
    double total = 0, rows = examples_.count();
    for (const Predicate& predicate : language_.predicates) rows += predicate.relation->rows().count;
    const double contexts = examples_.count();
    for (size_t p = 0; p < sorts_of_.size(); ++p)
        for (uint32_t a = 0; a < language_.predicates[p].arity; ++a) {
            const Sort& to = sorts_[sorts_of_[p][a]];
            total += contexts * to.words * 8;
            for (uint32_t b = 0; b < a; ++b) {
                const Sort& from = sorts_[sorts_of_[p][b]];
                // Any other argument may be a variable of the head.
                Variables given = 0;
                for (uint32_t c = 0; c < language_.predicates[p].arity; ++c)
                    for (uint32_t v = 0; v < language_.head_arity; ++v)
                        if (c != a && c != b && head_sorts_[v] == sorts_of_[p][c]) given |= Variables(1) << v;
                if (from.local || to.local) given = widened(given);
                total += double(contexts_locked(given).count) * from.size * to.words * 8;
            }
        }
    too_large_ = total > std::min(large, std::max(few_bytes, rows * bytes_per_row));
}

const Contexts& Worlds::contexts(Variables mask) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return contexts_locked(mask);
}

// Groups the examples by their values of the head variables in the mask. Positives come first among the examples, so
// their contexts come first too: `positive` is the number of contexts with a positive example. The caller holds the
// lock.
const Contexts& Worlds::contexts_locked(Variables mask) {
    auto& known = contexts_[mask];
    if (known) return *known;
    auto made = std::make_unique<Contexts>();
    made->mask = mask;
    std::vector<uint32_t> columns;
    for (uint32_t a = 0; a < examples_.arity; ++a)
        if (mask >> a & 1) columns.push_back(a);
    RowSet groups(static_cast<uint32_t>(columns.size()));
    std::vector<TermId> key(columns.size());
    for (uint32_t e = 0; e < examples_.count(); ++e) {
        for (size_t c = 0; c < columns.size(); ++c) key[c] = examples_.row(e)[columns[c]];
        made->of_example.push_back(groups.insert(key.data()).first);
        if (e < examples_.positives) made->positive = groups.count();
    }
    made->count = groups.count();
    const Rows rows = groups.rows();
    made->cells.assign(rows.first, rows.first + size_t(rows.count) * rows.width);
    // A counting sort: the examples of context c are members[starts[c]] up to members[starts[c + 1]].
    made->starts.assign(made->count + 1, 0);
    for (uint32_t c : made->of_example) ++made->starts[c + 1];
    for (uint32_t c = 0; c < made->count; ++c) made->starts[c + 1] += made->starts[c];
    std::vector<uint32_t> next(made->starts.begin(), made->starts.end() - 1);
    made->members.resize(examples_.count());
    for (uint32_t e = 0; e < examples_.count(); ++e) made->members[next[made->of_example[e]]++] = e;
    made->world.assign(made->count, 0);
    if (key_ >= 0 && (mask >> key_ & 1))
        for (uint32_t e = 0; e < examples_.count(); ++e)
            made->world[made->of_example[e]] = worlds_.at(examples_.row(e)[key_]);
    known = std::move(made);
    return *known;
}

const std::vector<uint32_t>& Worlds::narrowing(Variables mask, Variables part) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return narrowing_locked(mask, part);
}

// Examples of one context of `mask` agree on all variables of `part`, so any of them gives the right context.
const std::vector<uint32_t>& Worlds::narrowing_locked(Variables mask, Variables part) {
    auto& known = narrowings_[{mask, part}];
    if (known) return *known;
    const Contexts& from = contexts_locked(mask);
    const Contexts& to = contexts_locked(part);
    auto made = std::make_unique<std::vector<uint32_t>>(from.count);
    for (uint32_t e = 0; e < examples_.count(); ++e) (*made)[from.of_example[e]] = to.of_example[e];
    known = std::move(made);
    return *known;
}

// Body-only variables are written as 62 (bound) or 63 (open), so literals that only differ in their numbers share a
// table. Variables of the head keep their numbers, as the contexts depend on them. Narrow codes have six bits for an
// argument.
Code Worlds::table_key(const Literal& literal, Variables bound, bool reversed) const {
    std::array<uint8_t, most_arguments> roles{};
    for (uint32_t a = 0; a < literal.arity; ++a) {
        const uint8_t variable = literal.args[a];
        roles[a] = variable < language_.head_arity ? variable : (bound >> variable & 1) ? 62 : 63;
    }
    return code_of(literal.predicate << 1 | (reversed ? 1 : 0), roles.data(), literal.arity);
}

size_t Table::bytes() const {
    size_t total = blocks.size() * 8;
    for (const Grouped& group : grouped)
        total += (group.starts.size() + group.rows.size()) * 4 + group.words.size() * 8;
    return total;
}

// The bound variables of the literal, in the order of its arguments, are the variables of the table. `bound` are the
// body-only variables that the tester keeps track of; all others are projected away. With a local sort the context must
// tell the world, so the mask is widened.
const Table& Worlds::table(const Literal& literal, Variables bound, bool reversed) {
    std::vector<Role> roles;
    auto shape = std::make_unique<Table>();
    bool local = false;
    for (uint32_t a = 0; a < literal.arity; ++a) {
        const uint32_t variable = literal.args[a];
        if (variable < language_.head_arity) {
            roles.push_back(Role::head);
            shape->mask |= Variables(1) << variable;
        } else if (bound >> variable & 1) {
            roles.push_back(Role::bound);
            shape->sorts[shape->variables++] = sorts_of_[literal.predicate][a];
            local = local || sorts_[sorts_of_[literal.predicate][a]].local;
        } else {
            roles.push_back(Role::open);
        }
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& known = tables_[table_key(literal, bound, reversed)];
    if (known) return *known;
    if (local) shape->mask = widened(shape->mask);
    if (reversed) std::swap(shape->sorts[0], shape->sorts[1]);
    shape->contexts = &contexts_locked(shape->mask);
    fill(*shape, literal, roles, reversed);
    bytes_ += shape->bytes();
    known = std::move(shape);
    return *known;
}

// Fills a table from the facts. Rows are looked up by the arguments that the context gives and, if there is one, by a
// bound argument with a local sort: its values within the world of the context are tried one by one, so that facts of
// other worlds are never looked at.
void Worlds::fill(Table& table, const Literal& literal, const std::vector<Role>& roles, bool reversed) {
    const Contexts& contexts = *table.contexts;
    const auto& sorts = sorts_of_[literal.predicate];
    if (table.variables) table.words = sorts_[table.sorts[table.variables - 1]].words;
    if (table.variables == 2) table.size = sorts_[table.sorts[0]].size;
    if (table.variables <= 2) {
        need(size_t(contexts.count) * table.size * table.words * 8);
        table.blocks.assign(size_t(contexts.count) * table.size * table.words, 0);
    }
    std::vector<uint32_t> rows;                   // over more than two variables: the context, then the numbers
    std::array<uint32_t, most_variables> cell{};  // where a context has the value of a head variable
    uint32_t width = 0;
    Columns given = 0;
    for (uint32_t a = 0; a < examples_.arity; ++a)
        if (table.mask >> a & 1) cell[a] = width++;
    int local = -1;  // an argument whose values in a world are few: its rows are looked up by these
    for (uint32_t a = 0; a < literal.arity; ++a) {
        if (roles[a] == Role::head) given |= Columns(1) << a;
        if (roles[a] == Role::bound && local < 0 && sorts_[sorts[a]].local) local = static_cast<int>(a);
    }
    if (local >= 0) given |= Columns(1) << local;
    const Index& index = language_.predicates[literal.predicate].relation->index(given);
    std::array<TermId, most_arguments> key{};
    std::array<uint32_t, most_arguments> numbers{};
    // Enters one fact. It is left out if one of its values has no number: no variable can have that value here.
    const auto add = [&](uint32_t context, TermId driver, const TermId* row) {
        uint32_t count = 0, column = 0;
        for (uint32_t a = 0; a < literal.arity; ++a) {
            if (roles[a] == Role::head) continue;
            const TermId value = static_cast<int>(a) == local ? driver : row[column++];
            if (roles[a] == Role::open) continue;
            const Sort& sort = sorts_[sorts[a]];
            const auto& known = sort.numbers[sort.local ? contexts.world[context] : 0];
            const auto found = known.find(value);
            if (found == known.end()) return;
            numbers[count++] = found->second;
        }
        uint64_t* const block = table.blocks.data() + size_t(context) * table.size * table.words;
        if (reversed) std::swap(numbers[0], numbers[1]);
        if (count == 0) block[0] = 1;
        else if (count == 1) insert(block, numbers[0]);
        else if (count == 2) insert(block + size_t(numbers[0]) * table.words, numbers[1]);
        else {
            rows.push_back(context);
            rows.insert(rows.end(), numbers.begin(), numbers.begin() + count);
        }
    };
    // Enters all facts that agree with the context and, for a local sort, with the value `driver`.
    const auto add_rows = [&](uint32_t context, TermId driver) {
        for (uint32_t a = 0, next = 0; a < literal.arity; ++a) {
            if (roles[a] == Role::head) key[next++] = contexts.cells[size_t(context) * width + cell[literal.args[a]]];
            else if (static_cast<int>(a) == local) key[next++] = driver;
        }
        const Rows found = index.find(key.data());
        for (uint32_t i = 0; i < found.count; ++i) add(context, driver, found.first + size_t(i) * found.width);
    };
    for (uint32_t c = 0; c < contexts.count; ++c) {
        if (local < 0) add_rows(c, no_term);
        else
            for (const auto& entry : sorts_[sorts[local]].numbers[contexts.world[c]]) add_rows(c, entry.first);
    }
    if (table.variables > 2) group(table, rows);
}

// One table can be larger than all there is room for: too large to look at the memory afterwards.
void Worlds::need(size_t bytes) const {
    if (bytes_ + bytes > most_bytes_) throw OutOfMemory{};
}

// For tables over three and more variables: the rows are sorted by context and value, once for each variable. With
// three variables of at most 64 values, words are filled as well, so that a test is an intersection.
void Worlds::group(Table& table, const std::vector<uint32_t>& rows) const {
    const uint32_t width = table.variables + 1;
    const size_t count = rows.size() / width;
    bool narrow = table.variables == 3;
    size_t words = table.contexts->count;
    for (uint32_t v = 0; v < table.variables; ++v) {
        narrow = narrow && sorts_[table.sorts[v]].words == 1;
        words *= sorts_[table.sorts[v]].size;
    }
    narrow = narrow && words < most_words;
    for (uint32_t v = 0; v < table.variables; ++v) {
        Table::Grouped grouped;
        grouped.size = sorts_[table.sorts[v]].size;
        need(size_t(table.contexts->count) * grouped.size * 4);
        grouped.starts.assign(size_t(table.contexts->count) * grouped.size + 1, 0);
        const auto slot = [&](size_t row) {
            return size_t(rows[row * width]) * grouped.size + rows[row * width + 1 + v];
        };
        for (size_t row = 0; row < count; ++row) ++grouped.starts[slot(row) + 1];
        for (size_t i = 1; i < grouped.starts.size(); ++i) grouped.starts[i] += grouped.starts[i - 1];
        std::vector<uint32_t> next(grouped.starts.begin(), grouped.starts.end() - 1);
        grouped.rows.resize(count * table.variables);
        for (size_t row = 0; row < count; ++row)
            std::copy_n(rows.begin() + row * width + 1, table.variables,
                        grouped.rows.begin() + size_t(next[slot(row)]++) * table.variables);
        if (narrow) {
            const uint32_t next = (v + 1) % 3, after = (v + 2) % 3;
            grouped.next_size = sorts_[table.sorts[next]].size;
            grouped.words.assign(size_t(table.contexts->count) * grouped.size * grouped.next_size, 0);
            for (size_t row = 0; row < count; ++row)
                grouped.words[slot(row) * grouped.next_size + rows[row * width + 1 + next]] |=
                    uint64_t(1) << rows[row * width + 1 + after];
        }
        table.grouped.push_back(std::move(grouped));
    }
}

}  // namespace joiner::mining::JOINER_WIDTH
