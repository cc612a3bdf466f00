// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/evolution.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/device/memory_budget.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/kernels/layout.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>

namespace warplens::gpu::stencil {
namespace {

class StencilSession final : public Session {
public:
    StencilSession(const StencilProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_stepper(device, extentFor(problem, device, resident), problem.op()) {
        keepResident(device, problem.input(), resident);
        const auto load = [&] { m_stepper.load(resident.planes, problem.input()->type()); };
        if (pitch() > 0)
            resident.padMs = StageLog::during(StageLog::kLayout, [&] { return device.time(load); });
        else
            load();
        device.synchronize();
    }

    std::int64_t pitch() const override { return m_stepper.extent().pitch; }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_stepper.prepare(variant, tunables);
    }

    void poisonOutput() override {
        m_stepper.poison();
        m_behind = pitch() > 0;
    }

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
        m_behind = pitch() > 0;
    }

    Result download(double& layoutMs, double& downloadMs) override {
        io::Grid field(m_problem.input()->shape(), io::PixelType::f32);
        if (m_behind) layoutMs += StageLog::during(StageLog::kLayout, [&] { return m_device.time([&] { fields(); }); });
        downloadPlanes(m_device, fields(), field, layoutMs, downloadMs);
        return {.picture = m_problem.finish(std::move(field)), .tables = tablesOf(m_evolution)};
    }

    // The fields are the result; integers are rounded on the host first.
    std::optional<DevicePicture> picture() const override {
        if (m_problem.outputType() != io::PixelType::f32) return std::nullopt;
        return DevicePicture{&fields(), m_problem.input()->shape(), io::PixelType::f32};
    }

private:
    /// Rows that no four cells divide are padded to whole sectors, as far as memory goes. Not where steps are compared.
    static Extent extentFor(const StencilProblem& problem, const Device& device, const Resident& resident) {
        constexpr int kWhole = 32;
        const Extent plain = problem.extent();
        if (plain.width % 4 == 0 || plain.width < kWhole || resident.asItLies || problem.schedule().residualEvery > 0)
            return plain;
        Extent padded = plain;
        padded.pitch = (plain.width + kWhole - 1) / kWhole * kWhole;
        const bool copied = problem.input()->type() != io::PixelType::f32 || !problem.op().regions.empty();
        const auto more = Stepper::bytesFor(padded, copied) - Stepper::bytesFor(plain, copied) +
                          static_cast<std::int64_t>(plain.cells() * sizeof(float)) * plain.channels;
        return inCoreBytes(problem) + more <= memoryBudget(device, resident) ? padded : plain;
    }

    /// The fields with rows as they lie in pictures.
    const Buffer& fields() const {
        if (pitch() == 0) return m_stepper.current();
        const Extent& e = m_stepper.extent();
        if (!m_dense) m_dense = m_device.allocate(e.cells() * static_cast<std::size_t>(e.channels) * sizeof(float));
        if (m_behind) {
            layoutEntry(m_device.info())
                .repitch(m_device.context(), m_stepper.current().handle(), e.pitch, m_dense.handle(), e.width, e.width,
                         static_cast<std::int64_t>(e.height) * e.depth * e.channels, io::PixelType::f32);
            m_behind = false;
        }
        return m_dense;
    }

    const StencilProblem& m_problem;
    Device& m_device;
    Stepper m_stepper;
    ConvergenceHistory m_evolution;
    mutable Buffer m_dense;
    mutable bool m_behind = true;  ///< m_dense, of the fields
};

}  // namespace

std::unique_ptr<Session> StencilProblem::open(Device& device, Resident& resident) const {
    if (auto slabs = openSlabSessionIfNeeded(*this, device, resident)) return slabs;
    return std::make_unique<StencilSession>(*this, device, resident);
}

}  // namespace warplens::gpu::stencil
