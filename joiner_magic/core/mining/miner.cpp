// The miner: goes through the bodies level by level, with threads, and decides what becomes of each. A step extends a
// portion of the level. Workers fill harvests, one for each block of bodies, and the calling thread gathers them in
// order.
#include "miner.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "../bits.hpp"

namespace joiner::mining::JOINER_WIDTH {

namespace {

constexpr size_t block = 32;  // bodies that a worker extends at a time
constexpr size_t tests_per_step = 30'000;

// A hash of a coverage or a merit.
uint64_t hash_words(const uint64_t* words, size_t count) {
    uint64_t h = count;
    for (size_t i = 0; i < count; ++i) h = mix(h, words[i]);
    return h;
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
    tested += other.tested;
    for (uint32_t fate = 0; fate < fates; ++fate) of_fate[fate] += other.of_fate[fate];
    duplicates += other.duplicates;
    inherited += other.inherited;
    repeating += other.repeating;
    widest = std::max(widest, other.widest);
    return *this;
}

void Tally::count(Fate fate) {
    ++tested;
    ++of_fate[static_cast<uint32_t>(fate)];
}

// A body turned out to be something else when the harvest was gathered. It was counted once and stays so.
void Tally::change(Fate before, Fate after) {
    --of_fate[static_cast<uint32_t>(before)];
    ++of_fate[static_cast<uint32_t>(after)];
}

// The first level to be started has the empty body alone, from which all bodies of one literal are made.
Miner::Miner(Language language, Examples examples, const TermBank& bank, size_t most_bytes, size_t most_recorded)
    : language_(std::move(language)),
      examples_(std::move(examples)),
      bank_(bank),
      most_bytes_(most_bytes),
      positive_words_(static_cast<uint32_t>(words_for(examples_.positives))),
      words_(positive_words_ + static_cast<uint32_t>(words_for(examples_.negatives))),
      worlds_(language_, examples_, most_bytes),
      record_(std::make_shared<Record>(language_, most_recorded)),
      parts_(positive_words_), front_(words_ + 2) {
    // The body without literals covers everything.
    Coverage all(words_, 0);
    for (uint32_t e = 0; e < examples_.positives; ++e) insert(all.data(), e);
    for (uint32_t e = 0; e < examples_.negatives; ++e) insert(all.data() + positive_words_, e);
    for (uint32_t length = 0; length <= language_.max_body; ++length) {
        waiting_.emplace_back(length);
        failed_.emplace_back(length);
    }
    Level& first = waiting_.front();
    first.count = 1;
    first.variables.push_back(static_cast<uint8_t>(language_.head_arity));
    first.numbers.push_back(Record::none);
    first.coverages.push_back(intern(all.data(), first.covered, first.known));
}

// Replaces what is known about parts. `parts` are sizes and coverages of parts and of unions of parts; a body that
// covers no more than one of them, without being smaller, is not needed.
void Miner::inform(std::vector<std::pair<uint32_t, Bits>> parts, std::optional<Required> required) {
    // The cheapest and largest first, so that few are kept.
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    parts_ = Front(positive_words_);
    for (const auto& [size, covered] : parts) parts_.add(size, covered.data());
    required_ = std::move(required);
}

// The bodies of this length that are needed become the level, and the others wait on. The hashes of the level's coverages are
// only needed while coverages are added, so their memory is given back.
size_t Miner::start_level(uint32_t length) {
    level_ = std::move(waiting_[length]);
    waiting_[length] = Level(length);
    level_.known.clear();
    at_ = 0;
    portion_ = std::min<size_t>(portion_, 256);
    if (!worth_) return level_.count;
    const Level all = std::move(level_);
    level_ = Level(length);
    for (size_t number = 0; number < all.count; ++number) {
        const uint64_t* const coverage = all.covered.data() + size_t(all.coverages[number]) * words_;
        wait(is_needed(coverage, length) ? level_ : waiting_[length], all, number);
    }
    level_.known.clear();
    return level_.count;
}

// Appends a body of one level to another.
void Miner::wait(Level& level, const Level& from, size_t number) const {
    const auto codes = from.codes.begin() + number * from.length;
    level.codes.insert(level.codes.end(), codes, codes + from.length);
    level.variables.push_back(from.variables[number]);
    level.numbers.push_back(from.numbers[number]);
    const uint64_t* const coverage = from.covered.data() + size_t(from.coverages[number]) * words_;
    level.coverages.push_back(intern(coverage, level.covered, level.known));
    ++level.count;
}

void Miner::exclude_waiting() {
    for (const Level& level : waiting_)
        for (const uint32_t number : level.numbers) record_->drop_later(number, Fate::too_large);
}

size_t Miner::waiting() const {
    size_t count = 0;
    for (const Level& level : waiting_) count += level.count;
    return count;
}

std::optional<uint32_t> Miner::next_length() const {
    for (const Level& level : waiting_)
        for (size_t first = 0; first < level.covered.size(); first += words_)
            if (is_needed(level.covered.data() + first, level.length)) return level.length;
    return std::nullopt;
}

// A body of the level, put together from the arrays in which levels are stored.
Body Miner::parent(size_t number) const {
    Body body;
    body.length = level_.length;
    body.variables = level_.variables[number];
    std::copy_n(level_.codes.begin() + number * level_.length, level_.length, body.codes.begin());
    return body;
}

// The tester of a worker. Testers are made before the threads start, one for each, as they hold what changes.
BodyTester& Miner::tester(uint32_t worker) {
    while (testers_.size() <= worker) {
#ifndef JOINER_WIDE  // bits are for literals over a few variables
        if (as_bits()) {
            testers_.push_back(std::make_unique<BitTester>(language_, worlds_));
            continue;
        }
#endif
        testers_.push_back(std::make_unique<PlanTester>(language_, examples_, bank_, cancel_, [this] {
            if (poll_) (*poll_)();
        }));
    }
    return *testers_[worker];
}

// Extends the next portion of the level. The calling thread is worker 0 and polls between bodies. Workers take blocks
// from a shared counter, so the work is spread evenly, and each block has a harvest of its own, so the result does not
// depend on which worker did what. The first exception that any worker throws stops the others and is thrown again
// here.
bool Miner::step(uint32_t jobs, bool every, const std::function<void()>& poll, std::vector<Found>& found,
                 Tally& tally) {
    cancel_.store(false, std::memory_order_relaxed);
    const size_t last = std::min(level_.count, at_ + portion_);
    const size_t blocks = (last - at_ + block - 1) / block;
    if (!as_bits()) jobs = 1;  // the evaluator makes its indexes when it needs them
    const uint32_t workers = static_cast<uint32_t>(std::clamp<size_t>(jobs, 1, std::max<size_t>(blocks, 1)));
    std::vector<Harvest> harvests(blocks);
    std::atomic<size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable one_finished;
    uint32_t finished = 0;
    const auto fail = [&] {
        cancel_.store(true, std::memory_order_relaxed);
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure) failure = std::current_exception();
    };
    const std::function<void()> look = [&] {
        if (cancel_.load(std::memory_order_relaxed)) throw Stopped{};
    };
    const std::function<void()> look_and_poll = [&] {
        look();
        poll();
    };
    poll_ = &poll;
    recording_ = record_->room() > 0;
    harvested_.store(0, std::memory_order_relaxed);
    const auto work = [&](uint32_t worker) {
        try {
            for (size_t b; (b = next.fetch_add(1)) < blocks;) {
                const size_t first = at_ + b * block;
                harvest(first, std::min(last, first + block), *testers_[worker], every, worker ? look : look_and_poll,
                        harvests[b]);
            }
        } catch (...) {
            fail();
        }
        const std::lock_guard<std::mutex> lock(mutex);
        ++finished;
        one_finished.notify_one();
    };
    tester(workers - 1);
    std::vector<std::thread> threads;
    for (uint32_t worker = 1; worker < workers; ++worker) threads.emplace_back(work, worker);
    work(0);
    // The others may take a while for what they have begun: meanwhile this thread still listens.
    for (std::unique_lock<std::mutex> lock(mutex); finished < workers;) {
        one_finished.wait_for(lock, std::chrono::milliseconds(20));
        lock.unlock();
        try {
            if (!cancel_.load(std::memory_order_relaxed)) poll();
        } catch (...) {
            fail();
        }
        lock.lock();
    }
    // All threads have finished before an exception leaves this function, as they refer to its variables.
    for (std::thread& thread : threads) thread.join();
    poll_ = nullptr;
    if (failure) std::rethrow_exception(failure);
    Tally step;
    for (Harvest& harvest : harvests) {
        poll();  // thousands of fragments against a large front take a while
        gather(harvest, every, found, step);
    }
    tally += step;
    at_ = last;
    size_t bytes = level_.bytes() + worlds_.bytes() + front_.size() * (words_ + 2) * 16;
    for (const Level& level : waiting_) bytes += level.bytes();
    for (const BodySet& failed : failed_) bytes += failed.bytes();
    if (bytes > most_bytes_)
        throw OutOfMemory{};
    // About as many tests each time: by what they took this time, which does not depend on the clock.
    if (step.tested * 2 < tests_per_step) portion_ *= 2;
    else if (step.tested > tests_per_step * 2) portion_ = std::max<size_t>(1, portion_ / 2);
    return at_ == level_.count;
}

// Extends the bodies `first` to `last` - 1 of the level with one worker's tester. A body is skipped if parts or
// requirements that became known after its test make every extension superfluous: extensions are larger than the body
// and cover no more. Sizes of parts count the head as one literal.
void Miner::harvest(size_t first, size_t last, BodyTester& tester, bool every, const std::function<void()>& look,
                    Harvest& result) {
    for (size_t number = first; number < last; ++number) {
        const uint64_t* const coverage = level_.covered.data() + size_t(level_.coverages[number]) * words_;
        // More is known by now than when it was tested.
        if (!pays(coverage, level_.length + 1)) {
            result.not_extended.emplace_back(level_.numbers[number], Fate::unprofitable);
            continue;
        }
        const bool subsumed = is_subsumed(coverage, level_.length + 1);
        if (subsumed || (required_ && is_too_large(coverage, required_->here))) {
            result.not_extended.emplace_back(level_.numbers[number], subsumed ? Fate::subsumed : Fate::too_large);
            continue;
        }
        const Body body = parent(number);
        Goal goal;
        if (required_ && !every) goal = {&required_->here, required_->beyond.empty()};
        tester.load(body, coverage, goal);
        grow({body, level_.numbers[number], goal.consistent}, tester, every, look, result);
    }
}

// Makes and tests the children of one body. The checks come in the order of their cost. A child is dropped without a
// test if another body is its parent, if it cannot become legal, or if the facts alone make it superfluous. The
// canonical form, which is costly, is only computed for what the first checks leave. `tried` counts literals that were
// dropped too, so that a predicate with very many of them can still be interrupted.
void Miner::grow(const Parent& parent, BodyTester& tester, bool every, const std::function<void()>& look,
                 Harvest& result) {
    BodySet siblings(parent.body.length + 1);
    Coverage coverage;
    size_t tried = 0;
    language_.extensions(parent.body, [&](const Literal& literal) {
        if (++tried % 64 == 0) {
            look();
            check_room(result, siblings.bytes());
        }
        const Body body = language_.extended(parent.body, literal);
        if (language_.is_surely_not_parent(body)) {
            ++result.tally.duplicates;
            return;
        }
        if (!language_.can_become_legal(body)) return;
        if (language_.repeats_itself(body)) {
            ++result.tally.repeating;
            return;
        }
        uint32_t image;
        bool rigid;
        const Body canonical = language_.canonical(body, image, rigid);
        const uint64_t hash = hash_of(canonical);
        if (!language_.is_parent(parent.body, canonical, image, rigid) || !siblings.insert(canonical, hash)) {
            ++result.tally.duplicates;
            return;
        }
        look();
        if (remembers_failed() && fails_without_some_literal(canonical)) {
            ++result.tally.inherited;
            remember_failed(canonical, hash);
            return;
        }
        Record::Entry entry{};
        entry.added = language_.code(literal);
        entry.hash = hash;
        entry.parent = parent.number;
        entry.length = static_cast<uint8_t>(canonical.length);
        entry.legal = language_.is_legal(canonical);
        entry.fate = judge(canonical, literal, parent, tester, every, coverage, entry);
        const bool fails = entry.fate == Fate::nothing || entry.fate == Fate::hopeless || entry.fate == Fate::unprofitable;
        if (fails && remembers_failed()) remember_failed(canonical, hash);
        keep(canonical, entry, coverage, every, result);
        // Where nothing is joined, nothing is handed over to the join; still it is a whole rule.
        if (entry.fate == Fate::partial && entry.legal) entry.fate = Fate::fragment;
        result.tally.count(entry.fate);
        if (recording_) result.tested.push_back(entry);
    });
}

// Whether a body that has all literals of this one but one is known to cover nothing, or too little to pay (P1). Then this one
// does too, as it covers no more and is larger. The body that it is made from is not among these, or it would not be extended;
// but it may be another one, of which this one would be made a second time. Where facts are laid out as bits a test takes less
// time than to look for that.
bool Miner::fails_without_some_literal(const Body& canonical) const {
    if (canonical.length < 2) return false;
    const BodySet& failed = failed_[canonical.length - 1];
    for (uint32_t place = 0; place < canonical.length; ++place) {
        if (!language_.is_connected(canonical, place)) continue;
        uint32_t ignored_image;
        bool ignored_rigid;
        const Body smaller = language_.canonical(language_.without(canonical, place), ignored_image, ignored_rigid);
        if (failed.has(smaller, hash_of(smaller))) return true;
    }
    return false;
}

// Bodies of the greatest length have no extensions that could ask for them. The tests are those of one thread then (`step`).
void Miner::remember_failed(const Body& canonical, uint64_t hash) {
    if (canonical.length < language_.max_body) failed_[canonical.length].insert(canonical, hash);
}

// `harvest.counted` is what this harvest has added to the shared sum so far; only the growth is added.
void Miner::check_room(Harvest& harvest, size_t besides) {
    const size_t bytes = harvest.bytes();
    const size_t added = bytes - harvest.counted;
    harvest.counted = bytes;
    if (harvested_.fetch_add(added, std::memory_order_relaxed) + added + besides > most_bytes_) throw OutOfMemory{};
}

// Appends the body to the children of the harvest if it is wanted by the caller or has to be extended. `coverage` is
// stored once for all children of the harvest that cover the same examples. Bodies that reach no positive are only kept
// with `every`.
void Miner::keep(const Body& body, const Record::Entry& entry, const Coverage& coverage, bool every,
                 Harvest& result) const {
    const uint32_t place = static_cast<uint32_t>(result.tested.size());
    const Fate fate = entry.fate;
    if (fate == Fate::nothing && every && entry.legal)
        result.children.push_back({body, UINT32_MAX, fate, true, false, place});
    if (!entry.positives || fate == Fate::implied || entry.positives == Record::none) return;
    result.tally.widest = std::max(result.tally.widest, body.variables - language_.head_arity +
                                                            count_ones(language_.mentioned(body)));
    const bool extend = (fate == Fate::fragment || fate == Fate::partial) && body.length < language_.max_body;
    const bool wanted = every ? entry.legal : fate == Fate::fragment || fate == Fate::consistent;
    if (!extend && !wanted) return;
    const uint32_t number = intern(coverage.data(), result.covered, result.known);
    result.children.push_back({body, number, fate, entry.legal, extend, place});
}

// One look at each coverage is enough, as coverages are stored once for all bodies that share them.
std::vector<std::pair<uint32_t, int64_t>> Miner::most_to_earn(const Weights& earning,
                                                              const std::function<void()>& poll) const {
    std::vector<std::pair<uint32_t, int64_t>> most_by_length;
    for (const Level& level : waiting_) {
        int64_t most = -1;
        for (size_t first = 0; first < level.covered.size(); first += words_) {
            if (first / words_ % 4096 == 0) poll();
            const uint64_t* const positives = level.covered.data() + first;
            if (pays(positives, level.length + 1)) most = std::max(most, earning.sum(positives));
        }
        if (most >= 0) most_by_length.emplace_back(level.length, most);
    }
    return most_by_length;
}

// The number of a coverage among those in `covered`; it is added if it is new. Many bodies cover the same examples, so
// levels hold coverages once.
uint32_t Miner::intern(const uint64_t* coverage, std::vector<uint64_t>& covered,
                       std::unordered_multimap<uint64_t, uint32_t>& known) const {
    const uint64_t hash = hash_words(coverage, words_);
    const auto [first, last] = known.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (std::equal(coverage, coverage + words_, covered.begin() + size_t(entry->second) * words_))
            return entry->second;
    const uint32_t number = static_cast<uint32_t>(known.size());
    covered.insert(covered.end(), coverage, coverage + words_);
    known.emplace(hash, number);
    return number;
}

// What a fragment is good for in the join: the positives it covers, the negatives it does not, the required head
// variables it mentions, the demands under which it makes progress and those under which it is not stuck. If one merit
// contains another and costs no more, that fragment can replace the other one in each conjunction.
Bits Miner::merit(const Body& body, const uint64_t* coverage) const {
    Bits merit(words_ + 2);
    for (uint32_t w = 0; w < positive_words_; ++w) merit[w] = coverage[w];
    for (uint32_t w = positive_words_; w < words_; ++w) merit[w] = ~coverage[w];
    const auto [progress, stuck] = language_.profile(body);
    merit[words_] = language_.mentioned(body) & language_.required;
    merit[words_ + 1] = progress << 32 | (~stuck & 0xffffffffu);
    return merit;
}

// Whether no fragment before is as good; of equals one with more variables is preferred.
bool Miner::is_new_fragment(const Child& child, const uint64_t* coverage) {
    const Bits merit = this->merit(child.body, coverage);
    const auto [known, fresh] =
        seen_.try_emplace(hash_words(merit.data(), merit.size()), Seen{child.body.length, child.body.variables});
    if (fresh) return front_.add(child.body.length, merit.data());
    Seen& seen = known->second;
    if (seen.cost < child.body.length || seen.variables >= child.body.variables) return false;
    seen.variables = child.body.variables;
    return true;
}

// Takes over what a worker found: hands over parts and new fragments, and appends to the next level what is to be
// extended. This is done by the calling thread, in the order of the blocks. Coverages get new numbers, since those of
// the harvest are its own. Numbers in the record follow from the number of entries before this harvest.
void Miner::gather(Harvest& harvest, bool every, std::vector<Found>& found, Tally& tally) {
    tally += harvest.tally;
    std::vector<uint32_t> numbers(harvest.known.size(), UINT32_MAX);
    Level& next = waiting_[std::min(level_.length + 1, language_.max_body)];
    const uint32_t first = record_->size();
    for (const Child& child : harvest.children) {
        const uint64_t* const coverage =
            child.coverage == UINT32_MAX ? nullptr : harvest.covered.data() + size_t(child.coverage) * words_;
        bool hand_over = every ? child.legal : child.fate == Fate::consistent;
        if (child.fate == Fate::fragment && !every) {
            hand_over = is_new_fragment(child, coverage);
            if (!hand_over) tally.change(Fate::fragment, Fate::dominated);
            if (!hand_over && recording_) harvest.tested[child.tested].fate = Fate::dominated;
        }
        if (hand_over) found.push_back({child.body, coverage ? Coverage(coverage, coverage + words_) : Coverage()});
        if (!child.extend) continue;
        uint32_t& number = numbers[child.coverage];
        if (number == UINT32_MAX) number = intern(coverage, next.covered, next.known);
        next.codes.insert(next.codes.end(), child.body.codes.begin(), child.body.codes.begin() + child.body.length);
        next.variables.push_back(static_cast<uint8_t>(child.body.variables));
        next.numbers.push_back(recording_ && child.tested < record_->room() ? first + child.tested : Record::none);
        next.coverages.push_back(number);
        ++next.count;
    }
    record_->append(harvest.tested, harvest.tally.tested);
    for (const auto& [number, fate] : harvest.not_extended) record_->drop_later(number, fate);
    harvest = Harvest();
}

}  // namespace joiner::mining::JOINER_WIDTH
