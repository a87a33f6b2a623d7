// Mines the hypothesis space level by level: bodies of one literal, of two, and so on, each tested once.
//
// Every body has one parent: itself without the last literal, in its canonical form, that it can do without
// (Language::is_parent). So each body is made from its parent alone and nothing has to be remembered about others;
// duplicates are only met among siblings. A body is not extended if no extension can be of use. That
// depends on what it covers, and extensions cover less: so no body of use is lost with a parent.
//
//   covers nothing   no positive example: no extension covers one
//   nothing below    the same of a body that is no rule yet, as far as rules can reach
//   consistent       a part of a hypothesis already: an extension covers no more and is larger
//   subsumed         what it covers, a part covers that is no larger: no conjunction with it is of use
//   implied          a literal follows from the others, or two variables are equal: a smaller body is as good
//   too large        it covers none of the sets of positives that a part of this size must cover to be of use
//   unprofitable     where errors have a price: what it covers is worth no more than its literals (P1, priced/priced_pieces.hpp)
//
// Where errors have a price, bodies may also be *put off*. The proof of a bound says what covering each positive is worth, by
// the rules that are known. A rule that is worth no more than its literals by that proof does not weaken the bound. So a body
// whose extensions all are such rules waits: it is extended only if a later proof, with other worths, asks for it. The bound
// holds for the whole space as soon as one proof excludes the extensions of all bodies that wait (search/stages/bounds.py).
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "../join/front.hpp"
#include "../priced/weights.hpp"
#include "bit_tester.hpp"
#include "body_set.hpp"
#include "plan_tester.hpp"
#include "record.hpp"

namespace joiner::mining::JOINER_WIDTH {

// How many bodies met which fate. Each that was tested is counted once, so their fates add up to `tested`; what was made
// and not tested is counted apart.
struct Tally {
    uint64_t tested = 0;
    std::array<uint64_t, fates> of_fate{};
    uint64_t duplicates = 0;  // made before, or to be made from another body
    uint64_t repeating = 0;   // implied by the facts alone, before any test
    uint64_t inherited = 0;   // fails like a body with a literal less
    uint32_t widest = 0;      // the most variables in a body that covers something
    Tally& operator+=(const Tally& other);
    void count(Fate fate);  // of a body that was tested
    void change(Fate before, Fate after);
};

// Sets of positives, one of which a part must cover to be of use: a part of the level's size, and a larger one.
struct Required {
    std::vector<Bits> here, beyond;
};

// Where errors have a price: what a literal costs, and what it is worth to cover each positive.
struct Prices {
    int64_t literal;
    Weights positives;
};

// Which bodies are needed for a better hypothesis, as far as it is proven: those of which an extension may be worth more than
// its literals less `slack`, by what covering each positive is worth.
struct Worth {
    Prices prices;
    int64_t slack;
};

// A body that is handed over to Python, with what it covers.
struct Found {
    Body body;
    Coverage coverage;  // empty if no positive example is covered
};

// The search itself. Python starts a level, calls `step` until it is done, and passes on between steps what it has
// learned from what was found. All that is public is for one thread; `step` starts others and ends them.
class Miner {
  public:
    // At most so many bodies are recorded.
    Miner(Language language, Examples examples, const TermBank& bank, size_t most_bytes, size_t most_recorded);

    const Language& language() const { return language_; }
    uint32_t positive_words() const { return positive_words_; }
    uint32_t words() const { return words_; }
    bool as_bits() const { return !worlds_.too_large(); }
    const std::shared_ptr<Record>& record() const { return record_; }

    // What is known by now; without requirements nothing is too large.
    void inform(std::vector<std::pair<uint32_t, Bits>> parts, std::optional<Required> required);

    // From now on bodies that cannot pay are left out.
    void set_prices(Prices prices) { prices_ = std::move(prices); }

    // From now on bodies that are not needed by this are put off; without it, none is.
    void set_worth(std::optional<Worth> worth) { worth_ = std::move(worth); }
    // The search has proven that no extension of a body that waits is needed: the record says so.
    void exclude_waiting();

    // How many bodies wait to be extended, with those that are put off.
    size_t waiting() const;
    // By the length of bodies that wait, the most that an extension can earn by these weights of the positives. `poll` throws
    // when the search is to stop.
    std::vector<std::pair<uint32_t, int64_t>> most_to_earn(const Weights& earning, const std::function<void()>& poll) const;
    // The length of the shortest bodies that wait and are needed, if there are any.
    std::optional<uint32_t> next_length() const;

    // Begin to extend the bodies of this length that wait and are needed; how many they are.
    size_t start_level(uint32_t length);
    // Go on with the level until enough bodies were tested; true when it is done. Found are the parts and the
    // fragments that no other dominates; with `every`, all legal bodies as they were tested. A miner
    // that was stopped in the middle is of no use any more.
    bool step(uint32_t jobs, bool every, const std::function<void()>& poll, std::vector<Found>& found, Tally& tally);

    // How much of the level is done, from 0 to 1.
    double share() const { return level_.count ? double(at_) / double(level_.count) : 1.0; }

  private:
    // The bodies of one length that are to be extended, in flat arrays to save memory.
    struct Level {
        explicit Level(uint32_t length = 0) : length(length) {}
        uint32_t length;
        size_t count = 0;
        std::vector<Code> codes;
        std::vector<uint8_t> variables;
        std::vector<uint32_t> numbers;    // by body, in the record
        std::vector<uint32_t> coverages;  // by body, numbers of those below
        std::vector<uint64_t> covered;
        std::unordered_multimap<uint64_t, uint32_t> known;  // coverages by hash
        size_t bytes() const {
            return codes.capacity() * sizeof(Code) + variables.capacity() + numbers.capacity() * 4 + coverages.capacity() * 4 +
                   covered.capacity() * 8 + known.size() * 32;
        }
    };
    // A body that a worker has tested and that is handed over or extended.
    struct Child {
        Body body;
        uint32_t coverage;  // within the harvest
        Fate fate;
        bool legal, extend;
        uint32_t tested;  // its place among those
    };
    // What one worker found below some bodies.
    struct Harvest {
        std::vector<Child> children;
        std::vector<uint64_t> covered;
        std::unordered_multimap<uint64_t, uint32_t> known;
        Tally tally;
        std::vector<Record::Entry> tested;                // all, as long as the record has room
        std::vector<std::pair<uint32_t, Fate>> not_extended;  // recorded bodies
        size_t counted = 0;                                   // bytes that are in `harvested_`
        size_t bytes() const {
            return children.capacity() * sizeof(Child) + covered.capacity() * 8 + known.size() * 32 +
                   tested.capacity() * sizeof(Record::Entry) + not_extended.capacity() * 8;
        }
    };
    // A body at hand: its number in the record, and whether the tester stops at the first negative.
    struct Parent {
        const Body& body;
        uint32_t number;
        bool some_negatives;
    };
    // A merit that fragments have, and the best of those seen so far.
    struct Seen {
        uint32_t cost, variables;
    };

    // `look` throws when the search is to stop.
    void harvest(size_t first, size_t last, BodyTester& tester, bool every, const std::function<void()>& look,
                 Harvest& result);
    void grow(const Parent& parent, BodyTester& tester, bool every, const std::function<void()>& look,
              Harvest& result);
    bool fails_without_some_literal(const Body& canonical) const;
    bool remembers_failed() const { return prices_ && !as_bits(); }
    void remember_failed(const Body& canonical, uint64_t hash);
    Fate judge(const Body& canonical, const Literal& added, const Parent& parent, BodyTester& tester, bool every,
               Coverage& coverage, Record::Entry& entry) const;
    void keep(const Body& body, const Record::Entry& entry, const Coverage& coverage, bool every,
              Harvest& result) const;
    Fate fate(const Body& body, const Coverage& coverage) const;
    Fate fate_with_negatives(const Body& body, bool legal, const Coverage& coverage) const;
    bool is_subsumed(const uint64_t* positives, uint32_t size) const;
    bool is_too_large(const uint64_t* positives, const std::vector<Bits>& required) const;
    bool pays(const uint64_t* positives, uint32_t length) const;
    bool is_needed(const uint64_t* positives, uint32_t length) const;
    void wait(Level& level, const Level& from, size_t number) const;
    void gather(Harvest& harvest, bool every, std::vector<Found>& found, Tally& tally);
    bool is_new_fragment(const Child& child, const uint64_t* coverage);
    Bits merit(const Body& body, const uint64_t* coverage) const;
    uint32_t intern(const uint64_t* coverage, std::vector<uint64_t>& covered,
                    std::unordered_multimap<uint64_t, uint32_t>& known) const;
    // Throws when what all workers have found, and one of them remembers besides, is more than there is room for.
    void check_room(Harvest& harvest, size_t besides);
    Body parent(size_t number) const;
    BodyTester& tester(uint32_t worker);

    const Language language_;
    const Examples examples_;
    const TermBank& bank_;
    const size_t most_bytes_;
    uint32_t positive_words_, words_;
    Worlds worlds_;
    const std::shared_ptr<Record> record_;
    bool recording_ = true;  // in the step at hand
    std::vector<std::unique_ptr<BodyTester>> testers_;
    Front parts_;
    std::optional<Required> required_;
    std::optional<Prices> prices_;
    std::optional<Worth> worth_;
    Level level_;                 // the bodies that are extended now
    std::vector<Level> waiting_;  // by length: those that wait
    // By length, where errors have a price and tests are slow: bodies that cover nothing, or too little to pay.
    std::vector<BodySet> failed_;
    size_t at_ = 0;       // the next body of the level to extend
    size_t portion_ = 1;  // bodies to extend in one step
    Front front_;
    std::unordered_map<uint64_t, Seen> seen_;  // by hash of the merit
    std::atomic<bool> cancel_{false};
    std::atomic<size_t> harvested_{0};             // bytes that the harvests of the step at hand take
    const std::function<void()>* poll_ = nullptr;  // of the step at hand
};

}  // namespace joiner::mining::JOINER_WIDTH
