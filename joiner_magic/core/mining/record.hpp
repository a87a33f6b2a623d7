// What a miner has tested, for those who ask afterwards: each body once, and what became of it.
//
// A body is its parent's number and the literal that was added, so an entry is 32 bytes however long the body is;
// body() builds it again. Entries are in chunks that never move, and their number is published after they are
// written: one thread appends while others ask, and nobody waits. A record points to nothing but itself: it outlives
// the miner, and the facts.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "language.hpp"

namespace joiner::mining::JOINER_WIDTH {

// `hopeless` is said of a body that is no rule yet: what is below it and a rule covers no positive example. The body
// itself may cover some, because of values that no rule can reach (worlds.hpp).
enum class Fate : uint8_t {
    nothing,
    consistent,
    subsumed,
    too_large,
    fragment,
    partial,
    dominated,
    implied,
    hopeless,
    unprofitable,
    // What no tested body is called: the search had not come so far; by the facts the body repeats itself; it was made
    // before; it has all literals of a body that covers nothing, or too little to pay.
    unfinished,
    repeating,
    duplicate,
    inherited
};
constexpr uint32_t fates = 14;
// By number. joiner_magic/search/fate.py has what each says, under this name.
constexpr std::array<const char*, fates> fate_names = {"nothing",  "consistent", "subsumed",   "too_large",
                                                       "fragment", "partial",    "dominated",  "implied",
                                                       "hopeless", "unprofitable", "unfinished", "repeating",
                                                       "duplicate", "inherited"};

// The hash by which a body in canonical form is found.
uint64_t hash_of(const Body& canonical);

// All methods but `append` and `drop_later` may be called by any thread at any time.
class Record {
  public:
    static constexpr uint32_t none = UINT32_MAX;  // no number; of examples: not counted

    struct Entry {
        Code added;  // in the numbers of the parent's canonical form
        uint64_t hash;
        uint32_t parent;  // `none` for bodies of one literal
        uint32_t positives, negatives;
        uint8_t length;
        Fate fate;
        bool legal;
    };
    // Bodies that are asked for; what is empty asks for nothing.
    struct Filter {
        std::vector<uint32_t> lengths;
        std::vector<Fate> fates;
        std::vector<std::vector<uint32_t>> predicates;  // of each set one occurs
        std::vector<uint32_t> without;                  // numbers that are left out
    };
    enum class Order { length, positives, balance };  // the last: positives minus negatives

    // Why a body was never made: `cause` is `none` where the search had not come so far, or where by the facts the body
    // repeats itself.
    struct Cut {
        uint32_t cause;
        Fate kind;
    };
    struct Specialisations {
        std::vector<uint32_t> made;
        std::vector<std::pair<Body, Cut>> never_made;
    };

    Record(Language language, size_t most);

    // One thread appends, in steps; what does not fit is counted only.
    void append(const std::vector<Entry>& tested, uint64_t count);
    // The body is not extended, because more is known now than when it was tested.
    void drop_later(uint32_t number, Fate fate);
    uint32_t room() const { return most_ - size(); }

    uint32_t size() const { return size_.load(std::memory_order_acquire); }
    uint64_t missed() const { return missed_.load(std::memory_order_relaxed); }
    const Language& language() const { return language_; }
    const Entry& entry(uint32_t number) const { return chunk(number).entries[number % chunk_size]; }
    std::pair<Fate, bool> later(uint32_t number) const;  // and whether there is one
    Body body(uint32_t number) const;

    std::vector<std::array<uint32_t, fates>> counts() const;  // by length and fate
    std::pair<size_t, std::vector<uint32_t>> page(const Filter& filter, Order order, size_t offset, size_t limit) const;
    uint32_t find(const Body& canonical);

    // neighbours.cpp: the bodies with a literal less, or more.
    std::vector<uint32_t> generalisations(uint32_t number);
    Specialisations specialisations(uint32_t number);
    std::vector<Body> sample_of_cut(uint32_t number, size_t how_many, uint64_t seed);

    Body canonical(const Body& body) const;

  private:
    static constexpr uint32_t chunk_size = 4096;
    struct Chunk {
        std::array<Entry, chunk_size> entries;
        std::array<std::atomic<uint8_t>, chunk_size> later;  // a fate and 1, or 0
    };

    Chunk& chunk(uint32_t number) const { return *chunks_[number / chunk_size]; }
    std::vector<char> matching(const Filter& filter, uint32_t count) const;
    bool is_cut(uint32_t number, Fate& kind) const;
    Cut cause(const Body& body, uint32_t above);

    const Language language_;
    const uint32_t most_;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    std::atomic<uint32_t> size_{0};
    std::atomic<uint64_t> missed_{0};

    std::mutex index_mutex_;       // of those who ask
    std::vector<uint64_t> index_;  // half a hash and a number each, in order; made when it is first asked for
};

}  // namespace joiner::mining::JOINER_WIDTH
