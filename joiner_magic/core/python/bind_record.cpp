// Questions about tested bodies. Bodies cross as tuples of (predicate, arguments), fates as numbers in FATES.
#include "bind_record.hpp"

#include "bind_miner.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <optional>

#include "../mining/record.hpp"

namespace nb = nanobind;

namespace joiner {

using mining::Body;
using mining::Fate;
using mining::Record;

nb::tuple written(const mining::Language& language, const Body& body) {
    nb::list literals;
    for (uint32_t i = 0; i < body.length; ++i) {
        const mining::Literal literal = language.written(body.codes[i]);
        nb::list args;
        for (uint32_t a = 0; a < literal.arity; ++a) args.append(static_cast<int>(literal.args[a]));
        literals.append(nb::make_tuple(literal.predicate, nb::tuple(args)));
    }
    return nb::tuple(literals);
}

namespace {

using Literals = std::vector<std::pair<uint32_t, std::vector<uint32_t>>>;

Fate fate_of(uint32_t number) {
    if (number >= mining::fates) throw nb::value_error("the core knows no such fate");
    return static_cast<Fate>(number);
}

uint32_t number_of(Fate fate) { return static_cast<uint32_t>(fate); }

// A number of examples, or a number of a body; None where there is none.
nb::object counted(uint32_t examples) { return examples == Record::none ? nb::none() : nb::cast(examples); }

void check(const Record& record, uint32_t number) {
    if (number >= record.size()) throw nb::index_error("no body has this number");
}

// (literals, positives, negatives, fate, legal, later fate or None) of a body.
nb::tuple entry(const Record& record, uint32_t number) {
    check(record, number);
    const Record::Entry& entry = record.entry(number);
    const auto [later, is_later] = record.later(number);
    return nb::make_tuple(written(record.language(), record.body(number)), counted(entry.positives),
                          counted(entry.negatives), number_of(entry.fate), entry.legal,
                          is_later ? nb::cast(number_of(later)) : nb::none());
}

// Literals as they are written become a body: of two that say the same, as arguments can be exchanged, one is a twin.
std::optional<Body> read(const Record& record, const Literals& literals) {
    const mining::Language& language = record.language();
    if (literals.empty() || literals.size() > language.max_body) return std::nullopt;
    Body body;
    body.variables = language.head_arity;
    for (const auto& [predicate, args] : literals) {
        mining::Literal literal;
        literal.predicate = predicate;
        literal.arity = static_cast<uint32_t>(args.size());
        if (predicate >= language.predicates.size() || language.predicates[predicate].arity != literal.arity)
            return std::nullopt;
        for (size_t i = 0; i < args.size(); ++i) {
            if (args[i] >= mining::most_variables) return std::nullopt;
            literal.args[i] = static_cast<uint8_t>(args[i]);
        }
        const auto end = body.codes.begin() + body.length;
        if (std::find(body.codes.begin(), end, language.code(literal)) != end) {
            const auto is_twin = [&](const auto& other) { return other.twin_of == static_cast<int32_t>(predicate); };
            const auto twin = std::find_if(language.predicates.begin(), language.predicates.end(), is_twin);
            if (twin == language.predicates.end()) return std::nullopt;
            literal.predicate = static_cast<uint32_t>(twin - language.predicates.begin());
        }
        body = language.extended(body, literal);
    }
    // Without a literal that is not there: its variables are numbered without gaps.
    return record.canonical(language.without(body, mining::most_literals));
}

nb::object find(Record& record, const Literals& literals) {
    const std::optional<Body> body = read(record, literals);
    const uint32_t number = body ? record.find(*body) : Record::none;
    return number == Record::none ? nb::none() : nb::cast(number);
}

// How many bodies there are, by (length, fate).
nb::dict counts(const Record& record) {
    nb::dict result;
    const auto counts = record.counts();
    for (size_t length = 0; length < counts.size(); ++length)
        for (uint32_t fate = 0; fate < mining::fates; ++fate)
            if (counts[length][fate])
                result[nb::make_tuple(length, fate)] = counts[length][fate];
    return result;
}

std::pair<size_t, std::vector<uint32_t>> page(const Record& record, const std::vector<uint32_t>& lengths,
                                              const std::vector<uint32_t>& fates,
                                              const std::vector<std::vector<uint32_t>>& predicates,
                                              const std::vector<uint32_t>& without, const std::string& order,
                                              size_t offset, size_t limit) {
    if (predicates.size() > 64) throw nb::value_error("at most 64 sets of predicates can be asked for");
    Record::Filter filter{lengths, {}, predicates, without};
    for (uint32_t fate : fates) filter.fates.push_back(fate_of(fate));
    const auto by = order == "positives" ? Record::Order::positives
                    : order == "balance" ? Record::Order::balance
                                         : Record::Order::length;
    const nb::gil_scoped_release free;
    return record.page(filter, by, offset, limit);
}

Record::Specialisations below(Record& record, uint32_t number) {
    check(record, number);
    const nb::gil_scoped_release free;
    return record.specialisations(number);
}

// The numbers of the specialisations that were made, and how many were not, as (cause or None, kind, count).
nb::tuple specialisations(Record& record, uint32_t number) {
    const Record::Specialisations found = below(record, number);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts;
    for (const auto& [body, cut] : found.never_made) ++counts[{cut.cause, number_of(cut.kind)}];
    nb::list cuts;
    for (const auto& [cut, count] : counts) cuts.append(nb::make_tuple(counted(cut.first), cut.second, count));
    return nb::make_tuple(found.made, cuts);
}

// Specialisations that were never made for this kind of reason.
nb::list never_made(Record& record, uint32_t number, uint32_t kind, size_t limit) {
    nb::list bodies;
    for (const auto& [body, cut] : below(record, number).never_made)
        if (cut.kind == fate_of(kind) && nb::len(bodies) < limit) bodies.append(written(record.language(), body));
    return bodies;
}

std::vector<uint32_t> generalisations(Record& record, uint32_t number) {
    check(record, number);
    return record.generalisations(number);
}

nb::list sample_of_cut(Record& record, uint32_t number, size_t how_many, uint64_t seed) {
    check(record, number);
    std::vector<Body> found;
    {
        const nb::gil_scoped_release free;
        found = record.sample_of_cut(number, how_many, seed);
    }
    nb::list bodies;
    for (const Body& body : found) bodies.append(written(record.language(), body));
    return bodies;
}

}  // namespace

void JOINER_NAMED(bind_record)(nb::module_& m) {
#ifdef JOINER_WIDE
    const char* const name = "WideRecord";
#else
    const char* const name = "Record";
    nb::list names;
    for (const char* fate : mining::fate_names) names.append(fate);
    m.attr("FATES") = nb::tuple(names);
    nb::list prunings;
    for (const auto& [pruning, flag] : mining::prunings) prunings.append(pruning);
    m.attr("PRUNINGS") = nb::tuple(prunings);
#endif
    nb::class_<Record>(m, name)
        .def("__len__", &Record::size)
        .def_prop_ro("missed", &Record::missed)
        .def("entry", &entry, nb::arg("number"))
        .def("counts", &counts)
        .def("page", &page, nb::arg("lengths"), nb::arg("fates"), nb::arg("predicates"),
             nb::arg("without"), nb::arg("order"), nb::arg("offset"), nb::arg("limit"))
        .def("find", &find, nb::arg("literals"))
        .def("generalisations", &generalisations, nb::arg("number"))
        .def("specialisations", &specialisations, nb::arg("number"))
        .def("never_made", &never_made, nb::arg("number"), nb::arg("kind"), nb::arg("limit"))
        .def("sample_of_cut", &sample_of_cut, nb::arg("number"), nb::arg("how_many"), nb::arg("seed"));
}

}  // namespace joiner
