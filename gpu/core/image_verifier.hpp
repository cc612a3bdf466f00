// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/double_reference.hpp"
#include "gpu/core/record.hpp"

#include <array>

namespace warplens::gpu {

/// Compares a picture's values with what they should be, one by one, and gathers what that shows. What they should be
/// goes to the picture's ReferenceWitness, where it has one.
class ImageVerifier {
public:
    using Place = std::array<std::int64_t, 3>;  ///< x, y, z

    explicit ImageVerifier(const io::Grid& output);

    /// A value that must come out as it was.
    void kept(const Place& place, int channel, double before);
    /// A value that may be off by `bound`; an integer by half a level more, from the unrounded value. What is not
    /// finite must agree in class, but in integers, which have none such.
    void computed(const Place& place, int channel, double exact, double bound);

    /// Adds what another one found after this one.
    void join(const ImageVerifier& later);
    Verification result() const;

private:
    void fail(const Place& place, int channel, double got, double exact);

    const io::Grid* m_output;
    DoubleReference* m_told;  ///< whom it tells what it compares with; null: nobody
    bool m_integer;
    double m_bottom = 0, m_top = 0, m_worst = -1;
    std::int64_t m_checked = 0;
    Verification m_found;
};

}  // namespace warplens::gpu
