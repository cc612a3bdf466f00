// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/opencl.hpp"

#include "gpu/device/opencl/queue.hpp"
#include "gpu/device/opencl/row.hpp"
#include "gpu/families/convolution/problem.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/host_planes.hpp"

#include <algorithm>

namespace warplens::gpu::convolution {
namespace {

class OpenClSession final : public PortableSession {
public:
    OpenClSession(const ConvolutionProblem& problem, const Variant& variant, const TunableValues& tunables)
        : m_problem(problem),
          m_queue(opencl::deviceOf(tunables)),
          m_kernel(opencl::buildRow(
              m_queue, variant, {"gpu/kernels/border.cl"},
              opencl::typeOption("T", problem.input()->type()) + opencl::storeOptions("U", problem.outputType()))),
          m_input(m_queue.holding(planesOf(*problem.input()).data(), problem.input()->bytes())),
          m_filter(m_queue.holding(problem.filter().weights.data(), problem.filter().weights.size() * sizeof(float))),
          m_output(m_queue.allocate(static_cast<std::size_t>(problem.input()->shape().values()) *
                                    io::sizeOf(problem.outputType()))) {
        const Variant& kernel = writtenAfter(variant);
        const Filter& filter = problem.filter();
        const Footprint tile = problem.footprint(kernel, tunables);
        const io::Shape& shape = problem.input()->shape();
        m_group = {static_cast<std::size_t>(tile.blockWidth), static_cast<std::size_t>(tile.blockHeight), 1};
        m_groups = {ceilDiv(static_cast<unsigned>(shape.width), tile.tileWidth),
                    ceilDiv(static_cast<unsigned>(shape.height), tile.tileHeight),
                    static_cast<std::size_t>(shape.depth * problem.filteredChannels())};
        const auto bytes = problem.sharedBytes(kernel, tunables);
        const auto set = [&](const auto&... staged) {
            m_kernel.arguments(m_input, m_filter, m_output, static_cast<int>(shape.width),
                               static_cast<int>(shape.height), filter.width, filter.height,
                               static_cast<int>(problem.border()), static_cast<float>(problem.offset()), staged...);
        };
        if (bytes > 0)
            set(opencl::Local{static_cast<std::size_t>(bytes)});
        else
            set();
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
        fillFromPlanes(planes, m_problem.filteredChannels(), *output);
        copyChannels(*m_problem.input(), m_problem.filteredChannels(), *output);
        return {.picture = std::move(output), .tables = {}};
    }

private:
    const ConvolutionProblem& m_problem;
    opencl::Queue m_queue;
    opencl::Kernel m_kernel;
    opencl::Memory m_input, m_filter, m_output;
    std::array<std::size_t, 3> m_group{}, m_groups{};
};

}  // namespace

const Variant& writtenAfter(const Variant& openCl) {
    return *std::ranges::find(ladder().variants(), openCl.predecessor, &Variant::id);
}

std::string openClRefusal(const ConvolutionProblem& problem, const Variant& variant, const TunableValues& tunables) {
    DeviceInfo device;
    if (std::string why = opencl::refusalOf(tunables, device); !why.empty()) return why;
    return problem.refusal(writtenAfter(variant), tunables, device);
}

std::unique_ptr<PortableSession> openClSession(const ConvolutionProblem& problem, const Variant& variant,
                                               const TunableValues& tunables) {
    return std::make_unique<OpenClSession>(problem, variant, tunables);
}

}  // namespace warplens::gpu::convolution
