// Reads the description of a space from Python, and offers the miner step by step. Compiled twice: see
// mining/width.hpp.
#include "bind_miner.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "bind_record.hpp"
#include "../mining/miner.hpp"
#include "python_bits.hpp"

namespace nb = nanobind;

namespace joiner {
namespace {

using mining::Body;
using mining::Forbidden;
using mining::Language;

// An attribute of the description, converted to a C++ value.
template <class Value>
Value field(nb::handle space, const char* name) {
    return nb::cast<Value>(space.attr(name));
}

// An entry is (name, types, inputs): a type for each argument or -1, and the inputs as bits.
mining::Predicate predicate(FactBase& facts, nb::handle entry) {
    const auto [name, types, inputs] = nb::cast<std::tuple<std::string, std::vector<int>, uint64_t>>(entry);
    mining::Predicate result;
    result.arity = static_cast<uint32_t>(types.size());
    if (result.arity > mining::most_arguments) throw nb::value_error("a mined predicate has too many arguments");
    result.relation = &facts.relation(name, result.arity);
    for (size_t i = 0; i < types.size(); ++i) result.types[i] = static_cast<int16_t>(types[i]);
    result.inputs = inputs;
    return result;
}

// An entry is (literals, fixed): literals as (predicate, arguments), and the head variable of each variable or -1.
Forbidden forbidden(nb::handle entry) {
    using Patterns = std::vector<std::pair<uint32_t, std::vector<uint32_t>>>;
    const auto [patterns, fixed] = nb::cast<std::pair<Patterns, std::vector<int32_t>>>(entry);
    Forbidden result;
    for (const auto& [number, args] : patterns) result.literals.push_back({number, args});
    result.fixed = fixed;
    return result;
}

// The language of the space. The limits of the core are checked here; Python must have chosen a sufficient width.
Language language(FactBase& facts, uint32_t arity, nb::handle space) {
    Language result;
    result.head_arity = arity;
    for (nb::handle entry : space.attr("predicates")) result.predicates.push_back(predicate(facts, entry));
    for (int type : field<std::vector<int>>(space, "head_types"))
        result.head_types.push_back(static_cast<int16_t>(type));
    result.required = field<mining::Variables>(space, "required");
    result.demands = field<std::vector<mining::Variables>>(space, "demands");
    result.max_variables = field<uint32_t>(space, "max_vars");
    result.max_body = field<uint32_t>(space, "max_body");
    result.singletons = field<bool>(space, "singletons");
    result.splittable = field<bool>(space, "splittable");
    result.fragments = field<bool>(space, "fragments");
    const auto wanted = field<std::vector<std::string>>(space, "prunings");
    for (const auto& [name, flag] : mining::prunings)
        result.*flag = std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    result.bits = field<bool>(space, "bits") && mining::most_arguments == mining::usual_arguments;
    for (nb::handle entry : space.attr("forbidden")) result.forbidden.push_back(forbidden(entry));
    for (const auto& [type, most] : field<std::vector<std::pair<int, uint32_t>>>(space, "most_of_type"))
        result.most_of_type.emplace_back(static_cast<int16_t>(type), most);
    result.most_of_predicate = field<std::vector<std::pair<uint32_t, uint32_t>>>(space, "most_of_predicate");
    if (result.max_variables > mining::most_variables || result.max_body > mining::most_literals ||
        arity > mining::most_variables)
        throw nb::value_error("rules are too large to be mined");
    result.prepare();
    return result;
}

}  // namespace

namespace mining::JOINER_WIDTH {

// The miner with Python's types. It refers to the facts of a store, which must outlive it.
class MinerFace {
  public:
    MinerFace(Language language, mining::Examples examples, const TermBank& bank, size_t memory, size_t recorded)
        : miner_(std::move(language), std::move(examples), bank, memory, recorded) {}

    using Sets = std::vector<nb::object>;

    // `parts` are (size, positives); `required` are sets for parts of this size and for larger ones, or None.
    void inform(const std::vector<std::pair<uint32_t, nb::object>>& parts,
                const std::optional<std::pair<Sets, Sets>>& required) {
        std::vector<std::pair<uint32_t, Bits>> known;
        for (const auto& [size, pos] : parts) known.emplace_back(size, from_int(pos, miner_.positive_words()));
        if (required) miner_.inform(std::move(known), mining::Required{bits(required->first), bits(required->second)});
        else miner_.inform(std::move(known), std::nullopt);
    }

    // Where errors have a price: what a literal costs, and what it is worth to cover each positive.
    void set_prices(int64_t literal, const std::vector<int64_t>& positives) {
        if (words_for(positives.size()) != miner_.positive_words()) throw nb::value_error("a price for each positive");
        miner_.set_prices({literal, Weights(positives)});
    }

    // Which bodies are needed: what a literal costs and covering each positive is worth, and by how much an extension may be
    // worth less than its literals; None for all.
    void set_worth(const std::optional<std::tuple<int64_t, std::vector<int64_t>, int64_t>>& worth) {
        if (!worth) return miner_.set_worth(std::nullopt);
        const auto& [literal, positives, slack] = *worth;
        if (words_for(positives.size()) != miner_.positive_words()) throw nb::value_error("a worth for each positive");
        miner_.set_worth(mining::Worth{{literal, Weights(positives)}, slack});
    }

    // By the length of bodies that wait, the most that one of them can earn, by weights of the positives.
    std::vector<std::pair<uint32_t, int64_t>> most_to_earn(const std::vector<int64_t>& earning, nb::callable stop) const {
        const Weights weights(earning);
        if (weights.words() != miner_.positive_words()) throw nb::value_error("a weight for each positive");
        return miner_.most_to_earn(weights, [&] {
            if (nb::cast<bool>(stop())) throw Stopped{};
        });
    }

    // Mines on until a step is done. The result is (level done, rules, counts, most variables). The poll takes the
    // interpreter lock every 50 ms for signals and `stop`.
    nb::tuple step(uint32_t jobs, bool every, nb::callable stop) {
        std::vector<mining::Found> found;
        mining::Tally tally;
        bool done = false;
        auto last = std::chrono::steady_clock::now();
        const auto poll = [&] {
            const auto now = std::chrono::steady_clock::now();
            if (now - last < std::chrono::milliseconds(50)) return;
            last = now;
            nb::gil_scoped_acquire python;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (nb::cast<bool>(stop())) throw Stopped{};
        };
        {
            nb::gil_scoped_release free;
            done = miner_.step(jobs, every, poll, found, tally);
        }
        nb::list rules;
        for (const mining::Found& one : found) rules.append(rule(one));
        auto of_fate = tally.of_fate;
        of_fate[static_cast<uint32_t>(mining::Fate::repeating)] = tally.repeating;
        of_fate[static_cast<uint32_t>(mining::Fate::duplicate)] = tally.duplicates;
        of_fate[static_cast<uint32_t>(mining::Fate::inherited)] = tally.inherited;
        nb::list fates;
        for (const uint64_t number : of_fate) fates.append(number);
        const uint64_t made = tally.tested + tally.repeating + tally.duplicates + tally.inherited;
        return nb::make_tuple(done, rules, nb::make_tuple(made, tally.tested, fates), tally.widest);
    }

    size_t start_level(uint32_t length) {
        if (length > miner_.language().max_body) throw nb::value_error("no body is so long");
        return miner_.start_level(length);
    }
    std::optional<uint32_t> next_length() const { return miner_.next_length(); }
    size_t waiting() const { return miner_.waiting(); }
    void exclude_waiting() { miner_.exclude_waiting(); }
    bool as_bits() const { return miner_.as_bits(); }
    double share() const { return miner_.share(); }
    std::shared_ptr<mining::Record> record() const { return miner_.record(); }

  private:
    std::vector<Bits> bits(const Sets& sets) const {
        std::vector<Bits> result;
        for (const nb::object& set : sets) result.push_back(from_int(set, miner_.positive_words()));
        return result;
    }

    // A rule's literals as (predicate, arguments), and what it covers.
    nb::tuple rule(const mining::Found& found) const {
        const nb::tuple literals = written(miner_.language(), found.body);
        if (found.coverage.empty()) return nb::make_tuple(literals, 0, nb::none());
        const uint64_t* const pos = found.coverage.data();
        const uint32_t words = miner_.positive_words();
        return nb::make_tuple(literals, to_int(pos, words), to_int(pos + words, miner_.words() - words));
    }

    mining::Miner miner_;
};

}  // namespace mining::JOINER_WIDTH

using mining::MinerFace;

// The examples are copied, positives first, as the miner numbers them.
nb::object JOINER_NAMED(make_miner)(FactBase& facts, const ExampleSet& positives, const ExampleSet& negatives, uint32_t arity,
                      nb::handle space, size_t memory) {
    mining::Examples examples;
    examples.arity = arity;
    examples.positives = positives.count();
    examples.negatives = negatives.count();
    for (const ExampleSet* set : {&positives, &negatives})
        for (uint32_t e = 0; e < set->count(); ++e)
            examples.cells.insert(examples.cells.end(), set->row(e), set->row(e) + arity);
    Language space_read = language(facts, arity, space);
    const auto recorded = field<size_t>(space, "recorded");
    return nb::cast(new MinerFace(std::move(space_read), std::move(examples), facts.bank, memory, recorded),
                    nb::rv_policy::take_ownership);
}

void JOINER_NAMED(bind_miner)(nb::module_& m) {
#ifdef JOINER_WIDE
    const char* const name = "WideMiner";
#else
    const char* const name = "Miner";
    nb::exception<mining::OutOfMemory>(m, "OutOfMemory");
#endif
    nb::class_<MinerFace>(m, name)
        .def("inform", &MinerFace::inform, nb::arg("parts"), nb::arg("required").none())
        .def("set_prices", &MinerFace::set_prices, nb::arg("literal"), nb::arg("positives"))
        .def("most_to_earn", &MinerFace::most_to_earn, nb::arg("earning"), nb::arg("stop"))
        .def("set_worth", &MinerFace::set_worth, nb::arg("worth").none())
        .def("exclude_waiting", &MinerFace::exclude_waiting)
        .def("start_level", &MinerFace::start_level, nb::arg("length"))
        .def("step", &MinerFace::step, nb::arg("jobs"), nb::arg("every"), nb::arg("stop"))
        .def_prop_ro("next_length", &MinerFace::next_length)
        .def_prop_ro("waiting", &MinerFace::waiting)
        .def_prop_ro("share", &MinerFace::share)
        .def_prop_ro("as_bits", &MinerFace::as_bits)
        .def_prop_ro("record", &MinerFace::record);
}

}  // namespace joiner
