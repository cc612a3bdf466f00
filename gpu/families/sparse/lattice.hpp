// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/given_matrix.hpp"
#include "gpu/families/sparse/stored_matrix.hpp"
#include "gpu/families/sparse/unknowns.hpp"

#include <vector>

namespace warplens::gpu::sparse {

/// A buffer with these values.
template <class T>
Buffer uploaded(Device& device, const std::vector<T>& values) {
    Buffer made = device.allocate(values.size() * sizeof(T));
    device.upload(made, values.data(), values.size() * sizeof(T));
    return made;
}

/// What messages call it.
inline const char* nameOf(const Case& of) { return of.depth > 1 ? "the volume" : "the picture"; }

/// Which pixels are unknowns, and a given matrix, on a device. Without a mask there is nothing to know of the pixels.
class Lattice {
public:
    Lattice(Device& device, const Case& of, const Unknowns& unknowns) : m_case(of) {
        if (of.given != nullptr) {
            m_starts = uploaded(device, of.given->starts);
            m_columns = uploaded(device, of.given->columns);
            m_values = uploaded(device, of.given->values);
        }
        if (!unknowns.masked()) return;
        m_inside = uploaded(device, unknowns.inside);
        m_numbers = uploaded(device, unknowns.numbers);
        m_places = uploaded(device, unknowns.places);
    }

    static std::int64_t bytes(const Case& of) {
        if (of.given != nullptr) return 8 * of.given->nonzeros() + 4 * (std::int64_t{of.rows} + 1);
        return of.masked ? 5 * of.pixels() + 4 * std::int64_t{of.rows} : 0;
    }

    /// Of a matrix that no picture's values make.
    Rule rule() const {
        Rule rule{m_case};
        if (m_starts) {
            rule.starts = m_starts.handle();
            rule.columns = m_columns.handle();
            rule.values = m_values.handle();
        }
        if (!m_inside) return rule;
        rule.places = m_places.handle();
        rule.numbers = m_numbers.handle();
        rule.inside = m_inside.handle();
        return rule;
    }

private:
    Case m_case;
    Buffer m_inside, m_numbers, m_places;
    Buffer m_starts, m_columns, m_values;  ///< of a given matrix
};

/// y = A x by a variant, of one channel or, where a matrix is stored, of several.
inline void multiply(LaunchContext& context, const KernelEntry& entry, const TunableValues& tunables,
                     const StoredMatrix* matrix, const Rule& rule, const Vector& x, const Vector& y, int channels = 1) {
    Product product{.stored = {}, .rule = rule, .x = x, .y = y, .channels = channels};
    if (matrix != nullptr) product.stored = matrix->stored();
    entry.multiply(context, product, tunables);
}

}  // namespace warplens::gpu::sparse
