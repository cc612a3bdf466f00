// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/slab_session.hpp"

#include "gpu/device/memory_budget.hpp"
#include "gpu/families/convolution/launcher.hpp"
#include "gpu/families/convolution/ring_session.hpp"
#include "gpu/run/slab_ring.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace warplens::gpu::convolution {
SlabFormat formatOf(const ConvolutionProblem& problem) {
    const io::Shape& shape = problem.input()->shape();
    return {.pixels = shape.width * shape.height,
            .channels = shape.channels,
            .sent = problem.input()->type(),
            .fetched = problem.outputType()};
}

namespace {

class ConvolutionSlabs final : public SlabSession {
public:
    ConvolutionSlabs(const ConvolutionProblem& problem, const std::vector<Device*>& devices, Resident& resident,
                     const SlabPlan& plan)
        : SlabSession(devices, resident, plan, formatOf(problem), plan.slices + 2 * plan.halo),
          m_problem(problem),
          m_parts(devices.size()) {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            m_parts[i].output = devices[i]->allocate(format().fetchedBytes(plan.slices));
            m_parts[i].launcher.emplace(problem, *devices[i]);
        }
        walkFirst([this](std::size_t device, const Slab& slab) { load(device, slab); });
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            place(i, cut().slices);
            m_parts[i].launcher->prepare(variant, tunables);
        }
    }

    /// On the slabs that lie on the devices.
    void launch() override {
        walkFirst([this](std::size_t device, const Slab&) { m_parts[device].launcher->launch(); });
    }

    void poisonOutput() override {
        m_result = m_problem.emptyOutput();
        std::memset(m_result->data(), 0xff, m_result->bytes());
    }

private:
    /// What a device needs beside its port.
    struct Part {
        Buffer output;
        std::optional<Launcher> launcher;
        Scratch staging;
    };

    void work() override {
        walk([this](std::size_t device, const Slab& slab) {
            Part& part = m_parts[device];
            SlabPort& port = ports()[device];
            load(device, slab);
            if (m_result) {
                port.device().fill(part.output, 0xff);
                part.launcher->copyAlpha();
            }
            port.compute([&part] { part.launcher->launch(); });
            if (m_result) port.fetch(part.output, slab.slices, m_result->data() + format().fetchedBytes(slab.first));
        });
    }

    // What is handed out changes no more: later passes are for the clock alone.
    Result result() override { return {.picture = std::exchange(m_result, nullptr), .tables = {}}; }

    void load(std::size_t device, const Slab& slab) {
        const std::int64_t count = slab.slices + 2 * cut().halo;
        ports()[device].send(
            slicesFrom(*m_problem.input(), slab.first - cut().halo, count, m_problem.border(), m_parts[device].staging),
            count);
        place(device, slab.slices);
    }

    void place(std::size_t device, std::int64_t slices) {
        Part& part = m_parts[device];
        part.launcher->place(ports()[device].planes(), part.output, slices, cut().halo);
    }

    const ConvolutionProblem& m_problem;
    std::vector<Part> m_parts;           ///< one a device
    std::shared_ptr<io::Grid> m_result;  ///< while a pass is to make one
};

}  // namespace

std::unique_ptr<Session> openSlabSession(const ConvolutionProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, const SlabPlan& plan) {
    return std::make_unique<ConvolutionSlabs>(problem, devices, resident, plan);
}

std::unique_ptr<Session> openSlabSession(const ConvolutionProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident) {
    const std::int64_t halo = problem.filter().depth / 2, parts = partsFor(devices);
    const std::int64_t budget = memoryBudget(devices, resident);
    // Each takes a stretch beforehand where nothing says that one is slower.
    const bool equal = parts == static_cast<std::int64_t>(devices.size());
    const auto overlaps = [](const Device* device) { return SlabRing::fits(*device); };
    if (devices.size() > 1 && equal && std::ranges::all_of(devices, overlaps) && ringBytes(problem, 1, halo) <= budget)
        return openRingSession(problem, devices, resident,
                               planRing(problem, budget, devices.front()->info().id, parts));
    const auto bytesFor = [&](std::int64_t slices) { return deviceBytes(problem, slices, halo); };
    constexpr int kSlices = 2;
    return openSlabSession(
        problem, devices, resident,
        planSlabs(problem.input()->shape().depth, halo, budget, bytesFor, devices.front()->info().id, kSlices, parts));
}

}  // namespace warplens::gpu::convolution
