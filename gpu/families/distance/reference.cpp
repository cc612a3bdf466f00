// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/distance/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <tbb/parallel_for.h>

namespace warplens::gpu::distance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A lower envelope: parabolas by where they stand, each with the place from which it is the least.
class Envelope {
public:
    explicit Envelope(std::size_t length) : m_before(length), m_apex(length), m_from(length) {}

    /// Replaces values by the least of value[i] + square (i - x)^2. They lie `stride` apart.
    void apply(double* values, std::size_t stride, double square) {
        const std::size_t length = m_before.size();
        std::size_t count = 0;
        for (std::size_t i = 0; i < length; ++i) {
            m_before[i] = values[i * stride];
            if (m_before[i] == kInfinity) continue;
            double from = -kInfinity;
            while (count > 0) {
                from = crossing(m_apex[count - 1], i, square);
                if (from > m_from[count - 1]) break;
                --count;
                from = -kInfinity;
            }
            m_apex[count] = i;
            m_from[count++] = from;
        }
        if (count == 0) return;
        std::size_t least = 0;
        for (std::size_t x = 0; x < length; ++x) {
            while (least + 1 < count && m_from[least + 1] < static_cast<double>(x)) ++least;
            const double apart = static_cast<double>(x) - static_cast<double>(m_apex[least]);
            values[x * stride] = m_before[m_apex[least]] + square * apart * apart;
        }
    }

private:
    /// Where the parabola over `b`, to the right, becomes the lesser.
    double crossing(std::size_t a, std::size_t b, double square) const {
        const auto left = static_cast<double>(a), right = static_cast<double>(b);
        return ((m_before[b] - m_before[a]) / square + right * right - left * left) / (2 * (right - left));
    }

    std::vector<double> m_before;
    std::vector<std::size_t> m_apex;
    std::vector<double> m_from;
};

/// Calls one(i) for 0 <= i < count, many at a time. Throws Error(cancelled).
template <class F>
void forEach(std::int64_t count, const std::stop_token& stop, F one) {
    tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) {
        if (!stop.stop_requested()) one(i);
    });
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
}

}  // namespace

std::vector<double> squaredDistances(const io::Grid& input, const Case& of, int channel, const std::stop_token& stop) {
    const io::Shape& s = input.shape();
    const auto width = static_cast<std::size_t>(s.width), height = static_cast<std::size_t>(s.height);
    const auto depth = static_cast<std::size_t>(s.depth), slice = width * height;
    std::vector<double> squares(slice * depth);
    const double step[] = {of.spacing[0] * of.spacing[0], of.spacing[1] * of.spacing[1], of.spacing[2] * of.spacing[2]};
    forEach(s.height * s.depth, stop, [&](std::int64_t row) {
        double* const values = squares.data() + static_cast<std::size_t>(row) * width;
        for (std::int64_t x = 0; x < s.width; ++x)
            values[x] = input.value(x, row % s.height, row / s.height, channel) <= of.level ? 0 : kInfinity;
        Envelope(width).apply(values, 1, step[0]);
    });
    // A stretch of neighbouring columns at a time, which share cache lines.
    constexpr std::int64_t kTogether = 64;
    const std::int64_t stretches = (s.width + kTogether - 1) / kTogether;
    const auto across = [&](std::size_t length, std::size_t stride, double square, std::size_t firstOfStretch,
                            std::int64_t stretch) {
        Envelope envelope(length);
        for (auto x = stretch * kTogether; x < std::min(s.width, (stretch + 1) * kTogether); ++x) {
            if (stop.stop_requested()) return;
            envelope.apply(squares.data() + firstOfStretch + static_cast<std::size_t>(x), stride, square);
        }
    };
    if (height > 1)
        forEach(s.depth * stretches, stop, [&](std::int64_t i) {
            across(height, width, step[1], static_cast<std::size_t>(i / stretches) * slice, i % stretches);
        });
    if (depth > 1)
        forEach(s.height * stretches, stop, [&](std::int64_t i) {
            across(depth, slice, step[2], static_cast<std::size_t>(i / stretches) * width, i % stretches);
        });
    return squares;
}

Verifier::Verifier(std::shared_ptr<const io::Grid> input, const Case& of) : m_input(std::move(input)), m_case(of) {}

const std::vector<std::vector<double>>& Verifier::exact(const std::stop_token& stop) const {
    const std::lock_guard lock(m_mutex);
    if (m_exact.empty()) {
        std::vector<std::vector<double>> made;
        for (int c = 0; c < m_case.channels; ++c) made.push_back(squaredDistances(*m_input, m_case, c, stop));
        m_exact = std::move(made);
    }
    return m_exact;
}

namespace {

/// Calls one(judge, place, channel, square) for every value, row by row in parallel, and joins what the rows found.
template <class F>
Verification judged(const io::Grid& output, const std::vector<std::vector<double>>& exact, const std::stop_token& stop,
                    F one) {
    const io::Shape& s = output.shape();
    const std::int64_t rows = s.height * s.depth;
    constexpr std::int64_t kParts = 64;
    std::vector<ImageVerifier> judges(kParts, ImageVerifier(output));
    forEach(kParts, stop, [&](std::int64_t part) {
        ImageVerifier& judge = judges[static_cast<std::size_t>(part)];
        for (auto row = rows * part / kParts; row < rows * (part + 1) / kParts && !stop.stop_requested(); ++row)
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < s.channels; ++c)
                    one(judge, ImageVerifier::Place{x, row % s.height, row / s.height}, c,
                        exact[static_cast<std::size_t>(c)][static_cast<std::size_t>(row * s.width + x)]);
    });
    for (std::size_t i = 1; i < judges.size(); ++i) judges[0].join(judges[i]);
    return judges[0].result();
}

/// What a value with this squared distance should be: u32 has no infinity.
double resultOf(const Case& of, double square) {
    if (of.outputType() == io::PixelType::u32) return square == kInfinity ? kNoneSquared : square;
    return of.squared ? square : std::sqrt(square);
}

}  // namespace

Verification Verifier::verify(const io::Grid& output, double allowed, const std::stop_token& stop) const {
    if (m_case.millimetres) allowed = kMillimetreBound;
    return judged(output, exact(stop), stop,
                  [&](ImageVerifier& judge, const ImageVerifier::Place& place, int channel, double square) {
                      const double expected = resultOf(m_case, square);
                      if (allowed > 0)
                          judge.computed(place, channel, expected, expected * allowed);
                      else
                          judge.kept(place, channel, m_case.squared ? expected : static_cast<float>(expected));
                  });
}

Verification Verifier::verifyApproximate(const io::Grid& output, const std::stop_token& stop) const {
    const double rounding = m_case.millimetres ? kMillimetreBound : 0x1p-24;
    const double factor = floodingFactor(m_case.depth), times = m_case.squared ? factor * factor : factor;
    std::atomic<std::int64_t> beyond{0};
    Verification made =
        judged(output, exact(stop), stop,
               [&](ImageVerifier& judge, const ImageVerifier::Place& place, int channel, double square) {
                   const double expected = resultOf(m_case, square);
                   const double got = output.value(place[0], place[1], place[2], channel);
                   if (got > expected * (1 + rounding)) ++beyond;
                   // Nearer than the nearest is no site; of none there is nothing to be near.
                   if (!(got >= expected * (1 - rounding)) || square == kInfinity)
                       judge.kept(place, channel, expected);
                   else
                       judge.computed(place, channel, expected, expected * (times * (1 + rounding) - 1));
               });
    const auto wrong = static_cast<long long>(beyond.load()), all = static_cast<long long>(output.shape().values());
    char note[160];
    std::snprintf(note, sizeof note,
                  "%lld of %lld values (%.3g %%) are not the nearest distance; its own bound is %.3f times that", wrong,
                  all, 100.0 * static_cast<double>(wrong) / static_cast<double>(all), factor);
    made.note = note;
    return made;
}

}  // namespace warplens::gpu::distance
