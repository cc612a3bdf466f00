// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/session.hpp"

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
        : m_problem(problem), m_device(device), m_case(problem.posed()), m_build(building(device.info())) {
        keepResident(device, problem.input(), resident);
        const auto values = static_cast<std::size_t>(m_case.pixels() * m_case.channels);
        m_floats = device.allocate(values * sizeof(float));
        m_output = device.allocate(values * sizeof(float));
        layoutEntry(device.info())
            .convert(device.context(), resident.planes.handle(), 0, m_case.type, m_floats.handle(), 0,
                     io::PixelType::f32, values);
        const Unknowns& unknowns = problem.unknowns();
        if (!unknowns.masked()) return;
        m_inside = uploaded(unknowns.inside);
        m_numbers = uploaded(unknowns.numbers);
        m_places = uploaded(unknowns.places);
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
        const bool same = !m_matrices.empty() && m_matrices.front().stored().format == m_entry->format;
        if (same) return;
        m_matrices.clear();
        if (m_entry->format == Format::none) return;
        // Weights of one channel are not those of another.
        const int count = m_case.matrix == Values::diffusion ? m_case.channels : 1;
        for (int c = 0; c < count; ++c) m_matrices.emplace_back(m_device, ruleOf(c), m_entry->format);
    }

    void launch() override {
        forChannels([&](int c) {
            Product product{.stored = {}, .rule = ruleOf(c), .x = {}, .y = {}};
            product.stored.rows = m_case.rows;
            if (!m_matrices.empty())
                product.stored = m_matrices[static_cast<std::size_t>(c) % m_matrices.size()].stored();
            product.x = compact() ? rows(m_unknowns, c) : pixels(m_floats, c);
            product.y = compact() ? rows(m_products, c) : pixels(m_output, c);
            m_entry->multiply(context(), product, m_tunables);
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
    bool compact() const { return m_case.masked && !m_entry->wholePictures; }

    template <class F>
    void forChannels(F f) {
        for (int c = 0; c < m_case.channels; ++c) f(c);
    }
    template <class T>
    Buffer uploaded(const std::vector<T>& values) {
        Buffer made = m_device.allocate(values.size() * sizeof(T));
        m_device.upload(made, values.data(), values.size() * sizeof(T));
        return made;
    }
    Rule ruleOf(int channel) const {
        Rule rule{m_case};
        rule.picture = m_floats.handle();
        rule.first = channel * m_case.pixels();
        if (!m_inside) return rule;
        rule.places = m_places.handle();
        rule.numbers = m_numbers.handle();
        rule.inside = m_inside.handle();
        return rule;
    }
    Vector pixels(const Buffer& buffer, int channel) const { return channelOf(buffer, m_case.pixels(), channel); }
    Vector rows(const Buffer& buffer, int channel) const { return channelOf(buffer, m_case.rows, channel); }

    const SparseProblem& m_problem;
    Device& m_device;
    const Case& m_case;
    const BuildingEntry& m_build;
    Buffer m_floats, m_output;             ///< pictures: x and y
    Buffer m_inside, m_numbers, m_places;  ///< with a mask
    Buffer m_unknowns, m_products;         ///< with a mask: x and y of the unknowns alone
    std::vector<StoredMatrix> m_matrices;  ///< one, or one a channel; none where nothing is stored
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
};

}  // namespace

std::unique_ptr<Session> openSession(const SparseProblem& problem, Device& device, Resident& resident) {
    // Formats come on top, each as it is built.
    const Case& c = problem.posed();
    const std::int64_t values = c.pixels() * c.channels;
    std::int64_t needs = static_cast<std::int64_t>(problem.input()->bytes()) * (c.channels > 1 ? 2 : 1) + 8 * values;
    if (c.masked) needs += 5 * c.pixels() + 4 * std::int64_t{c.rows} * (1 + 2 * c.channels);
    const std::int64_t budget = memoryBudget(device, resident);
    if (needs > budget) refuseMemory(device.info().id, c.depth > 1 ? "the volume" : "the picture", needs, budget);
    return std::make_unique<ProductSession>(problem, device, resident);
}

}  // namespace warplens::gpu::sparse
