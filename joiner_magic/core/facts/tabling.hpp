// Programs whose rules call predicates of the program itself: recursion and invented predicates.
//
// Calls are tabled: a call is a predicate with values for some arguments, its table holds the
// answers found so far. A call is evaluated against the tables as they are, and again whenever a
// table it read has grown, until nothing changes. Terms are finite in number and tables only
// grow, so this always ends, at the program's least model restricted to what was asked.
#pragma once

#include <memory>
#include <vector>

#include "evaluate.hpp"

namespace joiner {

class Tabling : private PatternRegistry, private Tables {
  public:
    Tabling(const Program& program, Machine& machine, const TermBank& bank);

    // Does the ground atom follow? False for a budget that ran out meanwhile.
    bool holds(uint32_t predicate, const TermId* row);

    // Why an atom holds: the rule that derived it first and the values of the rule's variables.
    // Whatever that rule calls was derived earlier, so following reasons never runs in a circle.
    struct Reason {
        uint32_t rule;
        std::vector<TermId> values;
    };
    void keep_reasons() { machine_.keep_witness = keep_reasons_ = true; }
    const Reason* reason(uint32_t predicate, const TermId* row) const;

  private:
    static constexpr uint32_t no_reader = UINT32_MAX;
    struct Call {
        explicit Call(uint32_t width) : answers(width) {}
        RowSet answers;
        // Calls to evaluate again when answers are added: a list in readers_, in the order they asked.
        uint32_t first_reader = no_reader, last_reader = no_reader;
        bool queued = false, tried = false;
    };
    struct Reader {
        uint64_t call;
        uint32_t next;
    };
    struct Pattern {
        uint32_t predicate;
        Columns mask;
        RowSet keys;
        std::deque<Call> calls;
        std::vector<Plan> plans;  // one for each of the predicate's rules_
        std::vector<size_t> first_cache;
    };

    void find_rules();
    bool never_holds(const Rule& rule);
    int32_t pattern(uint32_t predicate, Columns mask) override;
    Rows ask(int32_t pattern, const TermId* key) override;
    uint64_t call(int32_t pattern, const TermId* key);
    void enqueue(uint64_t call);
    void drain(const Call& until);
    void evaluate(uint64_t call);
    void prepare(Pattern& pattern);
    bool match_head(const Rule& rule, Columns mask, const TermId* key);
    bool answer(const Plan& plan, uint32_t rule, size_t stage);
    bool add_answer(uint32_t rule);
    void add_reader(Call& call);
    void wake(Call& call);
    void occupy(size_t cells);

    Call& at(uint64_t call) { return patterns_[call >> 32].calls[static_cast<uint32_t>(call)]; }

    const Program& program_;
    Machine& machine_;
    const TermBank& bank_;
    std::vector<std::vector<uint32_t>> rules_;  // of each predicate, those that may derive something
    std::vector<size_t> over_facts_;            // how many of these, which come first, call nothing
    std::deque<Pattern> patterns_;
    std::vector<Reader> readers_;  // of all calls: there are too many for a vector each
    uint32_t free_reader_ = no_reader;
    std::vector<uint64_t> queue_;  // last in, first out: what a call waits for is evaluated first
    uint64_t current_ = 0;
    size_t caches_ = 0;
    size_t cells_ = 0;             // answers held, to bound memory
    bool keep_reasons_ = false;
    std::vector<RowSet> derived_;
    std::vector<std::vector<Reason>> reasons_;
};

}  // namespace joiner
