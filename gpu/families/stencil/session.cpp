// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/session.hpp"

#include "gpu/core/evolution.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>

namespace warplens::gpu::stencil {
namespace {

class StencilSession final : public Session {
public:
    StencilSession(const StencilProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_stepper(device, problem.extent(), problem.op()) {
        keepResident(device, problem.inputPointer(), resident);
        m_stepper.load(resident.planes, problem.input().type());
        device.synchronize();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_stepper.prepare(variant, tunables);
    }

    void poisonOutput() override { m_stepper.poison(); }

    // Every launch is the whole iteration, from the input on.
    void launch() override {
        const Schedule& schedule = m_problem.schedule();
        m_evolution = {.iterations = 0, .stopped = "iterations", .residuals = {}};
        m_stepper.restart();
        if (schedule.residualEvery == 0) m_stepper.run(schedule.iterations);
        while (m_stepper.step() < schedule.iterations) {
            const auto steps = std::min(schedule.residualEvery, schedule.iterations - m_stepper.step());
            const double change = m_stepper.advanceAndCompare(steps);
            m_evolution.residuals.push_back({m_stepper.step(), change});
            if (change < schedule.tolerance) {
                m_evolution.stopped = "tolerance";
                break;
            }
        }
        m_evolution.iterations = m_stepper.step();
    }

    Result download(double& layoutMs, double& downloadMs) override {
        io::Grid field(m_problem.input().shape(), io::PixelType::f32);
        downloadPlanes(m_device, m_stepper.current(), field, layoutMs, downloadMs);
        return {.picture = m_problem.finish(std::move(field)), .tables = tablesOf(m_evolution)};
    }

    // The fields are the result; integers are rounded on the host first.
    std::optional<DevicePicture> picture() const override {
        if (m_problem.outputType() != io::PixelType::f32) return std::nullopt;
        return DevicePicture{&m_stepper.current(), m_problem.input().shape(), io::PixelType::f32};
    }

private:
    const StencilProblem& m_problem;
    Device& m_device;
    Stepper m_stepper;
    Evolution m_evolution;
};

}  // namespace

std::unique_ptr<Session> openSession(const StencilProblem& problem, Device& device, Resident& resident) {
    if (auto slabs = openSlabSessionIfNeeded(problem, device, resident)) return slabs;
    return std::make_unique<StencilSession>(problem, device, resident);
}

}  // namespace warplens::gpu::stencil
