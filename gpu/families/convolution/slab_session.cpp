// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/slab_session.hpp"

#include "gpu/families/convolution/launcher.hpp"
#include "gpu/kernels/layout.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::gpu::convolution {
namespace {

class SlabSession final : public Session {
public:
    SlabSession(const ConvolutionProblem& problem, Device& device, Resident& resident, const SlabPlan& plan)
        : m_problem(problem),
          m_device(device),
          m_resident(resident),
          m_plan(plan),
          m_slice(static_cast<std::size_t>(problem.input().shape().width * problem.input().shape().height)),
          m_channels(problem.input().shape().channels) {
        resident = {};
        resident.fresh = true;
        const auto input = inputBytes(plan.slices), output = outputBytes(plan.slices);
        m_input = device.allocate(input);
        m_output = device.allocate(output);
        if (m_channels > 1) m_interleaved = device.allocate(std::max(input, output));
        m_launcher.emplace(problem, device);
        load(plan.at(0));  // the largest
    }

    std::string plan() const override { return m_plan.sentence(); }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_launcher->place(m_input, m_output, m_plan.slices, m_plan.halo);
        m_launcher->prepare(variant, tunables);
    }

    /// On the slab that lies on the device.
    void launch() override { m_launcher->launch(); }

    void poisonOutput() override {
        m_result = std::make_shared<io::Grid>(m_problem.makeOutput());
        std::memset(m_result->data(), 0xff, m_result->bytes());
    }

    double pass(Device& device) override {
        m_resident.uploadMs = m_resident.layoutMs = 0;
        double kernelMs = 0;
        for (std::int64_t i = 0; i < m_plan.count(); ++i) {
            load(m_plan.at(i));
            if (m_result) {
                device.fill(m_output, 0xff);
                m_launcher->copyAlpha();
            }
            kernelMs += device.time([this] { launch(); });
            if (m_result) store(m_plan.at(i));
        }
        return kernelMs;
    }

    Result download(double& layoutMs, double& downloadMs) override {
        layoutMs += m_layoutMs;
        downloadMs += m_downloadMs;
        m_layoutMs = m_downloadMs = 0;
        // What is handed out changes no more: later passes are for the clock alone.
        return {.picture = std::exchange(m_result, nullptr), .tables = {}};
    }

private:
    std::size_t inputBytes(std::int64_t slices) const {
        return pixels(slices + 2 * m_plan.halo) * m_channels * io::sizeOf(m_problem.input().type());
    }
    std::size_t outputBytes(std::int64_t slices) const {
        return pixels(slices) * m_channels * io::sizeOf(m_problem.outputType());
    }
    std::size_t pixels(std::int64_t slices) const { return static_cast<std::size_t>(slices) * m_slice; }

    void load(const Slab& slab) {
        const auto count = slab.slices + 2 * m_plan.halo;
        const auto* from =
            slicesFrom(m_problem.input(), slab.first - m_plan.halo, count, m_problem.border(), m_staging);
        const Buffer& first = m_channels > 1 ? m_interleaved : m_input;
        m_resident.uploadMs += m_device.time([&] { m_device.upload(first, from, inputBytes(slab.slices)); });
        if (m_channels > 1) {
            m_resident.layoutMs += m_device.time([&] {
                layoutEntry(m_device.info())
                    .deinterleave(m_device.context(), m_interleaved.handle(), m_input.handle(), pixels(count),
                                  m_channels, m_problem.input().type());
            });
        }
        m_launcher->place(m_input, m_output, slab.slices, m_plan.halo);
    }

    void store(const Slab& slab) {
        if (m_channels > 1) {
            m_layoutMs += m_device.time([&] {
                layoutEntry(m_device.info())
                    .interleave(m_device.context(), m_output.handle(), m_interleaved.handle(), pixels(slab.slices),
                                m_channels, m_problem.outputType());
            });
        }
        std::byte* to = m_result->data() + outputBytes(slab.first);
        const Buffer& last = m_channels > 1 ? m_interleaved : m_output;
        m_downloadMs += m_device.time([&] { m_device.download(to, last, outputBytes(slab.slices)); });
    }

    const ConvolutionProblem& m_problem;
    Device& m_device;
    Resident& m_resident;
    SlabPlan m_plan;
    std::size_t m_slice;  ///< pixels
    int m_channels;
    Buffer m_input, m_output, m_interleaved;
    std::optional<Launcher> m_launcher;
    std::vector<std::byte> m_staging;
    std::shared_ptr<io::Grid> m_result;  ///< while a pass is to make one
    double m_layoutMs = 0, m_downloadMs = 0;
};

}  // namespace

std::unique_ptr<Session> openSlabSession(const ConvolutionProblem& problem, Device& device, Resident& resident,
                                         const SlabPlan& plan) {
    return std::make_unique<SlabSession>(problem, device, resident, plan);
}

}  // namespace warplens::gpu::convolution
