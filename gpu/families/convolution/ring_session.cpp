// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/ring_session.hpp"

#include "gpu/families/convolution/launcher.hpp"
#include "gpu/families/convolution/slab_session.hpp"
#include "gpu/run/share_out.hpp"
#include "gpu/run/slab_ring.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace warplens::gpu::convolution {
namespace {

class ConvolutionRing final : public Session {
public:
    ConvolutionRing(const ConvolutionProblem& problem, const std::vector<Device*>& devices, Resident& resident,
                    const SlabPlan& plan)
        : m_problem(problem), m_resident(resident), m_plan(plan), m_format(formatOf(problem)) {
        for (Device* const device : devices) {
            Part& part = *m_parts.emplace_back(std::make_unique<Part>(
                SlabRing(*device, m_format, plan.slices + 2 * plan.halo, plan.slices, device->info().discreteMemory()),
                Launcher(problem, *device)));
            device->fill(part.ring.planes(), 0);  // launch() may come before any pass
        }
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        for (const auto& part : m_parts) {
            placeFirst(*part);
            part->launcher.prepare(variant, tunables);
        }
    }

    /// On a slab's buffers, whatever lies there.
    void launch() override {
        for (const auto& part : m_parts) part->launcher.launch();
    }

    double pass(Device&) override {
        const auto count = static_cast<std::int64_t>(m_parts.size());
        parallelForEach(m_parts.size(), count, [this](std::size_t, std::int64_t i) {
            Part& part = *m_parts[static_cast<std::size_t>(i)];
            const std::int64_t first = firstOf(i);
            part.overlap = {};
            part.ring.run(
                firstOf(i + 1) - first,
                [&](std::int64_t job, auto& staging) { return jobOf(part, m_plan.at(first + job), job > 0, staging); },
                part.overlap);
            placeFirst(part);
        });
        SlabOverlap overlap;
        for (const auto& part : m_parts) overlap.join(part->overlap);
        // Told is a pass that made a result: those for the clock alone fetch nothing.
        if (m_result) {
            m_overlap = overlap;
            m_resident.uploadMs = overlap.sums.upload;
            m_resident.layoutMs = overlap.sums.deinterleave;
        }
        return overlap.sums.kernels;
    }

    std::string plan() const override { return m_plan.sentence() + sharedBy(*slabs(), "each takes a stretch of them"); }
    std::optional<SlabMap> slabs() const override {
        SlabMap map = m_plan.map({});
        map.devices.clear();
        map.held.clear();
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            map.devices.push_back(m_parts[i]->ring.device().info().id);
            const auto at = [&](std::size_t part) {
                return std::min(m_plan.depth, firstOf(static_cast<std::int64_t>(part)) * m_plan.slices);
            };
            if (at(i + 1) > at(i)) map.held.push_back({i, at(i), at(i + 1) - at(i)});
        }
        return map;
    }
    std::optional<SlabOverlap> overlap() const override { return m_overlap; }

    void poisonOutput() override {
        m_result = m_problem.emptyOutput();
        poisonOnHost(*m_result);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        layoutMs += m_overlap.sums.interleave;
        downloadMs += m_overlap.sums.download;
        // What is handed out changes no more: later passes are for the clock alone.
        return {.picture = std::exchange(m_result, nullptr), .tables = {}};
    }

private:
    /// What a device has.
    struct Part {
        Part(SlabRing&& r, Launcher&& l) : ring(std::move(r)), launcher(std::move(l)) {}
        SlabRing ring;
        Launcher launcher;
        SlabOverlap overlap{};
    };

    /// The first slab of a part's stretch; of the one after the last, the number of slabs.
    std::int64_t firstOf(std::int64_t part) const {
        const auto parts = static_cast<std::int64_t>(m_parts.size());
        return (m_plan.count() * part + parts - 1) / parts;
    }

    void placeFirst(Part& part) const {
        part.launcher.place(part.ring.planes(), part.ring.made(), m_plan.slices, m_plan.halo);
    }

    SlabJob jobOf(Part& part, const Slab& slab, bool keeps, Scratch& staging) {
        const std::int64_t kept = keeps ? 2 * m_plan.halo : 0, slices = slab.slices;
        const std::int64_t sent = slices + 2 * m_plan.halo - kept, first = slab.first - m_plan.halo + kept;
        SlabJob job{.from = slicesFrom(*m_problem.input(), first, sent, m_problem.border(), staging),
                    .sent = sent,
                    .kept = kept,
                    .fetched = slices};
        job.ready = [this, &part, slices, wanted = m_result != nullptr](const Buffer& planes, const Buffer& made) {
            part.launcher.place(planes, made, slices, m_plan.halo);
            if (!wanted) return;
            part.ring.device().fill(made, 0xff);
            part.launcher.copyAlpha();
        };
        job.compute = [&part](const Buffer&, const Buffer&) { part.launcher.launch(); };
        if (m_result) job.to = m_result->data() + m_format.fetchedBytes(slab.first);
        return job;
    }

    const ConvolutionProblem& m_problem;
    Resident& m_resident;
    SlabPlan m_plan;
    SlabFormat m_format;
    std::vector<std::unique_ptr<Part>> m_parts;  ///< one a device
    SlabOverlap m_overlap;
    std::shared_ptr<io::Grid> m_result;  ///< while a pass is to make one
};

}  // namespace

std::int64_t ringBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo) {
    return SlabRing::bytesFor(formatOf(problem), slices + 2 * halo, slices) + ownBytes(problem, slices, halo);
}

SlabPlan planRing(const ConvolutionProblem& problem, std::int64_t budget, const std::string& where,
                  std::int64_t devices) {
    const std::int64_t halo = problem.filter().depth / 2;
    const auto bytesFor = [&](std::int64_t slices) { return ringBytes(problem, slices, halo); };
    constexpr int kSlices = 2;
    return SlabRing::plan(planSlabs(problem.input()->shape().depth, halo, budget, bytesFor, where, kSlices, devices),
                          formatOf(problem), bytesFor, true, devices);
}

std::unique_ptr<Session> openRingSession(const ConvolutionProblem& problem, const std::vector<Device*>& devices,
                                         Resident& resident, const SlabPlan& plan) {
    resident = {};
    resident.fresh = true;
    return std::make_unique<ConvolutionRing>(problem, devices, resident, plan);
}

}  // namespace warplens::gpu::convolution
