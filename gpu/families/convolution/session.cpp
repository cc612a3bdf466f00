// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/moments.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/convolution/launcher.hpp"
#include "gpu/families/convolution/problem.hpp"
#include "gpu/families/convolution/ring_session.hpp"
#include "gpu/families/convolution/slab_session.hpp"
#include "gpu/kernels/layout.hpp"
#include "gpu/kernels/transfer.hpp"
#include "gpu/run/slab_ring.hpp"

namespace warplens::gpu::convolution {
namespace {

class ConvolutionSession final : public Session {
public:
    ConvolutionSession(const ConvolutionProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_resident(resident), m_launcher(problem, device) {
        keepResident(device, problem.input(), resident, true);
        const auto values = static_cast<std::size_t>(problem.input()->shape().values());
        m_output = device.allocate(values * io::sizeOf(problem.outputType()));
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_pitch = 0;
        const auto pitch = m_problem.pitchFor(*ladder().entryOf(variant, m_device.info()));
        if (pitch > m_problem.input()->shape().width && !m_resident.asItLies) {
            pad(pitch);
            m_pitch = pitch;
        }
        place();
        m_launcher.prepare(variant, tunables);
    }

    void launch() override {
        m_launcher.launch();
        m_behind = m_pitch > 0;
    }

    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        m_launcher.place(m_resident.planes, m_output, m_problem.input()->shape().depth, 0);
        m_launcher.copyAlpha();
        place();
        if (m_pitch > 0) m_device.fill(m_padded, 0xff);
        m_behind = m_pitch > 0;
    }

    std::int64_t pitch() const override { return m_pitch; }

    Result download(double& layoutMs, double& downloadMs) override {
        if (m_behind)
            layoutMs += StageLog::during(StageLog::kLayout, [&] { return m_device.time([&] { catchUp(); }); });
        auto output = m_problem.emptyOutput();
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output), .tables = {}};
    }

    std::optional<DevicePicture> picture() const override {
        if (m_behind) catchUp();
        return DevicePicture{&m_output, m_problem.input()->shape(), m_problem.outputType()};
    }

private:
    void place() {
        const auto depth = m_problem.input()->shape().depth;
        if (m_pitch > 0)
            m_launcher.place(m_resident.padded, m_padded, depth, 0, m_pitch);
        else
            m_launcher.place(m_resident.planes, m_output, depth, 0);
    }

    /// Makes input and output of this pitch. Throws Error(outOfMemory): rows as they lie would round otherwise.
    void pad(std::int64_t pitch) {
        const io::Shape& shape = m_problem.input()->shape();
        const auto values = static_cast<std::size_t>(shape.values() / shape.width * pitch);
        const auto bytes = values * io::sizeOf(m_problem.outputType());
        const auto more = values * io::sizeOf(m_problem.input()->type()) + bytes;
        withMemory(m_device, "the picture with padded rows", static_cast<std::int64_t>(more), [&] {
            keepPadded(m_device, m_resident, pitch);
            if (m_padded.bytes() != bytes) m_padded = m_device.allocate(bytes);
        });
    }

    /// Brings what was written with padded rows to the output.
    void catchUp() const {
        const io::Shape& shape = m_problem.input()->shape();
        layoutEntry(m_device.info())
            .repitch(m_device.context(), m_padded.handle(), m_pitch, m_output.handle(), shape.width, shape.width,
                     shape.height * shape.depth * m_problem.filteredChannels(), m_problem.outputType());
        m_behind = false;
    }

    const ConvolutionProblem& m_problem;
    Device& m_device;
    Resident& m_resident;
    Launcher m_launcher;
    Buffer m_output, m_padded;
    std::int64_t m_pitch = 0;
    mutable bool m_behind = false;  ///< the output, of what was written with padded rows
};

}  // namespace

std::unique_ptr<Session> ConvolutionProblem::open(Device& device, Resident& resident) const {
    const auto budget = memoryBudget(device, resident);
    const auto depth = m_input->shape().depth;
    if (deviceBytes(*this, depth, 0) <= budget) return std::make_unique<ConvolutionSession>(*this, device, resident);
    if (depth > 1 && SlabRing::fits(device) && ringBytes(*this, 1, filter().depth / 2) <= budget)
        return openRingSession(*this, {&device}, resident, planRing(*this, budget, device.info().id));
    return openSlabSession(*this, {&device}, resident);
}

}  // namespace warplens::gpu::convolution
