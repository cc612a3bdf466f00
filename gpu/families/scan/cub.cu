// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/scan/cub.hpp"

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <optional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace warplens::gpu::library {

namespace {

template <class Sum>
struct ToSum {
    template <class T>
    __device__ Sum operator()(T value) const {
        return static_cast<Sum>(value);
    }
};

template <class T>
struct Above {
    const T* values;
    float level;
    __device__ bool operator()(std::uint32_t at) const { return static_cast<float>(values[at]) > level; }
};

}  // namespace

struct CubScan::State {
    Device& device;
    scan::Step step;
    std::optional<scan::Picks> picks;
    Buffer scratch;
    std::size_t scratchBytes = 0;

    template <class T>
    void channel(void* temporary, std::uint64_t c) {
        auto& context = device.context();
        const auto stream = static_cast<CudaContext&>(context).stream;
        const auto count = static_cast<std::int64_t>(step.lines.length);
        const T* const in = static_cast<const T*>(context.address(step.input)) + c * step.lines.length;
        if (picks) {
            auto* const kept = static_cast<std::uint32_t*>(context.address(picks->kept)) + c * step.lines.length;
            auto* const number = static_cast<std::uint32_t*>(context.address(picks->counts)) + c;
            WARPLENS_CUDA(cub::DeviceSelect::If(temporary, scratchBytes, thrust::counting_iterator<std::uint32_t>(0),
                                                kept, number, count, Above<T>{in, picks->level}, stream));
            return;
        }
        using Sum = std::conditional_t<sizeof(T) == 4, float, std::uint32_t>;
        auto* const out = static_cast<Sum*>(context.address(step.output)) + c * step.lines.length;
        const thrust::transform_iterator<ToSum<Sum>, const T*, Sum, Sum> from(in, ToSum<Sum>{});
        if (step.exclusive)
            WARPLENS_CUDA(cub::DeviceScan::ExclusiveSum(temporary, scratchBytes, from, out, count, stream));
        else
            WARPLENS_CUDA(cub::DeviceScan::InclusiveSum(temporary, scratchBytes, from, out, count, stream));
    }
    void call(void* temporary, std::uint64_t c) {
        io::withSampleType(step.type, [&]<class T>(T) { channel<T>(temporary, c); });
    }
};

CubScan::CubScan(Device& device, const scan::Step& step, const scan::Picks* picks)
    : m_state(std::make_unique<State>(State{device, step, {}, {}})) {
    if (picks != nullptr) m_state->picks = *picks;
    m_state->call(nullptr, 0);
    m_state->scratch = device.allocate(m_state->scratchBytes);
}

CubScan::~CubScan() = default;

void CubScan::launch() {
    void* const temporary = m_state->device.context().address(m_state->scratch.handle());
    for (std::uint64_t c = 0; c < m_state->step.lines.count; ++c) m_state->call(temporary, c);
}

}  // namespace warplens::gpu::library
