// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/scan/problem.hpp"
#include "gpu/frame/cub_calls.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace warplens::gpu {
namespace library {
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

/// cub::DeviceScan along all values of a channel, or cub::DeviceSelect of marked places.
template <class T>
void scanChannel(Device& device, const scan::LibraryCase& of, void* temporary, std::size_t& bytes, std::uint64_t c) {
    LaunchContext& context = device.context();
    const scan::ScanArguments& step = of.sums;
    const std::uint64_t length = step.lines.length;
    const auto count = static_cast<std::int64_t>(length);
    const T* const in = static_cast<const T*>(context.address(step.input)) + c * length;
    if (of.task == scan::Task::compact) {
        auto* const kept = static_cast<std::uint32_t*>(context.address(of.picks.kept)) + c * length;
        auto* const number = static_cast<std::uint32_t*>(context.address(of.picks.counts)) + c;
        WARPLENS_CUDA(cub::DeviceSelect::If(temporary, bytes, thrust::counting_iterator<std::uint32_t>(0), kept, number,
                                            count, Above<T>{in, of.picks.level}, streamOf(device)));
        return;
    }
    using Sum = std::conditional_t<sizeof(T) == 4, float, std::uint32_t>;
    auto* const out = static_cast<Sum*>(context.address(step.output)) + c * length;
    const thrust::transform_iterator<ToSum<Sum>, const T*, Sum, Sum> from(in, ToSum<Sum>{});
    if (step.exclusive)
        WARPLENS_CUDA(cub::DeviceScan::ExclusiveSum(temporary, bytes, from, out, count, streamOf(device)));
    else
        WARPLENS_CUDA(cub::DeviceScan::InclusiveSum(temporary, bytes, from, out, count, streamOf(device)));
}

LibraryCalls openScan(Device& device, const scan::LibraryCase& of) {
    return cubCalls(device, of.sums.lines.count,
                    [&device, of](void* temporary, std::size_t& bytes, std::uint64_t channel) {
                        io::withSampleType(of.sums.type,
                                           [&]<class T>(T) { scanChannel<T>(device, of, temporary, bytes, channel); });
                    });
}

}  // namespace
}  // namespace library

namespace scan {
namespace {

std::string cubRefusal(const ScanProblem& p) {
    const ScanOptions& asked = p.posed();
    if (asked.task == Task::compact || (asked.task == Task::sums && asked.along == Along::values)) return {};
    return "CUB scans one line a call: it is for sums along values, and for compact";
}

}  // namespace

ScanFrame::Library cub_library() { return {.refusal = &cubRefusal, .open = &library::openScan}; }

}  // namespace scan
}  // namespace warplens::gpu
