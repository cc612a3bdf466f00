// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/solver.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/sparse/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace warplens::gpu::sparse {
namespace {

/// What becomes of the hold of known neighbours from grid to grid: a border's
/// weight grows by 1, a lone pixel's by 2, and too little makes corrections
/// overshoot.
constexpr float kFirstHold = 1, kHold = 0.65F;
constexpr int kLastExtent = 2, kLastSweeps = 16;
/// Sweeps between two looks at the residual.
constexpr std::int64_t kLook = 8;

int halved(int n) { return (n + 1) / 2; }

double normOf(const std::vector<double>& squares) {
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

/// a / b, and nothing where nothing is left to divide.
std::vector<double> quotients(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> made(a.size());
    for (std::size_t c = 0; c < a.size(); ++c) made[c] = b[c] == 0 ? 0 : a[c] / b[c];
    return made;
}

void needFinite(double residual) {
    if (!std::isfinite(residual))
        throw Error(Error::Kind::unsupported, "the solution leaves the range of f32: scale the picture's values down");
}

}  // namespace

Cycle::Cycle(Device& device, const Case& of, std::uint64_t inside)
    : m_device(device), m_do(cycling(device.info())), m_picture{of.width, of.height, of.depth, of.channels, inside, 0} {
    CycleGrid fine = m_picture;
    while (std::max({fine.width, fine.height, fine.depth}) > kLastExtent) {
        Grid made;
        made.grid = {halved(fine.width), halved(fine.height), halved(fine.depth), of.channels, 0, 0};
        const auto cells = static_cast<std::size_t>(made.grid.cells());
        made.weights = device.allocate(4 * cells * sizeof(float));
        for (Buffer* buffer : {&made.b, &made.u, &made.v})
            *buffer = device.allocate(cells * static_cast<std::size_t>(of.channels) * sizeof(float));
        made.grid.weights = made.weights.handle();
        m_do.coarsen(device.context(), fine, made.grid, m_grids.empty() ? kFirstHold : kHold);
        fine = made.grid;
        m_grids.push_back(std::move(made));
    }
}

std::int64_t Cycle::bytes(const Case& of) {
    std::int64_t cells = 0;
    int width = of.width, height = of.height, depth = of.depth;
    while (std::max({width, height, depth}) > kLastExtent) {
        width = halved(width), height = halved(height), depth = halved(depth);
        cells += std::int64_t{width} * height * depth;
    }
    return cells * 4 * (4 + 3 * of.channels);
}

void Cycle::descend(std::size_t level) {
    Grid& g = m_grids[level];
    LaunchContext& context = m_device.context();
    const std::uint64_t b = g.b.handle(), u = g.u.handle(), v = g.v.handle();
    const bool last = level + 1 == m_grids.size();
    m_do.relax(context, g.grid, b, 0, u, kWeights[0]);
    m_do.relax(context, g.grid, b, u, v, kWeights[1]);
    if (!last) {
        Grid& next = m_grids[level + 1];
        m_do.restricted(context, g.grid, b, v, next.grid, next.b.handle());
        descend(level + 1);
        m_do.prolong(context, next.grid, next.v.handle(), g.grid, v);
    }
    for (int sweep = 0; sweep < (last ? kLastSweeps : 1); ++sweep) {
        m_do.relax(context, g.grid, b, v, u, kWeights[0]);
        m_do.relax(context, g.grid, b, u, v, kWeights[1]);
    }
}

std::uint64_t Cycle::run(std::uint64_t r, std::uint64_t z, std::uint64_t other) {
    LaunchContext& context = m_device.context();
    m_do.relax(context, m_picture, r, 0, z, kWeights[0]);
    m_do.relax(context, m_picture, r, z, other, kWeights[1]);
    if (!m_grids.empty()) {
        Grid& next = m_grids.front();
        m_do.restricted(context, m_picture, r, other, next.grid, next.b.handle());
        descend(0);
        m_do.prolong(context, next.grid, next.v.handle(), m_picture, other);
    }
    m_do.relax(context, m_picture, r, other, z, kWeights[0]);
    m_do.relax(context, m_picture, r, z, other, kWeights[1]);
    return other;
}

void Cycle::correct(std::uint64_t r, std::uint64_t to) {
    if (m_grids.empty()) return;
    Grid& next = m_grids.front();
    m_do.restricted(m_device.context(), m_picture, r, 0, next.grid, next.b.handle());
    descend(0);
    m_do.prolong(m_device.context(), next.grid, next.v.handle(), m_picture, to);
}

Solver::Solver(Device& device, const Rule& rule, std::int64_t values, Method method, Multiply multiply)
    : m_device(device),
      m_rule(rule),
      m_do(solving(device.info())),
      m_build(building(device.info())),
      m_span{values, rule.channels},
      m_method(method),
      m_multiply(std::move(multiply)),
      m_whole(values == rule.pixels()) {
    const auto vector = [&](std::int64_t each) {
        return device.allocate(static_cast<std::size_t>(each * rule.channels) * sizeof(float));
    };
    m_sums = device.allocate(static_cast<std::size_t>(rule.channels) * sizeof(double));
    m_factors = device.allocate(static_cast<std::size_t>(rule.channels) * sizeof(float));
    m_q = vector(values);
    if (method == Method::jacobi) return;
    m_r = vector(values);
    m_p = vector(values);
    if (method == Method::conjugateGradients) return;
    m_z = vector(values);
    m_cycle = std::make_unique<Cycle>(device, rule, rule.inside);
    m_other = vector(values);
    if (m_whole) return;
    m_picture = vector(rule.pixels());
    m_correction = vector(rule.pixels());
    device.fill(m_picture, 0);
}

std::int64_t Solver::bytes(const Case& of, std::int64_t values, Method method) {
    const std::int64_t vector = 4 * values * of.channels, figures = 12 * of.channels;
    if (method == Method::jacobi) return figures + vector;
    if (method == Method::conjugateGradients) return figures + 3 * vector;
    const std::int64_t spread = values == of.pixels() ? 0 : 8 * of.pixels() * of.channels;
    return figures + 5 * vector + Cycle::bytes(of) + spread;
}

std::vector<double> Solver::sums(const std::function<void(std::uint64_t)>& work) {
    m_device.fill(m_sums, 0);
    work(m_sums.handle());
    std::vector<double> found(static_cast<std::size_t>(m_span.channels));
    m_device.download(found.data(), m_sums, found.size() * sizeof(double));
    return found;
}

std::vector<double> Solver::dot(std::uint64_t a, std::uint64_t b) {
    return sums([&](std::uint64_t to) { m_do.dot(context(), m_span, a, b, to); });
}

void Solver::setFactors(const std::vector<double>& factors) {
    std::vector<float> floats(factors.begin(), factors.end());
    m_device.upload(m_factors, floats.data(), floats.size() * sizeof(float));
}

ConvergenceHistory Solver::solve(const Buffer& b, const Buffer& v, const Stopping& stopping) {
    m_device.fill(v, 0);
    return m_method == Method::jacobi ? sweep(b, v, stopping) : stepAlong(b, v, stopping);
}

ConvergenceHistory Solver::sweep(const Buffer& b, const Buffer& v, const Stopping& stopping) {
    ConvergenceHistory done{
        .iterations = 0, .stopped = "iterations", .residuals = {}, .measure = ConvergenceHistory::Measure::residual};
    double first = 0;
    for (;; ++done.iterations) {
        m_multiply(v.handle(), m_q.handle());
        const bool last = done.iterations == stopping.iterations;
        if (!last && done.iterations % kLook != 0) {
            m_do.relax(context(), m_rule, m_span, b.handle(), m_q.handle(), v.handle(), 1, 0);
            continue;
        }
        const double left =
            normOf(sums([&](std::uint64_t to) { m_do.residual(context(), m_span, b.handle(), m_q.handle(), to); }));
        needFinite(left);
        if (done.iterations == 0) first = left;
        const double part = first == 0 ? 0 : left / first;
        done.residuals.push_back({done.iterations, part});
        if (part <= stopping.tolerance) done.stopped = "tolerance";
        if (last || part <= stopping.tolerance) return done;
        // What was the product is the residual now, and b - 0 is as good.
        m_multiply(v.handle(), m_q.handle());
        m_do.relax(context(), m_rule, m_span, b.handle(), m_q.handle(), v.handle(), 1, 0);
    }
}

// Conjugate gradients; with cycles before them flexible ones, since a cycle is
// not quite symmetric.
ConvergenceHistory Solver::stepAlong(const Buffer& b, const Buffer& v, const Stopping& stopping) {
    ConvergenceHistory done{
        .iterations = 0, .stopped = "iterations", .residuals = {}, .measure = ConvergenceHistory::Measure::residual};
    const std::uint64_t r = m_r.handle(), p = m_p.handle(), q = m_q.handle();
    m_device.fill(m_r, 0);
    m_device.fill(m_p, 0);
    const double first = normOf(sums([&](std::uint64_t to) { m_do.residual(context(), m_span, b.handle(), r, to); }));
    done.residuals.push_back({0, first == 0 ? 0.0 : 1.0});
    if (first == 0) done.stopped = "tolerance";
    std::vector<double> ahead(static_cast<std::size_t>(m_span.channels)), along = ahead;
    bool anew = true;
    while (done.stopped != "tolerance" && done.iterations < stopping.iterations) {
        const std::uint64_t z = preconditioned();
        std::vector<double> turn(ahead.size());
        if (!anew) {
            turn = quotients(dot(z, q), ahead);
            for (std::size_t c = 0; c < turn.size(); ++c) turn[c] *= -along[c];
        }
        setFactors(turn);
        m_do.direct(context(), m_span, m_factors.handle(), z, p);
        m_multiply(p, q);
        ahead = dot(p, r);
        along = quotients(ahead, dot(p, q));
        setFactors(along);
        const double left = normOf(sums(
            [&](std::uint64_t to) { m_do.advance(context(), m_span, m_factors.handle(), p, q, v.handle(), r, to); }));
        needFinite(left);
        done.residuals.push_back({++done.iterations, left / first});
        anew = left <= stopping.tolerance * first;
        if (!anew && done.iterations < stopping.iterations) continue;
        // What the steps carry along and what is left part company in f32: it is worked out, and where it is more
        // than asked for the steps begin anew from there.
        m_multiply(v.handle(), r);
        done.residuals.back().value =
            normOf(sums([&](std::uint64_t to) { m_do.residual(context(), m_span, b.handle(), r, to); })) / first;
        if (done.residuals.back().value <= stopping.tolerance) done.stopped = "tolerance";
        m_device.fill(m_p, 0);
    }
    return done;
}

std::uint64_t Solver::preconditioned() {
    if (m_method == Method::conjugateGradients) return m_r.handle();
    if (m_whole) return m_cycle->run(m_r.handle(), m_z.handle(), m_other.handle());
    return cycleOfUnknowns();
}

// The sweeps on the unknowns by the variant's product; only what the coarser
// grids see is spread over the picture.
std::uint64_t Solver::cycleOfUnknowns() {
    const std::uint64_t r = m_r.handle(), z = m_z.handle();
    const std::uint64_t t = m_other.handle();
    const auto channel = [](std::uint64_t handle, std::int64_t values, int c) { return Vector{handle, c * values}; };
    const auto sweeps = [&](bool fromZero) {
        for (int k = 0; k < 2; ++k) {
            if (fromZero && k == 0)
                m_device.fill(m_other, 0);
            else
                m_multiply(z, t);
            m_do.relax(context(), m_rule, m_span, r, t, z, Cycle::kWeights[k], 0);
        }
    };
    m_device.fill(m_z, 0);
    sweeps(true);
    m_multiply(z, t);
    m_do.residual(context(), m_span, r, t, m_sums.handle());
    for (int c = 0; c < m_span.channels; ++c)
        m_build.scatter(context(), m_rule, channel(t, m_span.values, c),
                        channel(m_picture.handle(), m_rule.pixels(), c));
    m_device.fill(m_correction, 0);
    m_cycle->correct(m_picture.handle(), m_correction.handle());
    for (int c = 0; c < m_span.channels; ++c)
        m_build.gather(context(), m_rule, channel(m_correction.handle(), m_rule.pixels(), c),
                       channel(t, m_span.values, c));
    setFactors(std::vector<double>(static_cast<std::size_t>(m_span.channels), 1.0));
    m_do.direct(context(), m_span, m_factors.handle(), t, z);
    sweeps(false);
    return z;
}

}  // namespace warplens::gpu::sparse
