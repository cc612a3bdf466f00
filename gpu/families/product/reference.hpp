// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/families/product/arguments.hpp"
#include "gpu/families/product/factor.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace warplens::gpu::product {

/// Compares results with the definition in double precision, which is computed once. Of large ones rows and columns are
/// picked, those at the ends and others in between, and every value is checked where two of them meet. Thread-safe.
class Verifier {
public:
    /// `factor`: what the picture is multiplied by, or the bank; `weights`: of colours.
    Verifier(std::shared_ptr<const io::Grid> input, const Case& asked, const Factor& factor,
             const std::array<float, 12>& weights);

    Verification verify(const io::Grid& output, const Bound& bound, std::stop_token stop) const;

private:
    struct Exact {
        double value;
        double magnitude;   ///< the sum of the terms' magnitudes; of cosines the length of the longest vector
        double beyond = 0;  ///< that of the terms with a factor below the normal numbers
    };
    /// Where one row of exact values lies: a row of one slice of one channel.
    struct Line {
        std::int64_t y, z;
        int channel;
    };
    void pick();
    void compute(std::stop_token stop) const;
    void productLine(const Line& line, Exact* to) const;
    void bankLine(const Line& line, Exact* to) const;
    void colourLine(const Line& line, Exact* to) const;
    void alphaLine(const Line& line, Exact* to) const;
    bool kept(const Line& line) const { return m_case.keepsAlpha && line.channel == 3; }
    void cosineLayer(std::int64_t z, int channel, Exact* to, const std::stop_token& stop) const;
    double roundingOf(const Exact& exact, const Bound& bound) const;

    std::shared_ptr<const io::Grid> m_input;
    Case m_case;
    const Factor& m_factor;
    std::array<float, 12> m_weights;
    io::Shape m_output;
    std::vector<std::int64_t> m_rows, m_columns;
    std::vector<Line> m_lines;  ///< layer by layer
    mutable std::mutex m_mutex;
    mutable std::vector<Exact> m_exact;  ///< a line after the other, a value a picked column
};

/// Of a case's result.
io::Shape outputOf(const Case& asked, const io::Shape& input);

}  // namespace warplens::gpu::product
