// Between Python's integers as bitsets and arrays of words.
#pragma once

#include <nanobind/nanobind.h>

#include "../bits.hpp"

namespace joiner {

// A set as a Python integer, a bit for each member.
inline nanobind::object to_int(const uint64_t* set, size_t words) {
    if (words <= 1) return nanobind::steal(PyLong_FromUnsignedLongLong(words ? set[0] : 0));
    std::vector<unsigned char> bytes(words * 8);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(set[i / 8] >> (i % 8 * 8));
#if PY_VERSION_HEX >= 0x030D0000
    return nanobind::steal(PyLong_FromUnsignedNativeBytes(bytes.data(), bytes.size(), Py_ASNATIVEBYTES_LITTLE_ENDIAN));
#else
    return nanobind::steal(_PyLong_FromByteArray(bytes.data(), bytes.size(), 1, 0));
#endif
}

inline nanobind::object to_int(const Bits& bits) { return to_int(bits.data(), bits.size()); }

// Raises OverflowError on a number that is negative or has more bits than the words hold.
inline void from_int(nanobind::handle number, uint64_t* set, size_t words) {
    if (!PyLong_Check(number.ptr())) throw nanobind::type_error("a bitset is an int");
    std::vector<unsigned char> bytes(words * 8);
#if PY_VERSION_HEX >= 0x030D0000
    const Py_ssize_t needed = PyLong_AsNativeBytes(
        number.ptr(), bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
        Py_ASNATIVEBYTES_LITTLE_ENDIAN | Py_ASNATIVEBYTES_UNSIGNED_BUFFER | Py_ASNATIVEBYTES_REJECT_NEGATIVE);
    if (needed < 0) {
        // Its word for a negative number is a ValueError; earlier Pythons have the one that is promised here.
        if (PyErr_ExceptionMatches(PyExc_ValueError)) PyErr_SetString(PyExc_OverflowError, "a bitset is not negative");
        throw nanobind::python_error();
    }
    // Of a buffer without bytes it says what any small number needs, also for 0.
    const bool fits = words ? static_cast<size_t>(needed) <= bytes.size() : !PyObject_IsTrue(number.ptr());
    if (!fits) {
        PyErr_SetString(PyExc_OverflowError, "the bitset is too large");
        throw nanobind::python_error();
    }
#else
    auto* value = reinterpret_cast<PyLongObject*>(number.ptr());
    if (_PyLong_AsByteArray(value, bytes.data(), bytes.size(), 1, 0) != 0) throw nanobind::python_error();
#endif
    for (size_t i = 0; i < words; ++i) {
        set[i] = 0;
        for (size_t k = 0; k < 8; ++k) set[i] |= uint64_t(bytes[i * 8 + k]) << (k * 8);
    }
}

// The same as a new set with so many words.
inline Bits from_int(nanobind::handle number, size_t words) {
    Bits bits(words);
    from_int(number, bits.data(), words);
    return bits;
}

}  // namespace joiner
