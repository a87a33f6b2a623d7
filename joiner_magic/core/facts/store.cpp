// Row sets, indexes, relations and example sets. All of them group rows by the values in some columns.
#include "store.hpp"

#include <algorithm>

namespace joiner {

// A hash of a row, or of some of its values.
uint64_t hash_terms(const TermId* terms, size_t count) {
    uint64_t h = count;
    for (size_t i = 0; i < count; ++i) h = mix(h, terms[i]);
    return h;
}

namespace {

// Rows are short: a loop beats a call of memcmp.
bool same(const TermId* a, const TermId* b, uint32_t width) {
    for (uint32_t i = 0; i < width; ++i)
        if (a[i] != b[i]) return false;
    return true;
}

}  // namespace

// The slot that has the row, or the free one where it belongs. There is always a free slot, since the table is at most
// half full.
uint32_t RowSet::slot_of(const TermId* row) const {
    const uint32_t mask = static_cast<uint32_t>(slots_.size() - 1);
    uint32_t slot = static_cast<uint32_t>(hash_terms(row, width_)) & mask;
    while (slots_[slot] != no_term && !same(row, this->row(slots_[slot]), width_)) slot = (slot + 1) & mask;
    return slot;
}

// Doubles the table and enters all rows again.
void RowSet::grow() {
    slots_.assign(std::max<size_t>(8, slots_.size() * 2), no_term);
    for (uint32_t i = 0; i < count_; ++i) slots_[slot_of(row(i))] = i;
}

// The set keeps a copy of the row. Pointers to rows may become invalid.
std::pair<uint32_t, bool> RowSet::insert(const TermId* row) {
    if (width_ == 0) {  // there is one such row only: no table is needed
        const bool fresh = count_ == 0;
        count_ = 1;
        return {0, fresh};
    }
    if (slots_.size() < (size_t(count_) + 1) * 2) grow();
    const uint32_t slot = slot_of(row);
    if (slots_[slot] != no_term) return {slots_[slot], false};
    cells_.insert(cells_.end(), row, row + width_);
    slots_[slot] = count_;
    return {count_++, true};
}

// Does not change the set.
uint32_t RowSet::find(const TermId* row) const {
    if (width_ == 0) return count_ ? 0 : no_term;
    return slots_.empty() ? no_term : slots_[slot_of(row)];
}

namespace {

// The columns in the mask, or with `bound` false those that are not.
std::vector<uint32_t> columns_of(Columns mask, uint32_t arity, bool bound) {
    std::vector<uint32_t> columns;
    for (uint32_t i = 0; i < arity; ++i)
        if (((mask >> i) & 1) == (bound ? 1u : 0u)) columns.push_back(i);
    return columns;
}

// starts[g] .. starts[g + 1] are the positions of group g in `order`, members in row order.
void bucket(const std::vector<uint32_t>& group_of, uint32_t groups, std::vector<uint32_t>& starts,
            std::vector<uint32_t>& order) {
    starts.assign(groups + 1, 0);
    for (uint32_t g : group_of) ++starts[g + 1];
    for (uint32_t g = 0; g < groups; ++g) starts[g + 1] += starts[g];
    std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
    order.resize(group_of.size());
    for (uint32_t i = 0; i < group_of.size(); ++i) order[next[group_of[i]]++] = i;
}

// The number of each row's values in `columns` within `groups`.
std::vector<uint32_t> group_rows(Rows rows, const std::vector<uint32_t>& columns, RowSet& groups) {
    std::vector<uint32_t> group_of(rows.count);
    std::vector<TermId> key(columns.size());
    for (uint32_t i = 0; i < rows.count; ++i) {
        const TermId* row = rows.first + size_t(i) * rows.width;
        for (size_t c = 0; c < columns.size(); ++c) key[c] = row[columns[c]];
        group_of[i] = groups.insert(key.data()).first;
    }
    return group_of;
}

}  // namespace

// Rows are grouped by the bound columns, and the other columns are copied group by group, so a look-up gives one run of
// memory. With one bound column whose values lie close together, an array by value takes the place of the hash table.
Index::Index(Rows rows, Columns mask) : total_(rows.count) {
    const auto bound = columns_of(mask, rows.width, true);
    const auto free = columns_of(mask, rows.width, false);
    width_ = static_cast<uint32_t>(free.size());
    groups_ = RowSet(static_cast<uint32_t>(bound.size()));
    const auto group_of = group_rows(rows, bound, groups_);
    std::vector<uint32_t> order;
    bucket(group_of, groups_.count(), starts_, order);
    cells_.reserve(size_t(rows.count) * width_);
    for (uint32_t i : order)
        for (uint32_t c : free) cells_.push_back(rows.first[size_t(i) * rows.width + c]);
    if (bound.size() != 1 || groups_.count() == 0) return;
    const Rows keys = groups_.rows();
    const auto [low, high] = std::minmax_element(keys.first, keys.first + keys.count);
    if (*high - *low >= 16u * keys.count + 1024u) return;
    low_ = *low;
    dense_.assign(*high - low_ + 1, no_term);
    for (uint32_t g = 0; g < keys.count; ++g) dense_[keys.first[g] - low_] = g;
}

// A row that is there already is not added twice. Indexes are dropped in any case, so references to them become
// invalid; facts are added before rules are planned.
void Relation::add(const TermId* row) {
    indexes_.clear();
    rows_.insert(row);
}

// The index for these bound columns, made at the first use. There are few, so they are compared one by one. Not for
// several threads at once.
const Index& Relation::index(Columns mask) {
    for (const auto& [known, index] : indexes_)
        if (known == mask) return *index;
    indexes_.emplace_back(mask, std::make_unique<Index>(rows_.rows(), mask));
    return *indexes_.back().second;
}

// The examples that were remembered under this key, or null.
Bits* ExampleSet::known(const std::vector<uint64_t>& key) {
    const auto found = literals_.find(key);
    return found == literals_.end() ? nullptr : &found->second;
}

// All examples, to be reduced by the caller to those that satisfy the literal. When too many literals are remembered,
// all are dropped, so a reference is valid until the next call.
Bits& ExampleSet::remember(const std::vector<uint64_t>& key) {
    if (literals_.size() >= most_literals) literals_.clear();
    Bits& bits = literals_[key];
    bits.assign((count_ + 63) / 64, ~uint64_t(0));
    if (count_ % 64) bits.back() = (uint64_t(1) << (count_ % 64)) - 1;
    return bits;
}

// The distinct tuples of the arguments in the mask, made at the first use. Examples must not be added afterwards.
const Projection& ExampleSet::projection(Columns mask) {
    for (const auto& [known, projection] : projections_)
        if (known == mask) return *projection;
    auto projection = std::make_unique<Projection>();
    const auto columns = columns_of(mask, arity_, true);
    RowSet groups(static_cast<uint32_t>(columns.size()));
    const auto group_of = group_rows({cells_.data(), count_, arity_}, columns, groups);
    bucket(group_of, groups.count(), projection->starts, projection->members);
    const Rows rows = groups.rows();
    projection->cells.assign(rows.first, rows.first + size_t(rows.count) * rows.width);
    projection->tuples = {projection->cells.data(), rows.count, rows.width};
    projections_.emplace_back(mask, std::move(projection));
    return *projections_.back().second;
}

}  // namespace joiner
