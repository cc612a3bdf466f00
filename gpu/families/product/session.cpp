// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/problem.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu::product {
namespace {

/// Of a matrix in rows of whole quads.
std::size_t paddedBytes(int rows, int columns, int layers) {
    return std::size_t{4} * static_cast<std::size_t>(wholeQuads(rows)) * static_cast<std::size_t>(wholeQuads(columns)) *
           static_cast<std::size_t>(layers);
}

class ProductSession final : public PictureSession<ProductProblem, LibraryCase> {
public:
    ProductSession(const ProductProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident), m_case(problem.posed()) {
        if (m_case.task == Task::product || m_case.task == Task::bank) m_factor = uploaded(problem.factor());
        if (m_case.task == Task::dct) {
            const Factor across = cosines(m_case.width, m_case.keptX), down = cosines(m_case.height, m_case.keptY);
            m_across = uploaded(across);
            m_acrossTurned = uploaded(transposeOf(across));
            m_down = uploaded(down);
            m_downTurned = uploaded(transposeOf(down));
            m_halfway = zeros(m_case.height, m_case.keptX);
            m_frequencies = zeros(m_case.keptY, m_case.keptX);
        }
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_steps.clear();
        m_scratch = {};
        m_staged = {};
        if (m_case.task == Task::product) m_steps = {ofProduct()};
        if (m_case.task == Task::dct) m_steps = ofCosines();
        m_staging = {};
        const KernelEntry* const kernel = ladder().entryOf(variant, m_device.info());
        const bool quads = kernel == nullptr || kernel->quads;
        if (!m_steps.empty() && quads && !m_steps.front().quads()) stage(m_steps.front());
        PictureSession::prepare(variant, tunables);
        if (m_kernel == nullptr) return;
        std::size_t floats = 0;
        if (m_kernel->multiplyScratch != nullptr)
            for (const Multiplication& step : m_steps)
                floats = std::max(floats, m_kernel->multiplyScratch(step, m_tunables));
        if (m_case.task == Task::bank && m_kernel->filterScratch != nullptr) floats = m_kernel->filterScratch(m_case);
        if (floats == 0) return;
        m_scratch = m_device.allocate(4 * floats);
        for (Multiplication& step : m_steps) step.scratch = m_scratch.handle();
    }

    void launch() override {
        LaunchContext& context = m_device.context();
        if (m_staging.to != 0) staging(m_device.info()).launch(context, m_staging);
        if (m_kernel == nullptr) return m_library.launch();
        for (const Multiplication& step : m_steps) m_kernel->multiply(context, step, m_tunables);
        if (m_case.task == Task::bank) m_kernel->filter(context, ofBank(), m_tunables);
        if (m_case.task == Task::colours) m_kernel->mix(context, ofColours(), m_tunables);
    }

    void poisonOutput() override {
        PictureSession::poisonOutput();
        if (m_case.task != Task::dct || !m_case.keepsAlpha) return;  // colours are mixed with their alpha
        const io::PixelType type = m_case.type;
        const auto count = static_cast<std::size_t>(m_problem.outputShape().pixels());
        const std::size_t offset = 3 * count * io::sizeOf(type);
        layoutEntry(m_device.info())
            .convert(m_device.context(), m_arguments.input, offset, type, m_output.handle(), offset, type, count);
    }

private:
    Buffer uploaded(const Factor& factor) {
        Buffer made = m_device.allocate(factor.values.size() * sizeof(float));
        m_device.upload(made, factor.values.data(), factor.values.size() * sizeof(float));
        return made;
    }
    Buffer zeros(int rows, int columns) {
        Buffer made = m_device.allocate(paddedBytes(rows, columns, m_case.layers));
        m_device.fill(made, 0);
        return made;
    }

    Matrix ofInput() const { return {m_arguments.input, 0, m_case.width, std::int64_t{m_case.width} * m_case.height}; }
    static Matrix padded(const Buffer& buffer, int rows, int columns, bool layers = true) {
        const std::int64_t row = wholeQuads(columns);
        return {buffer.handle(), 0, row, layers ? row * wholeQuads(rows) : 0};
    }

    Multiplication ofProduct() const {
        const Factor& f = m_problem.factor();
        const int columns = m_case.columns;
        return {.rows = m_case.height,
                .inner = m_case.width,
                .columns = columns,
                .layers = m_case.layers,
                .a = ofInput(),
                .b = padded(m_factor, f.rows, f.columns, f.layers > 1),
                .c = {m_output.handle(), 0, columns, std::int64_t{columns} * m_case.height},
                .aType = m_case.type};
    }

    /// Rows and then columns into frequencies, those into columns and these into rows.
    std::vector<Multiplication> ofCosines() const {
        const int w = m_case.width, h = m_case.height, x = m_case.keptX, y = m_case.keptY, layers = m_case.layers;
        const Matrix halfway = padded(m_halfway, h, x), frequencies = padded(m_frequencies, y, x);
        const Matrix across = padded(m_across, x, w, false), acrossTurned = padded(m_acrossTurned, w, x, false);
        const Matrix down = padded(m_down, y, h, false), downTurned = padded(m_downTurned, h, y, false);
        const Matrix out{m_output.handle(), 0, w, std::int64_t{w} * h};
        return {
            {.rows = h,
             .inner = w,
             .columns = x,
             .layers = layers,
             .a = ofInput(),
             .b = acrossTurned,
             .c = halfway,
             .aType = m_case.type},
            {.rows = y, .inner = h, .columns = x, .layers = layers, .a = down, .b = halfway, .c = frequencies},
            {.rows = h, .inner = y, .columns = x, .layers = layers, .a = downTurned, .b = frequencies, .c = halfway},
            {.rows = h,
             .inner = x,
             .columns = w,
             .layers = layers,
             .a = halfway,
             .b = across,
             .c = out,
             .cType = m_problem.outputType()}};
    }

    Banking ofBank() const {
        return {.input = m_arguments.input,
                .filters = m_factor.handle(),
                .output = m_output.handle(),
                .scratch = m_scratch.handle(),
                .type = m_case.type,
                .width = m_case.width,
                .height = m_case.height,
                .channels = m_case.layers,
                .count = m_case.filters,
                .side = m_case.side,
                .filterRow = m_problem.factor().rowValues(),
                .inputScale = m_case.inputScale(),
                .weightScale = m_case.weightScale()};
    }

    Mixing ofColours() const {
        const io::Shape& s = m_problem.input()->shape();
        Mixing mix{.input = m_arguments.input,
                   .output = m_output.handle(),
                   .type = m_case.type,
                   .pixels = s.pixels(),
                   .channels = s.channels};
        std::copy(m_problem.weights().begin(), m_problem.weights().end(), mix.weights);
        return mix;
    }

    /// The picture as floats in rows of whole quads: copied by a kernel, which is timed with the rest.
    void stage(Multiplication& first) {
        m_staged = zeros(m_case.height, m_case.width);
        m_staging = {m_arguments.input, m_staged.handle(), m_case.type, m_case.width, m_case.height, m_case.layers};
        first.a = padded(m_staged, m_case.height, m_case.width);
        first.aType = io::PixelType::f32;
    }

    const Case& m_case;
    std::vector<Multiplication>& m_steps = m_arguments.steps;
    Buffer m_factor, m_scratch, m_staged;
    Buffer m_across, m_acrossTurned, m_down, m_downTurned, m_halfway, m_frequencies;  ///< of cosines
    Staging m_staging;                                                                ///< to: 0 where nothing is staged
};

/// What picture, factor, result and what is between them take, at most.
std::int64_t deviceBytes(const ProductProblem& problem) {
    const Case& c = problem.posed();
    const std::size_t picture = problem.input()->bytes();
    std::size_t bytes = picture + 4 * problem.factor().values.size() +
                        static_cast<std::size_t>(problem.outputShape().values()) * io::sizeOf(problem.outputType());
    const bool multiplies = c.task == Task::product || c.task == Task::dct;
    if (multiplies) bytes += paddedBytes(c.height, c.width, c.layers) + 4 * problem.factor().values.size();
    if (c.task == Task::dct) {
        bytes += paddedBytes(c.height, c.keptX, c.layers) + paddedBytes(c.keptY, c.keptX, c.layers) +
                 2 * paddedBytes(c.width, c.keptX, 1) + 2 * paddedBytes(c.height, c.keptY, 1);
    }
    // Channels that lie pixel by pixel are there twice while they are sorted.
    if (problem.input()->shape().channels > 1) bytes += picture;
    return static_cast<std::int64_t>(bytes);
}

}  // namespace

std::unique_ptr<Session> ProductProblem::open(Device& device, Resident& resident) const {
    needMemory(device, resident, *m_input, deviceBytes(*this));
    keepResident(device, m_input, resident);
    return std::make_unique<ProductSession>(*this, device, resident);
}

}  // namespace warplens::gpu::product
