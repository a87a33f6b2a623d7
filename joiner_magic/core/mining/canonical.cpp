// The canonical form of a body, and its parent.
// Two bodies are the same rule if a renumbering of the body-only variables turns one into the other. The canonical form
// is the same for all of them, so equal bodies are found by comparing codes. The parent is defined by this form alone,
// which makes it independent of the way in which the body came about.
#include <algorithm>

#include "language.hpp"

namespace joiner::mining::JOINER_WIDTH {

Body Language::without(const Body& body, uint32_t place) const {
    Body result;
    result.variables = head_arity;
    // Variables are numbered anew without gaps: a removed literal may take some with it.
    std::array<int8_t, most_variables> numbers;
    numbers.fill(-1);
    for (uint32_t v = 0; v < head_arity; ++v) numbers[v] = static_cast<int8_t>(v);
    for (uint32_t i = 0; i < body.length; ++i) {
        if (i == place) continue;
        Literal literal = this->literal(body.codes[i]);
        for (uint32_t a = 0; a < literal.arity; ++a) {
            int8_t& number = numbers[literal.args[a]];
            if (number < 0) number = static_cast<int8_t>(result.variables++);
            literal.args[a] = static_cast<uint8_t>(number);
        }
        result.codes[result.length++] = code(literal);
    }
    // A twin that has lost the literal next to which it stands says the same as that one.
    for (uint32_t i = 0; i < result.length; ++i) {
        if (predicates[predicate_of(result.codes[i])].twin_of < 0) continue;
        const auto end = result.codes.begin() + result.length;
        const Code of = of_twin(result.codes[i]);
        if (std::find(result.codes.begin(), end, of) == end) result.codes[i] = of;
    }
    return result;
}

namespace {

// The argument as seen by those who may not tell two exchangeable ones apart.
// Both of two exchangeable arguments have the place of the first.
uint32_t place_of(const Predicate& predicate, uint32_t argument) {
    return static_cast<int>(argument) == predicate.second ? static_cast<uint32_t>(predicate.first) : argument;
}

using Colours = std::array<uint64_t, most_variables>;

// Tells body-only variables apart: by the literals they occur in, then by the colours of the
// variables they meet there, until nothing more is told apart. Colours do not depend on numbers.
// Variables that are still alike afterwards are told apart by trying each of them as the first. Each way leads to a
// numbering, and the least body of all of them is the result. Starting from equal colours for equal roles, two bodies
// that differ in the numbers of their variables alone go through the same steps, and so end with the same body.
class Labelling {
  public:
    Labelling(const Language& language, const Body& body) : language_(language), body_(body) {
        for (uint32_t i = 0; i < body.length; ++i) literals_[i] = language.literal(body.codes[i]);
        Colours colours{};
        for (uint32_t v = 0; v < body.variables; ++v) colours[v] = v < language.head_arity ? v + 2 : 1;
        search(colours, 0);
    }

    Body best;
    uint32_t image = 0;
    bool rigid = true;

  private:
    uint32_t first() const { return language_.head_arity; }

    // How many colours the body-only variables have.
    uint32_t distinct(const Colours& colours) const {
        Colours sorted = colours;
        std::sort(sorted.begin() + first(), sorted.begin() + body_.variables);
        uint32_t count = 0;
        for (uint32_t v = first(); v < body_.variables; ++v) count += v == first() || sorted[v] != sorted[v - 1];
        return count;
    }

    // One round gives each variable a colour from its old one and from the literals around it. Sums are used where the
    // order must not matter: over the literals of a variable, and over two exchangeable arguments. It ends when all
    // variables differ, or when a round tells no more of them apart.
    void refine(Colours& colours, uint32_t known) const {
        const uint32_t all = body_.variables - first();
        while (known < all) {
            Colours next{};
            for (uint32_t i = 0; i < body_.length; ++i) {
                const Literal& literal = literals_[i];
                const Predicate& predicate = language_.predicates[literal.predicate];
                uint64_t seen = literal.predicate + 1, exchanged = 0;
                for (uint32_t a = 0; a < literal.arity; ++a) {
                    const uint64_t colour = colours[literal.args[a]];
                    if (static_cast<int>(a) == predicate.first || static_cast<int>(a) == predicate.second)
                        exchanged += mix(7, colour);
                    else seen = mix(seen, colour);
                }
                seen = mix(seen, exchanged);
                for (uint32_t a = 0; a < literal.arity; ++a)
                    next[literal.args[a]] += mix(seen, place_of(predicate, a) + 1);
            }
            for (uint32_t v = first(); v < body_.variables; ++v) colours[v] = mix(colours[v], next[v]);
            const uint32_t now = distinct(colours);
            if (now == known) break;
            known = now;
        }
    }

    // Goes on from these colours until all variables differ. `known` is the number of different colours.
    void search(Colours colours, uint32_t known) {
        refine(colours, known);
        std::array<uint8_t, most_variables> order{};
        for (uint32_t v = 0; v < body_.variables; ++v) order[v] = static_cast<uint8_t>(v);
        std::sort(order.begin() + first(), order.begin() + body_.variables,
                  [&](uint8_t a, uint8_t b) { return colours[a] != colours[b] ? colours[a] < colours[b] : a < b; });
        for (uint32_t i = first(); i + 1 < body_.variables; ++i) {
            const uint64_t colour = colours[order[i]];
            if (colours[order[i + 1]] != colour) continue;
            rigid = false;
            // Not told apart: whichever comes first may lead to the least body. Twins lead to the same ones.
            for (uint32_t j = i; j < body_.variables && colours[order[j]] == colour; ++j) {
                const auto is_twin = [&](uint8_t tried) { return are_twins(tried, order[j]); };
                if (std::any_of(order.begin() + i, order.begin() + j, is_twin)) continue;
                Colours chosen = colours;
                chosen[order[j]] = mix(colour, 11);
                search(chosen, distinct(chosen));
            }
            return;
        }
        take(order);
    }

    // Whether the body stays as it is when the two variables are exchanged: many leaves of a star would else be
    // tried in every order.
    bool are_twins(uint8_t one, uint8_t other) const {
        const auto end = body_.codes.begin() + body_.length;
        for (uint32_t i = 0; i < body_.length; ++i) {
            Literal exchanged = literals_[i];
            if (!(exchanged.variables() & (Variables(1) << one | Variables(1) << other))) continue;
            for (uint32_t a = 0; a < exchanged.arity; ++a) {
                uint8_t& arg = exchanged.args[a];
                arg = arg == one ? other : arg == other ? one : arg;
            }
            if (std::find(body_.codes.begin(), end, language_.code(exchanged)) == end) return false;
        }
        return true;
    }

    // Writes the body with the variables numbered in this order, and keeps it if it is the least so far. `image` is
    // where the last literal of the original body is found in it.
    void take(const std::array<uint8_t, most_variables>& order) {
        std::array<uint8_t, most_variables> numbers{};
        for (uint32_t i = 0; i < body_.variables; ++i) numbers[order[i]] = static_cast<uint8_t>(i);
        Body candidate;
        candidate.length = body_.length;
        candidate.variables = body_.variables;
        Code last{};
        for (uint32_t i = 0; i < body_.length; ++i) {
            Literal renumbered = literals_[i];
            for (uint32_t a = 0; a < renumbered.arity; ++a) renumbered.args[a] = numbers[renumbered.args[a]];
            candidate.codes[i] = last = language_.code(renumbered);
        }
        std::sort(candidate.codes.begin(), candidate.codes.begin() + candidate.length);
        if (best.length &&
            !std::lexicographical_compare(candidate.codes.begin(), candidate.codes.begin() + candidate.length,
                                          best.codes.begin(), best.codes.begin() + best.length))
            return;
        best = candidate;
        image = static_cast<uint32_t>(std::lower_bound(best.codes.begin(), best.codes.begin() + best.length, last) -
                                      best.codes.begin());
    }

    const Language& language_;
    const Body& body_;
    std::array<Literal, most_literals> literals_;
};

}  // namespace

Body Language::canonical(const Body& body, uint32_t& image, bool& rigid) const {
    const Labelling labelling(*this, body);
    image = labelling.image;
    rigid = labelling.rigid;
    return labelling.best;
}

// Codes are ordered by predicate first. So a literal with a later predicate than the added one comes after it in the
// canonical form as well. If the body is connected without that literal, the added one is not the last one that can be
// left out, and the body has another parent.
bool Language::is_surely_not_parent(const Body& extended) const {
    const uint32_t added = predicate_of(extended.codes[extended.length - 1]);
    for (uint32_t place = 0; place + 1 < extended.length; ++place)
        if (predicate_of(extended.codes[place]) > added && is_connected(extended, place)) return true;
    return false;
}

// Whether `parent`, in canonical form, is the parent of `child`, in canonical form. `image` is the place of the literal
// that was added. The last literal that the child stays connected without decides. If it is another one than the added
// literal, it may still be its image under a symmetry of the child; then the body without it is the same parent.
bool Language::is_parent(const Body& parent, const Body& child, uint32_t image, bool rigid) const {
    for (uint32_t place = child.length; place-- > 0;) {
        if (!is_connected(child, place)) continue;
        if (place == image) return true;
        // Only a renumbering of the child onto itself could take the one literal to the other.
        if (rigid || predicate_of(child.codes[place]) != predicate_of(child.codes[image])) return false;
        uint32_t ignored_image;
        bool ignored_rigid;
        const Body other = canonical(without(child, place), ignored_image, ignored_rigid);
        return std::equal(other.codes.begin(), other.codes.begin() + other.length, parent.codes.begin());
    }
    return false;
}

// The body from which the miner makes this one; empty for a body of one literal.
Body Language::parent(const Body& child) const {
    for (uint32_t place = child.length; place-- > 0;) {
        if (child.length == 1 || !is_connected(child, place)) continue;
        uint32_t ignored_image;
        bool ignored_rigid;
        return canonical(without(child, place), ignored_image, ignored_rigid);
    }
    return Body();
}

}  // namespace joiner::mining::JOINER_WIDTH
