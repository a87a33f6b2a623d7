// Facts and examples as bits, laid out for testing rules by the hundred thousand.
//
// A *context* is a distinct tuple of values for some head variables (a mask) among the examples: a body that
// mentions only these is tested once per context. A body-only variable has a *domain*, a block of bits, one for
// each value of its sort. Where the examples fall apart into *worlds* that no legal rule can leave (the pieces
// of one scene, the atoms of one molecule), the values of a sort are numbered within each world, so that
// blocks stay a word or two wide, however many facts there are.
//
// Which worlds there are is read off the data: from the values of the examples that share one head argument,
// follow the facts. In a legal rule every value of a variable is reached that way. If each predicate
// has an input, literals run from bound arguments to unbound ones, so facts are followed in this direction only; else a
// fact is followed from any of its arguments. For a partial rule this means that values are left out which
// no legal extension could reach: it seems to cover less, but never less than its legal extensions do.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "language.hpp"

namespace joiner::mining::JOINER_WIDTH {

// The examples: positives first, then negatives.
struct Examples {
    std::vector<TermId> cells;
    uint32_t arity = 0, positives = 0, negatives = 0;
    uint32_t count() const { return positives + negatives; }
    const TermId* row(uint32_t number) const { return cells.data() + size_t(number) * arity; }
};

// The contexts of a mask; those of positive examples come first.
struct Contexts {
    Variables mask = 0;
    uint32_t count = 0, positive = 0;
    std::vector<TermId> cells;              // values of the head variables in the mask, by context
    std::vector<uint32_t> world;            // by context
    std::vector<uint32_t> of_example;       // the context of each example
    std::vector<uint32_t> starts, members;  // examples by context
};

// The values that variables of one type can have, with a number for each.
struct Sort {
    bool local = false;  // numbered within each world
    uint32_t size = 0;   // values in the largest world
    uint32_t words = 1;
    std::vector<std::unordered_map<TermId, uint32_t>> numbers;  // by world, or one for all
};

// What an argument of a literal is to a table.
enum class Role : uint8_t { head, bound, open };  // a head variable, a body-only variable, one that is projected away

// The facts of a predicate, seen with some arguments given by the context and some projected away. Over no
// variable: a bit per context. Over one: a block per context. Over two: for each context and value of the
// first, a block of the second. Over more: rows of numbers, grouped by context and the value of one variable, for each
// of them, so that the rows are looked up by the variable that has the fewest values left.
struct Table {
    struct Grouped {
        uint32_t size = 0;                   // values of the variable
        std::vector<uint32_t> starts, rows;  // where the rows of a context and value begin
        // Over three variables with at most 64 values each: by context, value, and value of the next variable, the
        // values of the one after it.
        std::vector<uint64_t> words;
        uint32_t next_size = 0;
    };

    uint32_t variables = 0;
    Variables mask = 0;  // head variables, in the contexts that number the blocks
    const Contexts* contexts = nullptr;
    std::array<uint32_t, most_arguments> sorts{};
    uint32_t words = 1, size = 1;  // of a block; and values of the first variable
    std::vector<uint64_t> blocks;
    std::vector<Grouped> grouped;

    const uint64_t* block(uint32_t context) const { return blocks.data() + size_t(context) * size * words; }
    const uint64_t* block(uint32_t context, uint32_t value) const { return block(context) + size_t(value) * words; }
    size_t bytes() const;
};

// The tables over one task. Contexts and tables are made under a lock and never change or move afterwards, so
// references to them stay valid for all threads.
class Worlds {
  public:
    Worlds(const Language& language, const Examples& examples, size_t most_bytes);

    // Whether the tables would take too much memory: then rules must be tested in another way.
    bool too_large() const { return too_large_; }

    const Examples& examples() const { return examples_; }
    uint32_t sort_of(uint32_t predicate, uint32_t argument) const { return sorts_of_[predicate][argument]; }
    const Sort& sort(uint32_t number) const { return sorts_[number]; }
    // A mask that tells worlds apart, where there are any.
    Variables widened(Variables mask) const { return key_ < 0 ? mask : mask | Variables(1) << key_; }
    size_t bytes() const { return bytes_; }

    // These are made when they are first asked for, by whichever thread does.
    const Contexts& contexts(Variables mask);
    // For each context of the mask the context of a part of it.
    const std::vector<uint32_t>& narrowing(Variables mask, Variables part);
    // `reversed` exchanges the two variables of a table over two.
    const Table& table(const Literal& literal, Variables bound, bool reversed = false);
    // What a table is found by: the literal, its body-only variables replaced by their roles.
    Code table_key(const Literal& literal, Variables bound, bool reversed) const;

  private:
    void find_sorts();
    void find_worlds();
    bool reach(uint32_t key, size_t most);
    void number_values();
    void estimate();
    const Contexts& contexts_locked(Variables mask);
    const std::vector<uint32_t>& narrowing_locked(Variables mask, Variables part);
    void fill(Table& table, const Literal& literal, const std::vector<Role>& roles, bool reversed);
    void group(Table& table, const std::vector<uint32_t>& rows) const;
    void need(size_t bytes) const;

    const Language& language_;
    const Examples& examples_;
    const size_t most_bytes_;
    std::vector<std::array<uint32_t, most_arguments>> sorts_of_;
    std::vector<uint32_t> head_sorts_;
    std::vector<Sort> sorts_;
    int key_ = -1;                    // the head argument that tells worlds apart
    std::vector<TermId> world_keys_;  // its value in each world
    std::unordered_map<TermId, uint32_t> worlds_;
    std::vector<std::vector<std::vector<TermId>>> reached_;  // by world and sort
    bool too_large_ = false;
    size_t bytes_ = 0;

    std::mutex mutex_;
    std::map<Variables, std::unique_ptr<Contexts>> contexts_;
    std::map<std::pair<Variables, Variables>, std::unique_ptr<std::vector<uint32_t>>> narrowings_;
    std::unordered_map<Code, std::unique_ptr<Table>, CodeHash> tables_;
};

}  // namespace joiner::mining::JOINER_WIDTH
