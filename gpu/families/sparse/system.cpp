// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/system.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <tbb/parallel_for.h>
#include <utility>

namespace warplens::gpu::sparse {
namespace {

constexpr double kRounding = 0x1p-24;
constexpr int kFew = 5000;  ///< unknowns of which a solution in double takes a moment

double valueAt(const io::Grid& grid, std::int64_t pixel, int channel) {
    const io::Shape& s = grid.shape();
    return grid.value(pixel % s.width, pixel / s.width % s.height, pixel / (s.width * s.height), channel);
}

}  // namespace

double System::pictureAt(std::int64_t pixel, int channel) const { return valueAt(*m_picture, pixel, channel); }

bool System::covers(std::int64_t pixel) const {
    if (m_source == nullptr) return true;
    const io::Shape &s = m_picture->shape(), &from = m_source->shape();
    const std::int64_t x = pixel % s.width - m_x, y = pixel / s.width % s.height - m_y;
    return x >= 0 && y >= 0 && x < from.width && y < from.height;
}

double System::guideAt(std::int64_t pixel, int channel) const {
    if (m_source == nullptr) return 0;
    const io::Shape& s = m_picture->shape();
    return m_source->value(pixel % s.width - m_x, pixel / s.width % s.height - m_y, pixel / (s.width * s.height),
                           channel);
}

double System::rightAt(const Unknowns& unknowns, std::int64_t pixel, int channel) const {
    double sum = 0;
    forPixelsBeside(m_picture->shape(), pixel, [&](std::int64_t at) {
        if (unknowns.inside[static_cast<std::size_t>(at)] != 0) return;
        // Beyond the source there is no difference to keep.
        sum += pictureAt(at, channel) - guideAt(covers(at) ? at : pixel, channel);
    });
    return sum;
}

std::vector<float> System::rightSide(const Unknowns& unknowns) const {
    const auto rows = static_cast<std::size_t>(unknowns.count);
    std::vector<float> right(rows * static_cast<std::size_t>(m_channels));
    tbb::parallel_for(std::size_t{0}, right.size(), [&](std::size_t i) {
        right[i] = static_cast<float>(rightAt(unknowns, unknowns.places[i % rows], static_cast<int>(i / rows)));
    });
    if (!std::ranges::all_of(right, [](float value) { return std::isfinite(value); }))
        throw Error(Error::Kind::argument,
                    "mask: values around it are not finite, and would be everywhere in it: take them in as well");
    return right;
}

std::shared_ptr<io::Grid> System::finish(const Unknowns& unknowns, const std::vector<float>& v) const {
    auto result = std::make_shared<io::Grid>(m_picture->clone());
    result->metadata.notes.clear();
    const io::Shape& s = result->shape();
    const auto rows = static_cast<std::size_t>(unknowns.count);
    io::withSampleType(result->type(), [&]<class T>(T) {
        T* const values = result->as<T>();
        tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t i) {
            const std::int64_t pixel = unknowns.places[i];
            for (int c = 0; c < m_channels; ++c) {
                const double value = guideAt(pixel, c) + static_cast<double>(v[static_cast<std::size_t>(c) * rows + i]);
                T& to = values[pixel * s.channels + c];
                if constexpr (std::is_same_v<T, float>)
                    to = static_cast<float>(value);
                else
                    to = static_cast<T>(
                        std::clamp(std::nearbyint(value), 0.0, static_cast<double>(std::numeric_limits<T>::max())));
            }
        });
    });
    return result;
}

/// One channel's equations in double.
class Equations {
public:
    Equations(const System& system, const Unknowns& unknowns, int channel)
        : m_shape(system.m_picture->shape()), m_unknowns(unknowns) {
        m_right.resize(unknowns.places.size());
        m_sizes.resize(unknowns.places.size());
        tbb::parallel_for(std::size_t{0}, m_right.size(), [&](std::size_t i) {
            const std::int64_t pixel = unknowns.places[i];
            m_right[i] = system.rightAt(unknowns, pixel, channel);
            double size = 0;
            forPixelsBeside(m_shape, pixel, [&](std::int64_t at) {
                size += std::fabs(system.pictureAt(at, channel));
                if (system.covers(at)) size += std::fabs(system.guideAt(at, channel));
            });
            m_sizes[i] = size;
        });
    }
    std::size_t count() const { return m_right.size(); }
    const std::vector<double>& right() const { return m_right; }
    /// What the terms of an equation are in magnitude, but for those of its
    /// unknowns.
    double size(std::size_t i) const { return m_sizes[i]; }
    /// The magnitude of what the known neighbours come to in the mean; 0 where there is none.
    double mostKnown(std::size_t i) const {
        int known = 0;
        forPixelsBeside(m_shape, m_unknowns.places[i], [&](std::int64_t at) {
            if (m_unknowns.inside[static_cast<std::size_t>(at)] == 0) ++known;
        });
        return known == 0 ? 0 : std::fabs(m_right[i]) / known;
    }
    /// The sum over the unknown neighbours, and how many neighbours there are at
    /// all.
    double beside(std::size_t i, const std::vector<double>& v, int& neighbours, int& unknown) const {
        double sum = 0;
        neighbours = unknown = 0;
        forPixelsBeside(m_shape, m_unknowns.places[i], [&](std::int64_t at) {
            ++neighbours;
            const std::int32_t number = m_unknowns.numbers[static_cast<std::size_t>(at)];
            if (number < 0) return;
            ++unknown;
            sum += v[static_cast<std::size_t>(number)];
        });
        return sum;
    }
    std::vector<double> times(const std::vector<double>& v) const {
        std::vector<double> product(v.size());
        int neighbours = 0, unknown = 0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            const double others = beside(i, v, neighbours, unknown);
            product[i] = neighbours * v[i] - others;
        }
        return product;
    }
    /// By conjugate gradients to the last digits.
    std::vector<double> solve(const std::vector<double>& b) const {
        const auto dot = [](const std::vector<double>& x, const std::vector<double>& y) {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
            return sum;
        };
        std::vector<double> v(b.size()), r = b, p = b;
        double rr = dot(r, r);
        const double enough = rr * 1e-26;
        for (std::size_t step = 0; step < 20 * b.size() && rr > enough; ++step) {
            const std::vector<double> q = times(p);
            const double along = rr / dot(p, q), before = rr;
            for (std::size_t i = 0; i < v.size(); ++i) v[i] += along * p[i], r[i] -= along * q[i];
            rr = dot(r, r);
            for (std::size_t i = 0; i < v.size(); ++i) p[i] = r[i] + rr / before * p[i];
        }
        return v;
    }

private:
    io::Shape m_shape;
    const Unknowns& m_unknowns;
    std::vector<double> m_right, m_sizes;
};

/// One channel of a result, what it claims and what it may be off.
struct System::Claim {
    std::vector<double> v{};      ///< above the guide
    std::vector<bool> clamped{};  ///< to the type's first or last value: no solution any more
    std::vector<double> exact{};  ///< where the unknowns are few
    std::vector<double> moved{};  ///< how far a residual of 1 everywhere moves them
    double largest = 0, claimed = 0, roundings = 0;
    bool integer = false;
};

/// What was left, and what roundings allow, as sums of squares.
struct System::Left {
    double found = 0, allowed = 0;
};

void System::judge(ImageVerifier& judge, const Equations& equations, const Unknowns& unknowns, const Claim& claim,
                   int channel, std::size_t i, Left& left) const {
    const io::Shape& s = m_picture->shape();
    const std::int64_t pixel = unknowns.places[i];
    const ImageVerifier::Place place{pixel % s.width, pixel / s.width % s.height, pixel / (s.width * s.height)};
    int neighbours = 0, unknown = 0;
    const double others = equations.beside(i, claim.v, neighbours, unknown), b = equations.right()[i];
    const double noise = claim.roundings * (8 * claim.largest + equations.size(i)), guide = guideAt(pixel, channel);
    if (!claim.exact.empty()) {
        judge.computed(place, channel, claim.exact[i] + guide, claim.moved[i] * (claim.claimed + noise));
        return;
    }
    // What was clamped no longer solves its equation, nor do its neighbours.
    bool near = claim.clamped[i];
    forPixelsBeside(s, pixel, [&](std::int64_t at) {
        const std::int32_t number = unknowns.numbers[static_cast<std::size_t>(at)];
        near = near || (number >= 0 && claim.clamped[static_cast<std::size_t>(number)]);
    });
    if (near) return;
    const double rounded = claim.integer ? 0.5 * unknown : 0, rest = b + others - neighbours * claim.v[i];
    judge.computed(place, channel, (b + others) / neighbours + guide, (claim.claimed + noise + rounded) / neighbours);
    const double rounding = noise + rounded + (claim.integer ? 0.5 * neighbours : 0);
    left.found += rest * rest;
    left.allowed += rounding * rounding;
}

Verification System::verify(const io::Grid& result, const Unknowns& unknowns, double residual, std::int64_t steps,
                            const std::stop_token& stop) const {
    constexpr std::size_t kStretch = 4096;
    const io::Shape& s = result.shape();
    const double top = result.type() == io::PixelType::u8 ? 255 : 65535;
    const auto goOn = [&stop] {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
    };
    std::vector<Equations> all;
    double first = 0;
    for (int c = 0; c < m_channels; ++c) {
        goOn();
        all.emplace_back(*this, unknowns, c);
        for (const double b : all.back().right()) first += b * b;
    }
    ImageVerifier judged(result);
    Claim claim;
    // Every step adds the roundings of its product; a result that claims less than is left is found by the sum.
    claim.claimed = residual * std::sqrt(first) * 1.01;
    claim.roundings = kRounding * (16 + 2 * static_cast<double>(steps));
    claim.integer = result.type() != io::PixelType::f32;
    const std::size_t count = unknowns.places.size();
    claim.v.resize(count);
    claim.clamped.resize(count);
    Left left;
    for (int c = 0; c < m_channels; ++c) {
        const Equations& equations = all[static_cast<std::size_t>(c)];
        claim.largest = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double value = valueAt(result, unknowns.places[i], c);
            claim.v[i] = value - guideAt(unknowns.places[i], c);
            claim.clamped[i] = claim.integer && (value <= 0 || value >= top);
        }
        // By the equations, so that no value of the result widens the bounds: where |v| is the largest the known
        // neighbours come to as much at least, in the mean.
        for (std::size_t i = 0; i < count; ++i) claim.largest = std::max(claim.largest, equations.mostKnown(i));
        if (unknowns.count <= kFew) {
            claim.exact = equations.solve(equations.right());
            claim.moved = equations.solve(std::vector<double>(count, 1));
        }
        goOn();
        std::vector<ImageVerifier> judges((count + kStretch - 1) / kStretch, ImageVerifier(result));
        std::vector<Left> lefts(judges.size());
        tbb::parallel_for(std::size_t{0}, judges.size(), [&](std::size_t k) {
            if (stop.stop_requested()) return;
            for (std::size_t i = k * kStretch; i < std::min(count, (k + 1) * kStretch); ++i)
                judge(judges[k], equations, unknowns, claim, c, i, lefts[k]);
        });
        goOn();
        for (const ImageVerifier& one : judges) judged.join(one);
        for (const Left& one : lefts) left = {left.found + one.found, left.allowed + one.allowed};
    }
    for (std::int64_t pixel = 0; pixel < s.pixels(); ++pixel) {
        const bool unknown = unknowns.inside[static_cast<std::size_t>(pixel)] != 0;
        const ImageVerifier::Place place{pixel % s.width, pixel / s.width % s.height, pixel / (s.width * s.height)};
        for (int c = unknown ? m_channels : 0; c < s.channels; ++c) judged.kept(place, c, pictureAt(pixel, c));
    }
    Verification made = judged.result();
    const double allowed = claim.claimed + std::sqrt(left.allowed);
    if (made.mismatches == 0 && !(std::sqrt(left.found) <= allowed)) {
        made.mismatches = 1;
        made.firstMismatch =
            "a residual of " + std::to_string(std::sqrt(left.found)) + " instead of " + std::to_string(allowed);
    }
    return made;
}

}  // namespace warplens::gpu::sparse
