// The Python face of the join.
#include <nanobind/nanobind.h>

#include "front.hpp"
#include "python_bits.hpp"

namespace nb = nanobind;

namespace joiner {
namespace {

class PyFront {
  public:
    explicit PyFront(size_t width) : merit_(words_for(width)), front_(merit_.size()) {}
    bool add(uint64_t cost, nb::int_ merit) { return front_.add(cost, words(merit)); }
    bool dominates(uint64_t cost, nb::int_ merit) { return front_.dominates(cost, words(merit)); }
    size_t size() const { return front_.size(); }

  private:
    const uint64_t* words(nb::int_ merit) {
        from_int(merit, merit_.data(), merit_.size());
        return merit_.data();
    }

    Bits merit_;
    Front front_;
};

}  // namespace

void bind_join(nb::module_& m) {
    nb::class_<PyFront>(m, "Front")
        .def(nb::init<size_t>(), nb::arg("width"))
        .def("__len__", &PyFront::size)
        .def("add", &PyFront::add, nb::arg("cost"), nb::arg("merit"))
        .def("dominates", &PyFront::dominates, nb::arg("cost"), nb::arg("merit"));
}

}  // namespace joiner
