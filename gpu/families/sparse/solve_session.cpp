// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/solve_session.hpp"

#include "gpu/device/memory_budget.hpp"
#include "gpu/families/sparse/problem.hpp"
#include "gpu/families/sparse/solver.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace warplens::gpu::sparse {
namespace {

/// What a row takes beside the unknowns and their right side.
std::int64_t ownBytes(const SparseProblem& problem, const KernelEntry& entry) {
    const Case& c = problem.posed();
    const std::int64_t values = entry.wholePictures ? c.pixels() : c.rows;
    return Solver::bytes(c, values, problem.method()) + (entry.wholePictures ? 8 * values * c.channels : 0) +
           (entry.format == Format::none ? 0 : StoredMatrix::bytesAtMost(c));
}

class SolveSession final : public Session {
public:
    SolveSession(const SparseProblem& problem, Device& device)
        : m_problem(problem),
          m_device(device),
          m_case(problem.posed()),
          m_lattice(device, m_case, problem.unknowns()),
          m_rule(m_lattice.rule()),
          m_right(uploaded(device, problem.system().rightSide(problem.unknowns()))),
          m_unknowns(device.allocate(m_right.bytes())) {}

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_solver.reset();
        m_matrix.clear();
        m_wholeRight = {};
        m_whole = {};
        withMemory(m_device, nameOf(m_case), ownBytes(m_problem, *m_entry), [this] { build(); });
    }

    void launch() override {
        const bool whole = m_entry->wholePictures;
        m_evolution =
            m_solver->solve(whole ? m_wholeRight : m_right, whole ? m_whole : m_unknowns, m_problem.stopping());
    }

    void poisonOutput() override {
        m_device.fill(m_unknowns, 0xff);
        if (m_whole) m_device.fill(m_whole, 0xff);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        if (m_whole) {
            layoutMs += m_device.time([&] {
                for (int c = 0; c < m_case.channels; ++c)
                    building(m_device.info())
                        .gather(m_device.context(), m_rule, {m_whole.handle(), c * m_case.pixels()},
                                {m_unknowns.handle(), c * std::int64_t{m_case.rows}});
            });
        }
        std::vector<float> solved(m_unknowns.bytes() / sizeof(float));
        downloadMs += m_device.time([&] { m_device.download(solved.data(), m_unknowns, m_unknowns.bytes()); });
        Tables tables = tablesOf(m_evolution);
        Table residuals = *tables.front();
        residuals.columns.back().title = "Residual, of the first";
        Column::Integers products;
        for (const ResidualPoint& point : m_evolution.residuals)
            products.push_back(point.iteration * productsPerStep(m_problem.method()));
        residuals.columns.push_back({.id = "products",
                                     .title = "Products with the matrix",
                                     .origin = Origin::counted,
                                     .values = std::move(products)});
        tables.front() = std::make_shared<const Table>(std::move(residuals));
        tables.push_back(std::make_shared<const Table>(formatsTable(m_matrix, m_case)));
        return {.picture = m_problem.system().finish(m_problem.unknowns(), solved), .tables = std::move(tables)};
    }

private:
    void build() {
        if (m_entry->format != Format::none) m_matrix.emplace_back(m_device, m_rule, m_entry->format);
        const bool whole = m_entry->wholePictures;
        const std::int64_t values = whole ? m_case.pixels() : m_case.rows;
        if (whole) {
            const auto bytes = static_cast<std::size_t>(values * m_case.channels) * sizeof(float);
            m_wholeRight = m_device.allocate(bytes);
            m_whole = m_device.allocate(bytes);
            m_device.fill(m_wholeRight, 0);
            for (int c = 0; c < m_case.channels; ++c)
                building(m_device.info())
                    .scatter(m_device.context(), m_rule, {m_right.handle(), c * std::int64_t{m_case.rows}},
                             {m_wholeRight.handle(), c * m_case.pixels()});
        }
        const auto product = [this, values](std::uint64_t x, std::uint64_t y) {
            const StoredMatrix* const matrix = m_matrix.empty() ? nullptr : &m_matrix.front();
            const int together = matrix != nullptr ? m_case.channels : 1;
            for (int c = 0; c < m_case.channels; c += together)
                multiply(m_device.context(), *m_entry, m_tunables, matrix, m_rule, {x, c * values}, {y, c * values},
                         together);
        };
        m_solver = std::make_unique<Solver>(m_device, m_rule, values, m_problem.method(), product);
    }

    const SparseProblem& m_problem;
    Device& m_device;
    const Case& m_case;
    Lattice m_lattice;
    Rule m_rule;
    Buffer m_right, m_unknowns;          ///< b and v of the unknowns
    Buffer m_wholeRight, m_whole;        ///< the same over the whole picture, where the
                                         ///< variant wants it so
    std::vector<StoredMatrix> m_matrix;  ///< one, or none where nothing is stored
    std::unique_ptr<Solver> m_solver;
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
    ConvergenceHistory m_evolution;
};

}  // namespace

std::unique_ptr<Session> openSolveSession(const SparseProblem& problem, Device& device) {
    const Case& c = problem.posed();
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
    for (const Variant& variant : ladder().variants()) {
        const KernelEntry* entry = ladder().entryOf(variant, device.info());
        if (entry == nullptr || !problem.refusal(variant, resolve(variant, {}), device.info()).empty()) continue;
        least = std::min(least, ownBytes(problem, *entry));
        most = std::max(most, ownBytes(problem, *entry));
    }
    const std::int64_t all = Lattice::bytes(c) + 8 * std::int64_t{c.rows} * c.channels;
    const std::int64_t budget = memoryBudget(device, {});
    // The figure is one with which every row runs.
    if (all + least > budget) refuseMemory(device.info().id, nameOf(c), all + most, budget);
    return std::make_unique<SolveSession>(problem, device);
}

}  // namespace warplens::gpu::sparse
