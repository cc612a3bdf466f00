// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/opencl.hpp"

#include "gpu/device/opencl/queue.hpp"
#include "gpu/device/opencl/row.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/host_planes.hpp"

#include <algorithm>

namespace warplens::gpu::product {
namespace {

/// The kernel that a row is written after: what its block and its tile are.
const Variant& writtenAfter(const Variant& openCl) {
    return *std::ranges::find(ladder().variants(), openCl.predecessor, &Variant::id);
}

class OpenClSession final : public PortableSession {
public:
    OpenClSession(const ProductProblem& problem, const Variant& variant, const TunableValues& tunables)
        : m_problem(problem),
          m_queue(opencl::deviceOf(tunables)),
          m_kernel(opencl::buildRow(m_queue, variant, {}, opencl::typeOption("T", problem.posed().type))),
          m_left(m_queue.holding(planesOf(*problem.input()).data(), problem.input()->bytes())),
          m_right(m_queue.holding(problem.factor().values.data(), problem.factor().values.size() * sizeof(float))),
          m_output(m_queue.allocate(static_cast<std::size_t>(problem.outputShape().values()) * sizeof(float))) {
        const Case& of = problem.posed();
        const Factor& factor = problem.factor();
        const Footprint tile = problem.footprint(writtenAfter(variant), tunables);
        m_group = {static_cast<std::size_t>(tile.blockWidth), static_cast<std::size_t>(tile.blockHeight), 1};
        m_groups = {ceilDiv(static_cast<unsigned>(of.columns), tile.tileWidth),
                    ceilDiv(static_cast<unsigned>(of.height), tile.tileHeight), static_cast<std::size_t>(of.layers)};
        m_kernel.arguments(m_left, m_right, m_output, of.height, of.width, of.columns,
                           static_cast<int>(factor.rowValues()),
                           factor.layers > 1 ? factor.layerValues() : std::int64_t{0});
    }

    std::string runsOn() const override { return opencl::placeOf(m_queue); }
    Clock clock() const override { return Clock::opencl; }
    std::int64_t cacheBytes() const override { return m_queue.facts().cacheBytes; }
    double run(const std::stop_token&) override {
        return m_queue.time([this] { m_queue.launch(m_kernel, m_groups, m_group); });
    }

    Result result() override {
        auto output = m_problem.emptyOutput();
        std::vector<std::byte> planes(output->bytes());
        m_queue.download(planes.data(), m_output, planes.size());
        fillFromPlanes(planes, output->shape().channels, *output);
        return {.picture = std::move(output), .tables = {}};
    }

private:
    const ProductProblem& m_problem;
    opencl::Queue m_queue;
    opencl::Kernel m_kernel;
    opencl::Memory m_left, m_right, m_output;
    std::array<std::size_t, 3> m_group{}, m_groups{};
};

}  // namespace

std::string openClRefusal(const ProductProblem& problem, const Variant& variant, const TunableValues& tunables) {
    if (problem.posed().task != Task::product) return "is for the task product";
    DeviceInfo device;
    if (std::string why = opencl::refusalOf(tunables, device); !why.empty()) return why;
    return problem.refusal(writtenAfter(variant), tunables, device);
}

std::unique_ptr<PortableSession> openClSession(const ProductProblem& problem, const Variant& variant,
                                               const TunableValues& tunables) {
    return std::make_unique<OpenClSession>(problem, variant, tunables);
}

}  // namespace warplens::gpu::product
