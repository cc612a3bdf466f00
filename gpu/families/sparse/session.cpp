// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/sparse/lattice.hpp"
#include "gpu/families/sparse/problem.hpp"
#include "gpu/families/sparse/solve_session.hpp"
#include "gpu/families/sparse/stored_matrix.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace warplens::gpu::sparse {
namespace {

/// Vectors of all channels, one behind the other.
Vector channelOf(const Buffer& buffer, std::int64_t values, int channel) { return {buffer.handle(), channel * values}; }

/// Weights of one channel are not those of another.
int matricesOf(const Case& of, Format format) {
    return format == Format::none ? 0 : of.matrix == Values::diffusion ? of.channels : 1;
}

/// Channels that lie pixel by pixel are there once more while they are sorted.
std::int64_t sortedBytes(const SparseProblem& problem) {
    const io::Shape& s = problem.input()->shape();
    return s.channels > 1 ? 4 * s.values() : 0;
}

/// What a row takes beside the pictures.
std::int64_t ownBytes(const SparseProblem& problem, Format format) {
    return matricesOf(problem.posed(), format) * StoredMatrix::bytesAtMost(problem.posed(), format) +
           sortedBytes(problem);
}

class ProductSession final : public PictureSession<SparseProblem, LibraryProduct> {
public:
    ProductSession(const SparseProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident),
          m_case(problem.posed()),
          m_build(building(device.info())),
          m_lattice(device, m_case, problem.unknowns()) {
        m_arguments.build = [this](Format format, const auto& use) { build(format, use); };
        const auto values = static_cast<std::size_t>(m_case.pixels() * m_case.channels);
        m_floats = device.allocate(values * sizeof(float));
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
        PictureSession::prepare(variant, tunables);
        if (m_kernel != nullptr) build(m_kernel->format, [](const StoredMatrix&) {});
    }

    void launch() override {
        // One matrix for all channels takes them in one launch.
        const bool together = m_kernel != nullptr && m_matrices.size() == 1;
        for (int c = 0; c < (together ? 1 : m_case.channels); ++c) {
            const Vector x = compact() ? rows(m_unknowns, c) : pixels(m_floats, c);
            const Vector y = compact() ? rows(m_products, c) : pixels(m_output, c);
            const auto which = m_matrices.empty() ? 0 : static_cast<std::size_t>(c) % m_matrices.size();
            if (m_kernel == nullptr) {
                m_arguments.which = which;
                m_arguments.x = x;
                m_arguments.y = y;
                m_library.launch();
            } else
                multiply(context(), *m_kernel, m_tunables, m_matrices.empty() ? nullptr : &m_matrices[which], ruleOf(c),
                         x, y, together ? m_case.channels : 1);
        }
    }

    void poisonOutput() override {
        PictureSession::poisonOutput();
        keepAlpha();
        if (m_products) m_device.fill(m_products, 0xff);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        if (compact()) {
            m_device.fill(m_output, 0);
            keepAlpha();
            forChannels(
                [&](int c) { m_build.scatter(context(), ruleOf(c), rows(m_products, c), pixels(m_output, c)); });
        }
        Result result = PictureSession::download(layoutMs, downloadMs);
        result.tables = {std::make_shared<const Table>(formatsTable(m_matrices, m_case))};
        return result;
    }

    std::optional<DevicePicture> picture() const override {
        return m_case.masked ? std::nullopt : PictureSession::picture();
    }

private:
    /// The matrices of a format, and what is made of each. A result that could not come back is not computed.
    template <class F>
    void build(Format format, const F& use) {
        withMemory(m_device, nameOf(m_case), ownBytes(m_problem, format), [&] { buildWithin(format, use); });
    }
    template <class F>
    void buildWithin(Format format, const F& use) {
        if (m_matrices.empty() || m_matrices.front().stored().format != format) {
            m_matrices.clear();
            for (int c = 0; c < matricesOf(m_case, format); ++c) m_matrices.emplace_back(m_device, ruleOf(c), format);
        }
        if (const auto sorted = sortedBytes(m_problem); sorted > 0 && sorted > memoryBudget(m_device, {}))
            refuseMemory(m_device.info().id, nameOf(m_case), m_device.allocatedBytes() + sorted,
                         m_device.allocatedBytes());
        for (const StoredMatrix& matrix : m_matrices) use(matrix);
    }

    LaunchContext& context() { return m_device.context(); }
    /// Whether the variant's vectors hold the unknowns alone.
    bool compact() const { return m_case.masked && (m_kernel == nullptr || !m_kernel->wholePictures); }

    /// Copies the channel that no kernel touches.
    void keepAlpha() {
        const auto all = static_cast<std::size_t>(m_problem.input()->shape().values());
        const auto computed = static_cast<std::size_t>(m_case.pixels() * m_case.channels);
        if (all == computed) return;
        layoutEntry(m_device.info())
            .convert(context(), m_arguments.input, computed * io::sizeOf(m_case.type), m_case.type, m_output.handle(),
                     computed * sizeof(float), io::PixelType::f32, all - computed);
    }

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

    const Case& m_case;
    const BuildingEntry& m_build;
    Lattice m_lattice;
    Buffer m_floats;                       ///< a picture: x
    Buffer m_unknowns, m_products;         ///< with a mask: x and y of the unknowns alone
    std::vector<StoredMatrix> m_matrices;  ///< one, or one a channel; none where nothing is stored
};

}  // namespace

std::unique_ptr<Session> SparseProblem::open(Device& device, Resident& resident) const {
    const Case& c = posed();
    if (c.task != Task::product) return openSolveSession(*this, device);
    const auto input = static_cast<std::int64_t>(m_input->bytes());
    std::int64_t kept = 4 * c.pixels() * c.channels + 4 * m_input->shape().values();
    if (c.masked) kept += 8 * std::int64_t{c.rows} * c.channels;
    const auto bytesWith = [&](Format format) {
        const std::int64_t sorted = sortedBytes(*this) > 0 ? input : 0;
        return Lattice::bytes(c) + input + std::max(sorted, kept + ownBytes(*this, format));
    };
    const std::int64_t budget = memoryBudget(device, resident);
    // The figure is one with which every row runs.
    if (bytesWith(Format::none) > budget) {
        std::int64_t most = 0;
        for (const Format format : {Format::coordinates, Format::ell, Format::sliced, Format::hybrid, Format::dense})
            if (format != Format::dense || std::int64_t{c.rows} * c.rows <= kMostDense)
                most = std::max(most, bytesWith(format));
        refuseMemory(device.info().id, nameOf(c), most, budget);
    }
    keepResident(device, m_input, resident);
    return std::make_unique<ProductSession>(*this, device, resident);
}

}  // namespace warplens::gpu::sparse
