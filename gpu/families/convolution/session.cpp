// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/session.hpp"

#include "gpu/families/convolution/launcher.hpp"
#include "gpu/families/convolution/ring_session.hpp"
#include "gpu/families/convolution/slab_session.hpp"
#include "gpu/kernels/transfer.hpp"
#include "gpu/run/slab_ring.hpp"

namespace warplens::gpu::convolution {
namespace {

class ConvolutionSession final : public Session {
public:
    ConvolutionSession(const ConvolutionProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_launcher(problem, device) {
        keepResident(device, problem.inputPointer(), resident);
        const auto values = static_cast<std::size_t>(problem.input().shape().values());
        m_output = device.allocate(values * io::sizeOf(problem.outputType()));
        m_launcher.place(resident.planes, m_output, problem.input().shape().depth, 0);
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_launcher.prepare(variant, tunables);
    }

    void launch() override { m_launcher.launch(); }

    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        m_launcher.copyAlpha();
    }

    Result download(double& layoutMs, double& downloadMs) override {
        auto output = std::make_shared<io::Grid>(m_problem.makeOutput());
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output), .tables = {}};
    }

    std::optional<DevicePicture> picture() const override {
        return DevicePicture{&m_output, m_problem.input().shape(), m_problem.outputType()};
    }

private:
    const ConvolutionProblem& m_problem;
    Device& m_device;
    Launcher m_launcher;
    Buffer m_output;
};

}  // namespace

std::unique_ptr<Session> openSession(const ConvolutionProblem& problem, Device& device, Resident& resident) {
    const auto budget = memoryBudget(device, resident);
    const auto depth = problem.input().shape().depth;
    if (deviceBytes(problem, depth, 0) <= budget)
        return std::make_unique<ConvolutionSession>(problem, device, resident);
    if (depth > 1 && SlabRing::fits(device) && ringBytes(problem, 1, problem.filter().depth / 2) <= budget)
        return openRingSession(problem, device, resident, planRing(problem, budget, device.info().id));
    return openSlabSession(problem, {&device}, resident);
}

}  // namespace warplens::gpu::convolution
