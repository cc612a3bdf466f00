// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/ring_session.hpp"

#include "gpu/families/convolution/launcher.hpp"
#include "gpu/families/convolution/slab_session.hpp"
#include "gpu/run/slab_ring.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace warplens::gpu::convolution {
namespace {

class ConvolutionRing final : public Session, public TellsOverlap {
public:
    ConvolutionRing(const ConvolutionProblem& problem, Device& device, Resident& resident, const SlabPlan& plan)
        : m_problem(problem),
          m_resident(resident),
          m_plan(plan),
          m_format(formatOf(problem)),
          m_ring(device, m_format, plan.slices + 2 * plan.halo, plan.slices, device.info().discreteMemory()),
          m_launcher(problem, device) {
        device.fill(m_ring.planes(), 0);  // launch() may come before any pass
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_launcher.place(m_ring.planes(), m_ring.made(), m_plan.slices, m_plan.halo);
        m_launcher.prepare(variant, tunables);
    }

    /// On a slab's buffers, whatever lies there.
    void launch() override { m_launcher.launch(); }

    double pass(Device&) override {
        m_overlap = {};
        m_ring.run(
            m_plan.count(), [this](std::int64_t i, auto& staging) { return jobOf(m_plan.at(i), staging); }, m_overlap);
        m_launcher.place(m_ring.planes(), m_ring.made(), m_plan.slices, m_plan.halo);
        m_resident.uploadMs = m_overlap.sums.upload;
        m_resident.layoutMs = m_overlap.sums.deinterleave;
        return m_overlap.sums.kernels;
    }

    std::string plan() const override { return m_plan.sentence(); }
    std::optional<SlabMap> slabs() const override { return m_plan.map(m_ring.device().info().id); }
    std::optional<SlabOverlap> overlap() const override { return m_overlap; }

    void poisonOutput() override {
        m_result = std::make_shared<io::Grid>(m_problem.makeOutput());
        poisonOnHost(*m_result);
    }

    Result download(double& layoutMs, double& downloadMs) override {
        layoutMs += m_overlap.sums.interleave;
        downloadMs += m_overlap.sums.download;
        // What is handed out changes no more: later passes are for the clock alone.
        return {.picture = std::exchange(m_result, nullptr), .tables = {}};
    }

private:
    SlabJob jobOf(const Slab& slab, std::vector<std::byte>& staging) {
        const std::int64_t sent = slab.slices + 2 * m_plan.halo, slices = slab.slices;
        SlabJob job{.from = slicesFrom(m_problem.input(), slab.first - m_plan.halo, sent, m_problem.border(), staging),
                    .sent = sent,
                    .fetched = slices};
        job.ready = [this, slices, wanted = m_result != nullptr](const Buffer& planes, const Buffer& made) {
            m_launcher.place(planes, made, slices, m_plan.halo);
            if (!wanted) return;
            m_ring.device().fill(made, 0xff);
            m_launcher.copyAlpha();
        };
        job.compute = [this](const Buffer&, const Buffer&) { m_launcher.launch(); };
        if (m_result) job.to = m_result->data() + m_format.fetchedBytes(slab.first);
        return job;
    }

    const ConvolutionProblem& m_problem;
    Resident& m_resident;
    SlabPlan m_plan;
    SlabFormat m_format;
    SlabRing m_ring;
    Launcher m_launcher;
    SlabOverlap m_overlap;
    std::shared_ptr<io::Grid> m_result;  ///< while a pass is to make one
};

}  // namespace

std::int64_t ringBytes(const ConvolutionProblem& problem, std::int64_t slices, std::int64_t halo) {
    return SlabRing::bytesFor(formatOf(problem), slices + 2 * halo, slices) + ownBytes(problem, slices, halo);
}

SlabPlan planRing(const ConvolutionProblem& problem, std::int64_t budget, const std::string& where) {
    const std::int64_t halo = problem.filter().depth / 2;
    const auto bytesFor = [&](std::int64_t slices) { return ringBytes(problem, slices, halo); };
    return SlabRing::plan(planSlabs(problem.input().shape().depth, halo, budget, bytesFor, where), formatOf(problem),
                          bytesFor);
}

std::unique_ptr<Session> openRingSession(const ConvolutionProblem& problem, Device& device, Resident& resident,
                                         const SlabPlan& plan) {
    resident = {};
    resident.fresh = true;
    return std::make_unique<ConvolutionRing>(problem, device, resident, plan);
}

}  // namespace warplens::gpu::convolution
