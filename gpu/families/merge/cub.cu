// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/merge/keys.cuh"
#include "gpu/families/merge/problem.hpp"
#include "gpu/frame/cub_calls.cuh"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

namespace warplens::gpu {
namespace library {
namespace {

template <class O>
struct Before {
    O order;
    using Value = typename O::Value;
    __device__ bool operator()(Value a, Value b) const {
        return order.onlyNaN(order.key(a)) < order.onlyNaN(order.key(b));
    }
};

/// Of lists whose NaN are all the same already.
template <class O>
struct BeforeInLists {
    O order;
    using Value = typename O::Value;
    __device__ bool operator()(Value a, Value b) const { return order.key(a) < order.key(b); }
};

/// A list that CUB reads from and writes to: floats are told apart to the last bit, as by our kernels.
template <class T>
struct List {
    const T* in;
    T* out;
    std::int64_t length;
};
template <class T>
List<T> listOf(LaunchContext& context, const merge::Pass& pass, std::uint64_t list) {
    const std::uint64_t first = pass.lists.first + list * pass.lists.stride;
    return {static_cast<const T*>(context.address(pass.input)) + first,
            static_cast<T*>(context.address(pass.output)) + first, static_cast<std::int64_t>(pass.lists.length)};
}

// Of a merge the first run of each list and the rest, which are sorted; sorts read the lists as they are.

LibraryCalls openMerge(Device& device, const merge::Pass& pass) {
    return cubCalls(device, pass.lists.count, [&device, pass](void* temporary, std::size_t& bytes, std::uint64_t list) {
        merge::dispatch(pass.type, [&]<class O>(O order) {
            const auto [in, out, length] = listOf<typename O::Value>(device.context(), pass, list);
            const auto run = static_cast<std::int64_t>(pass.run);
            WARPLENS_CUDA(cub::DeviceMerge::MergeKeys(temporary, bytes, in, run, in + run, length - run, out,
                                                      BeforeInLists<O>{order}, streamOf(device)));
        });
    });
}

LibraryCalls openMergeSort(Device& device, const merge::Pass& pass) {
    return cubCalls(device, pass.lists.count, [&device, pass](void* temporary, std::size_t& bytes, std::uint64_t list) {
        merge::dispatch(pass.type, [&]<class O>(O order) {
            const auto [in, out, length] = listOf<typename O::Value>(device.context(), pass, list);
            WARPLENS_CUDA(cub::DeviceMergeSort::StableSortKeysCopy(temporary, bytes, in, out, length, Before<O>{order},
                                                                   streamOf(device)));
        });
    });
}

/// Leaves zeros of either sign as they came.
LibraryCalls openRadixSort(Device& device, const merge::Pass& pass) {
    return cubCalls(device, pass.lists.count, [&device, pass](void* temporary, std::size_t& bytes, std::uint64_t list) {
        io::withType(pass.type, [&]<class T>(T) {
            const auto [in, out, length] = listOf<T>(device.context(), pass, list);
            WARPLENS_CUDA(
                cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, length, 0, 8 * sizeof(T), streamOf(device)));
        });
    });
}

}  // namespace
}  // namespace library

namespace merge {
namespace {

std::string sortsOnly(const MergeProblem& p) {
    return p.task() == Task::merge ? "sorts a list: it is for sort and quantiles" : "";
}

std::string mergesOnly(const MergeProblem& p) {
    return p.task() != Task::merge ? "DeviceMerge merges two lists: it is for merge" : "";
}

std::string sortsNumbersOnly(const MergeProblem& p) {
    if (std::string why = sortsOnly(p); !why.empty()) return why;
    return p.hasNaN() ? "DeviceRadixSort puts NaN first where their sign is set" : "";
}

}  // namespace

MergeFrame::Library cub_merge_library() { return {.refusal = &mergesOnly, .open = &library::openMerge}; }
MergeFrame::Library cub_merge_sort_library() { return {.refusal = &sortsOnly, .open = &library::openMergeSort}; }
MergeFrame::Library cub_radix_sort_library() { return {.refusal = &sortsNumbersOnly, .open = &library::openRadixSort}; }

}  // namespace merge
}  // namespace warplens::gpu
