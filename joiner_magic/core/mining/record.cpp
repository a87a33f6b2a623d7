// The record of tested bodies: appending, filtering, and finding by hash. neighbours.cpp has the questions about bodies
// with a literal less or more.
#include "record.hpp"

#include <algorithm>

#include "../bits.hpp"

namespace joiner::mining::JOINER_WIDTH {

// The hash of a body's length and codes, by which bodies are found in the record and among siblings.
uint64_t hash_of(const Body& canonical) {
    uint64_t hash = canonical.length;
    for (uint32_t i = 0; i < canonical.length; ++i) hash = mixed(hash, canonical.codes[i]);
    return hash;
}

namespace {

// No question about rules is one about facts, which may be gone by then.
Language without_facts(Language language) {
    for (Predicate& predicate : language.predicates) predicate.relation = nullptr;
    return language;
}

}  // namespace

Record::Record(Language language, size_t most)
    : language_(without_facts(std::move(language))),
      most_(static_cast<uint32_t>(std::min<size_t>(most, none - 1))),
      chunks_((most_ + size_t(chunk_size) - 1) / chunk_size) {}

// Entries are written first, and their number is published last, with release order: a reader that has seen the number
// sees the entries too. `count` is how many bodies were tested, which is more than the entries when there was no room.
void Record::append(const std::vector<Entry>& tested, uint64_t count) {
    uint32_t number = size_.load(std::memory_order_relaxed);
    const size_t kept = std::min<size_t>(tested.size(), most_ - number);
    for (size_t i = 0; i < kept; ++i, ++number) {
        std::unique_ptr<Chunk>& chunk = chunks_[number / chunk_size];
        if (!chunk) chunk = std::make_unique<Chunk>();
        chunk->entries[number % chunk_size] = tested[i];
    }
    missed_.fetch_add(count - kept, std::memory_order_relaxed);
    size_.store(number, std::memory_order_release);
}

// The only part of an entry that changes after it was published, hence atomic.
void Record::drop_later(uint32_t number, Fate fate) {
    if (number == none) return;
    const uint8_t later = static_cast<uint8_t>(static_cast<uint32_t>(fate) + 1);
    chunk(number).later[number % chunk_size].store(later, std::memory_order_relaxed);
}

std::pair<Fate, bool> Record::later(uint32_t number) const {
    const uint8_t later = chunk(number).later[number % chunk_size].load(std::memory_order_relaxed);
    return {static_cast<Fate>(later ? later - 1 : 0), later != 0};
}

// The canonical form, for callers that do not need the rest of what Language::canonical gives.
Body Record::canonical(const Body& body) const {
    if (!body.length) return body;
    uint32_t image;
    bool rigid;
    return language_.canonical(body, image, rigid);
}

// Builds the body again from the literals that were added, the first ancestor first. Each literal was noted in the
// numbers of its parent's canonical form, so that form is needed at each step.
Body Record::body(uint32_t number) const {
    std::array<Code, most_literals> added;
    uint32_t length = 0;
    for (; number != none; number = entry(number).parent) added[length++] = entry(number).added;
    Body body;
    body.variables = language_.head_arity;
    while (length) body = canonical(language_.extended(body, language_.literal(added[--length])));
    return body;
}

std::vector<std::array<uint32_t, fates>> Record::counts() const {
    std::vector<std::array<uint32_t, fates>> counts(language_.max_body + 1);
    for (uint32_t number = 0, last = size(); number < last; ++number) {
        const Entry& entry = this->entry(number);
        ++counts[entry.length][static_cast<uint32_t>(entry.fate)];
    }
    return counts;
}

// Parents come first, so what occurs in a body is known from its parent and the literal that was added.
// One bit for each of the filter's sets of predicates tells whether one of the set occurs. There are at most 64 sets.
std::vector<char> Record::matching(const Filter& filter, uint32_t count) const {
    std::vector<uint64_t> wanted(language_.predicates.size());  // by predicate, the sets that have it
    for (size_t set = 0; set < filter.predicates.size(); ++set)
        for (size_t p = 0; p < wanted.size(); ++p) {
            const int32_t twin_of = language_.predicates[p].twin_of;
            const uint32_t written = twin_of < 0 ? static_cast<uint32_t>(p) : static_cast<uint32_t>(twin_of);
            const auto& predicates = filter.predicates[set];
            if (std::find(predicates.begin(), predicates.end(), written) != predicates.end())
                wanted[p] |= uint64_t(1) << set;
        }
    const size_t sets = filter.predicates.size();
    const uint64_t all = sets == 64 ? ~uint64_t(0) : (uint64_t(1) << sets) - 1;
    std::vector<uint64_t> had(sets ? count : 0);
    std::vector<char> matching(count);
    std::array<bool, most_literals + 1> lengths{};
    std::array<bool, fates> of_fate{};
    lengths.fill(filter.lengths.empty());
    of_fate.fill(filter.fates.empty());
    for (uint32_t length : filter.lengths)
        if (length <= most_literals) lengths[length] = true;
    for (Fate fate : filter.fates) of_fate[static_cast<uint32_t>(fate)] = true;
    for (uint32_t number = 0; number < count; ++number) {
        const Entry& entry = this->entry(number);
        if (sets) had[number] = wanted[predicate_of(entry.added)] | (entry.parent == none ? 0 : had[entry.parent]);
        matching[number] = lengths[entry.length] && of_fate[static_cast<uint32_t>(entry.fate)] &&
                           (!sets || had[number] == all);
    }
    for (uint32_t number : filter.without)
        if (number < count) matching[number] = false;
    return matching;
}

// The number of all bodies that match, and those from `offset` on, at most `limit`. Only the page itself is sorted.
// Bodies without a count of their examples come last.
std::pair<size_t, std::vector<uint32_t>> Record::page(const Filter& filter, Order order, size_t offset,
                                                      size_t limit) const {
    const uint32_t count = size();
    const std::vector<char> matching = this->matching(filter, count);
    std::vector<std::pair<int64_t, uint32_t>> found;  // in what order, and the number
    for (uint32_t number = 0; number < count; ++number) {
        if (!matching[number]) continue;
        const Entry& entry = this->entry(number);
        const int64_t positives = entry.positives == none ? -1 : int64_t(entry.positives);
        int64_t rank = 0;  // of one length the order in which they were tested
        if (order == Order::positives) rank = -positives;
        else if (order == Order::balance)
            rank = entry.negatives == none ? INT64_MAX : int64_t(entry.negatives) - positives;
        found.emplace_back(rank, number);
    }
    const size_t total = found.size();
    const size_t first = std::min(offset, total), last = std::min(total, first + limit);
    if (order != Order::length && first < last) {
        const auto from = found.begin() + static_cast<std::ptrdiff_t>(first);
        std::nth_element(found.begin(), from, found.end());
        std::partial_sort(from, found.begin() + static_cast<std::ptrdiff_t>(last), found.end());
    }
    std::vector<uint32_t> numbers;
    for (size_t i = first; i < last; ++i) numbers.push_back(found[i].second);
    return {total, numbers};
}

// The number of the body, or `none`. The index has the upper half of the hash above the number, so it is sorted by
// hash. New entries are sorted by themselves and merged. Equal hashes are compared in full.
uint32_t Record::find(const Body& canonical) {
    const std::lock_guard<std::mutex> lock(index_mutex_);
    const uint32_t count = size();
    if (const size_t before = index_.size(); before < count) {
        for (uint32_t number = static_cast<uint32_t>(before); number < count; ++number)
            index_.push_back(entry(number).hash >> 32 << 32 | number);
        const auto middle = index_.begin() + static_cast<std::ptrdiff_t>(before);
        std::sort(middle, index_.end());
        std::inplace_merge(index_.begin(), middle, index_.end());
    }
    const uint64_t hash = hash_of(canonical);
    for (auto at = std::lower_bound(index_.begin(), index_.end(), hash >> 32 << 32);
         at != index_.end() && *at >> 32 == hash >> 32; ++at) {
        const uint32_t number = static_cast<uint32_t>(*at);
        if (entry(number).hash != hash || entry(number).length != canonical.length) continue;
        const Body other = body(number);
        if (std::equal(other.codes.begin(), other.codes.begin() + other.length, canonical.codes.begin())) return number;
    }
    return none;
}

}  // namespace joiner::mining::JOINER_WIDTH
