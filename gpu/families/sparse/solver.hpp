// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/evolution.hpp"
#include "gpu/families/sparse/lattice.hpp"
#include "gpu/families/sparse/solving.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace warplens::gpu::sparse {

enum class Method { jacobi, conjugateGradients, multigrid };

/// Products with the matrix of the picture's own grid that a sweep, a step or a cycle takes, without those that only
/// look at what is left.
constexpr std::int64_t productsPerStep(Method method) { return method == Method::multigrid ? 5 : 1; }

struct Stopping {
    double tolerance = 0;         ///< of the first residual
    std::int64_t iterations = 0;  ///< at most
};

/// The coarser grids of a picture's multigrid cycles, and what lies on them.
class Cycle {
public:
    Cycle(Device& device, const Case& of, std::uint64_t inside);

    static std::int64_t bytes(const Case& of);

    /// z = about A^-1 r by a V-cycle. Both hold every pixel; `other` is a third
    /// vector of that length, and may hold z afterwards: its handle is returned.
    std::uint64_t run(std::uint64_t r, std::uint64_t z, std::uint64_t other);
    /// From the second grid on: r is the picture's residual; to is what is added
    /// to what is there.
    void correct(std::uint64_t r, std::uint64_t to);
    /// Weights of two sweeps, which together damp the upper half of the spectrum
    /// best.
    static constexpr float kWeights[2] = {0.5618F, 1.389F};

private:
    struct Grid {
        CycleGrid grid;
        Buffer weights, b, u, v;
    };
    void descend(std::size_t level);

    Device& m_device;
    const CyclingEntry& m_do;
    CycleGrid m_picture;
    std::vector<Grid> m_grids;
};

/// Solves A v = b for all channels at once, each with numbers of its own. How A
/// v is computed is the variant's.
class Solver {
public:
    using Multiply = std::function<void(std::uint64_t x, std::uint64_t y)>;
    /// Vectors hold so many values a channel: the unknowns, or every pixel.
    /// Everything must outlive it.
    Solver(Device& device, const Rule& rule, std::int64_t values, Method method, Multiply multiply);

    /// What one takes on a device.
    static std::int64_t bytes(const Case& of, std::int64_t values, Method method);

    /// From v = 0. Residuals are parts of the first one; the last is that of v as
    /// it is left.
    ConvergenceHistory solve(const Buffer& b, const Buffer& v, const Stopping& stopping);

private:
    ConvergenceHistory sweep(const Buffer& b, const Buffer& v, const Stopping& stopping);
    ConvergenceHistory stepAlong(const Buffer& b, const Buffer& v, const Stopping& stopping);
    std::uint64_t preconditioned();
    std::uint64_t cycleOfUnknowns();
    /// One value a channel of what `work` adds up.
    std::vector<double> sums(const std::function<void(std::uint64_t sums)>& work);
    std::vector<double> dot(std::uint64_t a, std::uint64_t b);
    void setFactors(const std::vector<double>& factors);
    LaunchContext& context() { return m_device.context(); }

    Device& m_device;
    const Rule& m_rule;
    const SolvingEntry& m_do;
    const BuildingEntry& m_build;
    Span m_span;
    Method m_method;
    Multiply m_multiply;
    std::unique_ptr<Cycle> m_cycle;
    bool m_whole;
    Buffer m_q, m_r, m_p, m_z, m_other, m_picture, m_correction, m_sums, m_factors;
};

}  // namespace warplens::gpu::sparse
