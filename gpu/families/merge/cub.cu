// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/merge/cub.hpp"
#include "gpu/families/merge/keys.cuh"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

namespace warplens::gpu::library {

namespace {

template <class O>
struct Before {
    O order;
    using Value = typename O::Value;
    __device__ bool operator()(Value a, Value b) const {
        return order.onlyNaN(order.key(a)) < order.onlyNaN(order.key(b));
    }
};

/// Of halves whose NaN are all the same already.
template <class O>
struct BeforeInHalves {
    O order;
    using Value = typename O::Value;
    __device__ bool operator()(Value a, Value b) const { return order.key(a) < order.key(b); }
};

}  // namespace

struct CubMerge::State {
    Device& device;
    Call what;
    merge::Pass pass;
    Buffer scratch;
    std::size_t scratchBytes = 0;

    void* address(std::uint64_t handle) const { return device.context().address(handle); }
    cudaStream_t stream() const { return static_cast<CudaContext&>(device.context()).stream; }
    std::uint64_t first(std::uint64_t list) const { return pass.lists.first + list * pass.lists.stride; }
    std::int64_t length() const { return static_cast<std::int64_t>(pass.lists.length); }

    void compareAndMerge(void* temporary, std::uint64_t list) {
        merge::dispatch(pass.type, [&]<class O>(O order) {
            using Value = typename O::Value;
            const Value* const in = static_cast<const Value*>(address(pass.input)) + first(list);
            Value* const out = static_cast<Value*>(address(pass.output)) + first(list);
            const auto run = static_cast<std::int64_t>(pass.run);
            if (what == Call::merge)
                WARPLENS_CUDA(cub::DeviceMerge::MergeKeys(temporary, scratchBytes, in, run, in + run, length() - run,
                                                          out, BeforeInHalves<O>{order}, stream()));
            else
                WARPLENS_CUDA(cub::DeviceMergeSort::StableSortKeysCopy(temporary, scratchBytes, in, out, length(),
                                                                       Before<O>{order}, stream()));
        });
    }
    void radixSort(void* temporary, std::uint64_t list) {
        io::withType(pass.type, [&]<class T>(T) {
            const T* const in = static_cast<const T*>(address(pass.input)) + first(list);
            T* const out = static_cast<T*>(address(pass.output)) + first(list);
            WARPLENS_CUDA(
                cub::DeviceRadixSort::SortKeys(temporary, scratchBytes, in, out, length(), 0, 8 * sizeof(T), stream()));
        });
    }
    void call(void* temporary, std::uint64_t list) {
        if (what == Call::radixSort)
            radixSort(temporary, list);
        else
            compareAndMerge(temporary, list);
    }
};

CubMerge::CubMerge(Device& device, Call call, const merge::Pass& pass)
    : m_state(std::make_unique<State>(State{device, call, pass, {}})) {
    m_state->call(nullptr, 0);
    m_state->scratch = device.allocate(m_state->scratchBytes);
}

CubMerge::~CubMerge() = default;

void CubMerge::launch() {
    void* const temporary = m_state->address(m_state->scratch.handle());
    for (std::uint64_t list = 0; list < m_state->pass.lists.count; ++list) m_state->call(temporary, list);
}

}  // namespace warplens::gpu::library
