// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/solve_session.hpp"

#include "gpu/families/sparse/solver.hpp"
#include "gpu/families/sparse/table.hpp"
#include "gpu/run/slabs.hpp"

#include <utility>

namespace warplens::gpu::sparse {
namespace {

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
            for (int c = 0; c < m_case.channels; ++c)
                multiply(m_device.context(), *m_entry, m_tunables, m_matrix.empty() ? nullptr : &m_matrix.front(),
                         m_rule, {x, c * values}, {y, c * values});
        };
        m_solver = std::make_unique<Solver>(m_device, m_rule, values, m_problem.method(), product);
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
        tables.front() = std::make_shared<const Table>(std::move(residuals));
        tables.push_back(std::make_shared<const Table>(formatsTable(m_matrix, m_case)));
        return {.picture = m_problem.system().finish(m_problem.unknowns(), solved), .tables = std::move(tables)};
    }

private:
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
    Evolution m_evolution;
};

}  // namespace

std::unique_ptr<Session> openSolveSession(const SparseProblem& problem, Device& device) {
    // Formats and coarser grids come on top, each as it is built.
    const Case& c = problem.posed();
    const std::int64_t needs = 5 * c.pixels() + 4 * std::int64_t{c.rows} * (1 + 7 * c.channels);
    Resident none;
    const std::int64_t budget = memoryBudget(device, none);
    if (needs > budget) refuseMemory(device.info().id, c.depth > 1 ? "the volume" : "the picture", needs, budget);
    return std::make_unique<SolveSession>(problem, device);
}

}  // namespace warplens::gpu::sparse
