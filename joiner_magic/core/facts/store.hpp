// Facts and examples: relations over interned terms, indexed on the argument subsets that are used.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../bits.hpp"
#include "../text/terms.hpp"

namespace joiner {

using Columns = uint64_t;                 // a set of columns, or of arguments
constexpr uint32_t most_arguments = 63;  // so that a set of them fits one word

// A run of equally long rows.
struct Rows {
    const TermId* first = nullptr;
    uint32_t count = 0;
    uint32_t width = 0;
};

uint64_t hash_terms(const TermId* terms, size_t count);

// Distinct rows of one width, numbered in order of insertion, found by value.
class RowSet {
  public:
    explicit RowSet(uint32_t width = 0) : width_(width) {}
    // The row's number, and whether it is new.
    std::pair<uint32_t, bool> insert(const TermId* row);
    uint32_t find(const TermId* row) const;  // its number, or no_term
    Rows rows() const { return {cells_.data(), count_, width_}; }
    const TermId* row(uint32_t number) const { return cells_.data() + size_t(number) * width_; }
    uint32_t count() const { return count_; }

  private:
    void grow();
    uint32_t slot_of(const TermId* row) const;

    uint32_t width_;
    uint32_t count_ = 0;
    std::vector<TermId> cells_;
    std::vector<uint32_t> slots_;  // open addressing; row number or no_term
};

// Rows of a relation grouped by their values in some columns, the remaining columns stored
// side by side, so that one look-up yields what a literal with those arguments bound can bind next.
class Index {
  public:
    Index(Rows rows, Columns mask);  // bit i of mask: column i is bound

    Rows find(const TermId* key) const {
        uint32_t group;
        if (!dense_.empty()) {
            const TermId offset = key[0] - low_;  // wraps to a large number below low_
            group = offset < dense_.size() ? dense_[offset] : no_term;
        } else {
            group = groups_.find(key);
        }
        if (group == no_term) return {nullptr, 0, width_};
        return {cells_.data() + size_t(starts_[group]) * width_, starts_[group + 1] - starts_[group], width_};
    }
    // Rows per group on average: how far a literal fans out.
    double fanout() const { return groups_.count() ? double(total_) / groups_.count() : 0.0; }

  private:
    uint32_t width_;  // columns that are not bound
    uint32_t total_;
    RowSet groups_;
    std::vector<uint32_t> starts_;
    std::vector<TermId> cells_;
    TermId low_ = 0;
    std::vector<uint32_t> dense_;  // one bound column with a narrow range of ids: group by id - low_
};

// The facts of one predicate, each once, with indexes that are made when they are first needed. Adding a fact drops the
// indexes.
class Relation {
  public:
    Relation(std::string name, uint32_t arity) : name(std::move(name)), arity(arity), rows_(arity) {}
    void add(const TermId* row);
    Rows rows() const { return rows_.rows(); }
    const Index& index(Columns mask);

    const std::string name;
    const uint32_t arity;

  private:
    RowSet rows_;
    std::vector<std::pair<Columns, std::unique_ptr<Index>>> indexes_;
};

// Examples seen through some of their arguments: each distinct tuple once, with the examples that
// have it. A body part that mentions only these head variables is tested once per tuple.
struct Projection {
    Rows tuples;
    std::vector<TermId> cells;
    std::vector<uint32_t> starts, members;
};

// The positive or the negative examples of a task, with what has been found out about them.
class ExampleSet {
  public:
    explicit ExampleSet(uint32_t arity = 0) : arity_(arity) {}
    void add(const TermId* row) {
        cells_.insert(cells_.end(), row, row + arity_);
        ++count_;
    }
    uint32_t count() const { return count_; }
    const TermId* row(uint32_t number) const { return cells_.data() + size_t(number) * arity_; }
    const Projection& projection(Columns mask);

    // Which examples satisfy a literal that stands alone, by a key for its relation and arguments.
    // Rules share such literals, so each is looked up once and then is a mere intersection.
    Bits* known(const std::vector<uint64_t>& key);
    Bits& remember(const std::vector<uint64_t>& key);
    void forget() { literals_.clear(); }

  private:
    struct KeyHash {
        size_t operator()(const std::vector<uint64_t>& key) const {
            uint64_t h = key.size();
            for (uint64_t part : key) h = mix(h, part);
            return static_cast<size_t>(h);
        }
    };
    static constexpr size_t most_literals = 1 << 14;

    uint32_t arity_;
    uint32_t count_ = 0;
    std::unordered_map<std::vector<uint64_t>, Bits, KeyHash> literals_;
    std::vector<TermId> cells_;
    std::vector<std::pair<Columns, std::unique_ptr<Projection>>> projections_;
};

}  // namespace joiner
