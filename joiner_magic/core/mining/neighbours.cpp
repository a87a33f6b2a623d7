// The neighbours of a recorded body in the lattice: with a literal less, with a literal more, and what was never made.
#include <algorithm>
#include <random>
#include <set>

#include "record.hpp"

namespace joiner::mining::JOINER_WIDTH {

namespace {

// Of predicates with many arguments there are more extensions than anyone can wait for.
// Beyond this the answer about specialisations is incomplete.
constexpr size_t most_extensions = 50'000;
constexpr size_t tries_per_sample = 50;

using Codes = std::vector<Code>;

Codes codes_of(const Body& body) { return {body.codes.begin(), body.codes.begin() + body.length}; }

}  // namespace

// All recorded bodies that result from leaving out one literal. What is left may be disconnected; then it is not found.
std::vector<uint32_t> Record::generalisations(uint32_t number) {
    const Body body = this->body(number);
    std::vector<uint32_t> found;
    for (uint32_t place = 0; body.length > 1 && place < body.length; ++place) {
        const uint32_t above = find(canonical(language_.without(body, place)));
        if (above != none && std::find(found.begin(), found.end(), above) == found.end()) found.push_back(above);
    }
    return found;
}

// Whether the body was not extended, because of what its test showed or of what became known later. `kind` is the fate
// that says why.
bool Record::is_cut(uint32_t number, Fate& kind) const {
    const Fate fate = entry(number).fate;
    const auto [later, is_later] = this->later(number);
    const bool open = fate == Fate::fragment || fate == Fate::partial || fate == Fate::dominated;
    kind = open ? later : fate;
    return !open || is_later;
}

// Why a body was never made. What it specialises comes before the body that it would have been made from: both are
// reasons, and the first is what a person looks at.
Record::Cut Record::cause(const Body& body, uint32_t above) {
    Fate kind;
    if (is_cut(above, kind)) return {above, kind};
    for (uint32_t place = 0; place < body.length; ++place) {
        const uint32_t number = find(canonical(language_.without(body, place)));
        if (number != none && is_cut(number, kind)) return {number, kind};
    }
    // The bodies from which it would have come, one generation after the other. The first that is recorded, or that
    // repeats itself, decides. If it was extended, the body is only missing because the search had not come so far.
    for (Body lost = body; lost.length; lost = language_.parent(lost)) {
        if (language_.repeats_itself(lost)) return {none, Fate::implied};
        const uint32_t number = find(lost);
        if (number == none) continue;
        if (is_cut(number, kind)) return {number, kind};
        break;
    }
    return {none, Fate::unfinished};
}

// The bodies with one literal more, as far as the space has them: those that were made, by number, and the others with
// the reason. Different literals can give the same body, which is listed once.
Record::Specialisations Record::specialisations(uint32_t number) {
    const Body body = this->body(number);
    Specialisations result;
    if (body.length == language_.max_body) return result;
    const std::vector<Literal> extensions = language_.extensions(body, most_extensions);
    std::set<Codes> seen;
    for (const Literal& literal : extensions) {
        const Body extended = language_.extended(body, literal);
        if (!language_.can_become_legal(extended)) continue;
        const Body child = canonical(extended);
        if (!seen.insert(codes_of(child)).second) continue;
        if (const uint32_t made = find(child); made != none) result.made.push_back(made);
        else result.never_made.emplace_back(child, cause(child, number));
    }
    return result;
}

// Random legal specialisations that were never made. Each try adds a random number of literals one by one. There are
// only so many tries, so that it ends where there is nothing to be found.
std::vector<Body> Record::sample_of_cut(uint32_t number, size_t how_many, uint64_t seed) {
    const Body body = this->body(number);
    std::vector<Body> found;
    std::set<Codes> seen;
    std::mt19937_64 random(seed);
    const uint32_t room = language_.max_body - body.length;
    for (size_t tried = 0; room && tried < how_many * tries_per_sample && found.size() < how_many; ++tried) {
        Body below = body;
        for (uint64_t more = 1 + random() % room; more; --more) {
            const std::vector<Literal> extensions = language_.extensions(below, most_extensions);
            if (extensions.empty()) break;
            below = canonical(language_.extended(below, extensions[random() % extensions.size()]));
        }
        if (below.length == body.length || !language_.is_legal(below)) continue;
        if (seen.insert(codes_of(below)).second && find(below) == none) found.push_back(below);
    }
    return found;
}

}  // namespace joiner::mining::JOINER_WIDTH
