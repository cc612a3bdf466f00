// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/session.hpp"

#include "gpu/families/sparse/cusparse.hpp"
#include "gpu/families/sparse/lattice.hpp"
#include "gpu/families/sparse/solve_session.hpp"
#include "gpu/families/sparse/stored_matrix.hpp"
#include "gpu/families/sparse/table.hpp"
#include "gpu/kernels/layout.hpp"
#include "gpu/kernels/transfer.hpp"
#include "gpu/run/slabs.hpp"

#include <utility>
#include <vector>

namespace warplens::gpu::sparse {
namespace {

/// Vectors of all channels, one behind the other.
Vector channelOf(const Buffer& buffer, std::int64_t values, int channel) { return {buffer.handle(), channel * values}; }

class ProductSession final : public Session {
public:
    ProductSession(const SparseProblem& problem, Device& device, Resident& resident)
        : m_problem(problem),
          m_device(device),
          m_case(problem.posed()),
          m_build(building(device.info())),
          m_lattice(device, m_case, problem.unknowns()) {
        keepResident(device, problem.input(), resident);
        const auto values = static_cast<std::size_t>(m_case.pixels() * m_case.channels);
        m_floats = device.allocate(values * sizeof(float));
        m_output = device.allocate(values * sizeof(float));
        layoutEntry(device.info())
            .convert(device.context(), resident.planes.handle(), 0, m_case.type, m_floats.handle(), 0,
                     io::PixelType::f32, values);
        if (!m_case.masked) return;
        const auto bytes = static_cast<std::size_t>(m_case.rows) * static_cast<std::size_t>(m_case.channels) * 4;
        m_unknowns = device.allocate(bytes);
        m_products = device.allocate(bytes);
        // What is no unknown is zero where vectors hold every pixel.
        forChannels([&](int c) { m_build.gather(context(), ruleOf(c), pixels(m_floats, c), rows(m_unknowns, c)); });
        device.fill(m_floats, 0);
        forChannels([&](int c) { m_build.scatter(context(), ruleOf(c), rows(m_unknowns, c), pixels(m_floats, c)); });
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        // A library takes what the rungs take.
        const Format format = m_entry != nullptr                ? m_entry->format
                              : variant.id == "cusparse_sliced" ? Format::sliced
                                                                : Format::rows;
        m_libraries.clear();
        if (m_matrices.empty() || m_matrices.front().stored().format != format) {
            m_matrices.clear();
            // Weights of one channel are not those of another.
            const int count = format == Format::none ? 0 : m_case.matrix == Values::diffusion ? m_case.channels : 1;
            for (int c = 0; c < count; ++c) m_matrices.emplace_back(m_device, ruleOf(c), format);
        }
        if (m_entry != nullptr) return;
        for (const StoredMatrix& matrix : m_matrices)
            m_libraries.push_back(std::make_unique<library::Cusparse>(m_device, matrix.stored()));
    }

    void launch() override {
        forChannels([&](int c) {
            const Vector x = compact() ? rows(m_unknowns, c) : pixels(m_floats, c);
            const Vector y = compact() ? rows(m_products, c) : pixels(m_output, c);
            const auto which = m_matrices.empty() ? 0 : static_cast<std::size_t>(c) % m_matrices.size();
            if (m_entry == nullptr) return m_libraries[which]->multiply(x, y);
            multiply(context(), *m_entry, m_tunables, m_matrices.empty() ? nullptr : &m_matrices[which], ruleOf(c), x,
                     y);
        });
    }

    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        if (m_products) m_device.fill(m_products, 0xff);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        if (compact()) {
            m_device.fill(m_output, 0);
            forChannels(
                [&](int c) { m_build.scatter(context(), ruleOf(c), rows(m_products, c), pixels(m_output, c)); });
        }
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output),
                .tables = {std::make_shared<const Table>(formatsTable(m_matrices, m_case))}};
    }

    std::optional<DevicePicture> picture() const override {
        if (m_case.masked) return std::nullopt;
        return DevicePicture{&m_output, m_problem.input()->shape(), io::PixelType::f32};
    }

private:
    LaunchContext& context() { return m_device.context(); }
    /// Whether the variant's vectors hold the unknowns alone.
    bool compact() const { return m_case.masked && (m_entry == nullptr || !m_entry->wholePictures); }

    template <class F>
    void forChannels(F f) {
        for (int c = 0; c < m_case.channels; ++c) f(c);
    }
    Rule ruleOf(int channel) const {
        Rule rule = m_lattice.rule();
        rule.picture = m_floats.handle();
        rule.first = channel * m_case.pixels();
        return rule;
    }
    Vector pixels(const Buffer& buffer, int channel) const { return channelOf(buffer, m_case.pixels(), channel); }
    Vector rows(const Buffer& buffer, int channel) const { return channelOf(buffer, m_case.rows, channel); }

    const SparseProblem& m_problem;
    Device& m_device;
    const Case& m_case;
    const BuildingEntry& m_build;
    Lattice m_lattice;
    Buffer m_floats, m_output;             ///< pictures: x and y
    Buffer m_unknowns, m_products;         ///< with a mask: x and y of the unknowns alone
    std::vector<StoredMatrix> m_matrices;  ///< one, or one a channel; none where nothing is stored
    std::vector<std::unique_ptr<library::Cusparse>> m_libraries;
    const KernelEntry* m_entry = nullptr;  ///< null: cuSPARSE
    TunableValues m_tunables;
};

}  // namespace

std::unique_ptr<Session> openSession(const SparseProblem& problem, Device& device, Resident& resident) {
    // Formats come on top, each as it is built.
    const Case& c = problem.posed();
    if (c.task != Task::product) return openSolveSession(problem, device);
    const std::int64_t values = c.pixels() * c.channels;
    std::int64_t needs = static_cast<std::int64_t>(problem.input()->bytes()) * (c.channels > 1 ? 2 : 1) + 8 * values;
    if (c.masked) needs += 5 * c.pixels() + 4 * std::int64_t{c.rows} * (1 + 2 * c.channels);
    const std::int64_t budget = memoryBudget(device, resident);
    if (needs > budget) refuseMemory(device.info().id, c.depth > 1 ? "the volume" : "the picture", needs, budget);
    return std::make_unique<ProductSession>(problem, device, resident);
}

}  // namespace warplens::gpu::sparse
