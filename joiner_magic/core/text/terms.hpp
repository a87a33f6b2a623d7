// Ground terms, hash-consed: equal terms have equal ids, so the rest of the core compares integers.
// A bank holds the terms. Ids are only meaningful within their bank; `copy` carries a term from one bank to another.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace joiner {

using TermId = uint32_t;
constexpr TermId no_term = UINT32_MAX;

enum class Kind : uint8_t { symbol, integer, big_integer, real, string, compound };

// Mixes a value into a hash. It is used throughout the core; results are the same on every machine.
inline uint64_t mix(uint64_t h, uint64_t value) {
    h ^= value + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdULL;
    return h ^ (h >> 32);
}

// A list is a chain of compounds named list_functor with two arguments, ending in the symbol "[]".
constexpr const char* list_functor = "[|]";

// Terms are only added, so an id stays valid as long as the bank. Ids are given in order, from 0, and the arguments of
// a compound have smaller ids than the compound. Not for several threads while terms are added.
class TermBank {
  public:
    TermId symbol(std::string_view text) { return named(Kind::symbol, text); }
    TermId string(std::string_view text) { return named(Kind::string, text); }
    // An integer beyond 64 bits, by its decimal digits.
    TermId big_integer(std::string_view digits) { return named(Kind::big_integer, digits); }

    TermId integer(int64_t value) { return plain(Kind::integer, static_cast<uint64_t>(value)); }

    // Interned by bit pattern: 1.0 differs from 1, and 0.0 from -0.0, as in Prolog.
    TermId real(double value) {
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        return plain(Kind::real, bits);
    }

    // The compound with these arguments, which must be in this bank. `args` must not point into the bank itself.
    TermId compound(std::string_view functor, const TermId* args, uint32_t arity) {
        const TermId name = symbol(functor);
        uint64_t h = mix(name, arity);
        for (uint32_t i = 0; i < arity; ++i) h = mix(h, args[i]);
        auto [first, last] = compounds_.equal_range(h);
        for (; first != last; ++first) {
            const Node& node = nodes_[first->second];
            if (node.payload == name && node.arity == arity &&
                std::memcmp(&args_[node.first], args, arity * sizeof(TermId)) == 0)
                return first->second;
        }
        Node node{Kind::compound, arity, static_cast<uint32_t>(args_.size()), name};
        args_.insert(args_.end(), args, args + arity);
        const TermId id = push(node);
        compounds_.emplace(h, id);
        return id;
    }

    size_t size() const { return nodes_.size(); }
    Kind kind(TermId id) const { return nodes_[id].kind; }
    // Text of a symbol, string or big integer; the functor of a compound.
    std::string_view text(TermId id) const {
        const Node& node = nodes_[id];
        return node.kind == Kind::compound ? text(static_cast<TermId>(node.payload)) : texts_[node.payload];
    }
    int64_t integer_value(TermId id) const { return static_cast<int64_t>(nodes_[id].payload); }
    double real_value(TermId id) const {
        double value;
        std::memcpy(&value, &nodes_[id].payload, sizeof value);
        return value;
    }
    uint32_t arity(TermId id) const { return nodes_[id].arity; }
    const TermId* args(TermId id) const { return &args_[nodes_[id].first]; }

    // The same term in this bank. `known` maps ids of `other` to ids here; grow it to other.size()
    // with no_term first. Arguments have smaller ids than the compounds that hold them, so
    // translating in id order never recurses.
    TermId copy(const TermBank& other, TermId id, std::vector<TermId>& known) {
        if (known[id] != no_term) return known[id];
        const Kind k = other.kind(id);
        TermId here = no_term;
        switch (k) {
            case Kind::integer: here = integer(other.integer_value(id)); break;
            case Kind::real: here = real(other.real_value(id)); break;
            case Kind::symbol: case Kind::string: case Kind::big_integer: here = named(k, other.text(id)); break;
            case Kind::compound: here = copy_compound(other, id, known); break;
        }
        return known[id] = here;
    }

  private:
    struct Node {
        Kind kind;
        uint32_t arity;
        uint32_t first;    // compound: where its arguments start in args_
        uint64_t payload;  // text index, integer bits, real bits, or the functor's symbol
    };

    TermId push(const Node& node) {
        nodes_.push_back(node);
        return static_cast<TermId>(nodes_.size() - 1);
    }

    // Numbers are found by their bits, integers and reals apart from each other.
    TermId plain(Kind kind, uint64_t bits) {
        auto& known = kind == Kind::integer ? integers_ : reals_;
        auto [it, fresh] = known.try_emplace(bits, static_cast<TermId>(nodes_.size()));
        if (fresh) push({kind, 0, 0, bits});
        return it->second;
    }

    // Symbols, strings and big integers are found by their text, each kind apart from the others.
    TermId named(Kind kind, std::string_view text) {
        auto& known = kind == Kind::symbol ? symbols_ : kind == Kind::string ? strings_ : bigs_;
        if (auto it = known.find(text); it != known.end()) return it->second;
        texts_.emplace_back(text);
        const TermId id = push({kind, 0, 0, texts_.size() - 1});
        known.emplace(texts_.back(), id);  // a deque's strings never move
        return id;
    }

    // Lists can be long: walk the chain of tails with a stack of our own instead of recursing.
    TermId copy_compound(const TermBank& other, TermId id, std::vector<TermId>& known) {
        std::vector<TermId> todo{id};
        std::vector<TermId> here;
        while (!todo.empty()) {
            const TermId at = todo.back();
            if (known[at] != no_term) { todo.pop_back(); continue; }
            if (other.kind(at) != Kind::compound) { copy(other, at, known); todo.pop_back(); continue; }
            bool ready = true;
            for (uint32_t i = 0; i < other.arity(at); ++i)
                if (const TermId arg = other.args(at)[i]; known[arg] == no_term) { todo.push_back(arg); ready = false; }
            if (!ready) continue;
            here.clear();
            for (uint32_t i = 0; i < other.arity(at); ++i) here.push_back(known[other.args(at)[i]]);
            known[at] = compound(other.text(at), here.data(), other.arity(at));
            todo.pop_back();
        }
        return known[id];
    }

    std::vector<Node> nodes_;
    std::vector<TermId> args_;
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, TermId> symbols_, strings_, bigs_;
    std::unordered_map<uint64_t, TermId> integers_, reals_;
    std::unordered_multimap<uint64_t, TermId> compounds_;
};

}  // namespace joiner
