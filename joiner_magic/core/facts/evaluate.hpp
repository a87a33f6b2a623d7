// Running plans: does this body hold, and which examples does this rule cover?
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "plan.hpp"

namespace joiner {

// Thrown when another thread cancelled, or `poll` asked to stop.
struct Stopped : std::exception {
    const char* what() const noexcept override { return "the evaluation was cancelled"; }
};

// Counts the rows that are tried. A program that spends more than its limit is left unfinished.
class Budget {
  public:
    Budget(const std::atomic<bool>& cancel, std::function<void()> poll) : cancel_(cancel), poll_(std::move(poll)) {}

    void start(uint64_t limit) {
        spent_ = 0;
        limit_ = limit;
        exhausted_ = false;
        next_look_ = std::min(limit_, look_every);
        if (++programs_ % 256 == 0) look();
    }
    // False when the limit is reached.
    bool spend() { return ++spent_ < next_look_ || (!exhausted_ && look_and_go_on()); }
    bool exhausted() const { return exhausted_; }
    void exhaust() { exhausted_ = true; next_look_ = 0; }

    // Find something out with at most `most` rows, which do not count; nothing if they are not enough.
    template <class Question>
    std::optional<bool> aside(uint64_t most, Question question) {
        const uint64_t spent = spent_, limit = limit_, next_look = next_look_;
        if (exhausted_) return std::nullopt;
        limit_ = next_look_ = spent_ + most;
        const bool answer = question();
        const bool enough = !exhausted_;
        spent_ = spent, limit_ = limit, next_look_ = next_look, exhausted_ = false;
        return enough ? std::optional<bool>(answer) : std::nullopt;
    }

  private:
    static constexpr uint64_t look_every = 1 << 14;

    void look() {
        if (cancel_.load(std::memory_order_relaxed)) throw Stopped{};
        poll_();
    }
    bool look_and_go_on() {
        if (spent_ >= limit_) {
            exhaust();
            return false;
        }
        look();
        next_look_ = std::min(limit_, spent_ + look_every);
        return true;
    }

    const std::atomic<bool>& cancel_;
    std::function<void()> poll_;
    uint64_t spent_ = 0, limit_ = 0, next_look_ = 0, programs_ = 0;
    bool exhausted_ = false;
};

// Remembers whether a component holds, by the values of its context: in an array where the context is
// one variable and terms are not too many, else in a lossy table, where a slot keeps its last entry.
// So memory stays bounded and answers stay right.
class ContextCache {
  public:
    enum Answer : uint8_t { unknown, no, yes };

    void forget() {
        if (++epoch_ == uint32_t(1) << 30) {  // a stamp has 30 bits for the epoch; old ones must not look fresh
            dense_.clear();
            slots_.clear();
            epoch_ = 1;
        }
        used_ = 0;
    }
    Answer find(const TermId* key, uint32_t width) const;
    void store(const TermId* key, uint32_t width, bool answer, size_t terms);

  private:
    static constexpr size_t most_slots = size_t(1) << 18;
    size_t slot(const TermId* key, uint32_t width) const;

    uint32_t epoch_ = 1;
    std::vector<uint32_t> dense_;  // epoch and answer by TermId
    std::vector<TermId> slots_;    // epoch and answer, then the key
    size_t used_ = 0;
    uint32_t width_ = 0;
};

// Answers of tables, for nodes whose literal the program itself defines.
class Tables {
  public:
    virtual ~Tables() = default;
    virtual Rows ask(int32_t pattern, const TermId* key) = 0;
};

// Decides plans, one at a time. The values of the variables are an array that look-ups and branches fill. The budget is
// shared with whoever started the program, and every row that a branch tries is counted.
class Machine {
  public:
    Machine(const TermBank& bank, Budget& budget) : bank_(bank), budget_(budget) {}

    // Make room for a plan's variables and forget what earlier plans cached.
    void load(const Plan& plan, Tables* tables, size_t first_cache);
    // Forgets cached answers of the plan; with `pure_too` also those that depend on facts alone.
    void forget(const Plan& plan, bool pure_too);
    // Whether the node holds under the values that are set. The values that it needs must be set before.
    bool holds(uint32_t node);
    Rows rows(const PlanNode& node);
    bool bind(const PlanNode& node, const TermId* row);

    TermId* values() { return values_.data(); }
    Budget& budget() { return budget_; }
    // Keep a full witness in values(): positive answers are found anew instead of taken from a cache.
    bool keep_witness = false;

  private:
    bool branch(const PlanNode& node);

    const TermBank& bank_;
    Budget& budget_;
    const Plan* plan_ = nullptr;
    Tables* tables_ = nullptr;
    size_t first_cache_ = 0;
    std::vector<TermId> values_;
    std::deque<ContextCache> caches_;
};

}  // namespace joiner
