// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/reduction/cub.hpp"
#include "gpu/families/reduction/launching.cuh"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace warplens::gpu::library {

namespace {

/// A value's place becomes its cell.
template <class M>
struct CellOf {
    M in;
    __device__ typename M::Cell operator()(reduction::Wide at) const {
        typename M::Cell cell;
        in.add(cell, at);
        return cell;
    }
};

template <class M>
struct Merged {
    __device__ typename M::Cell operator()(const typename M::Cell& a, const typename M::Cell& b) const {
        typename M::Cell cell = a;
        M::merge(cell, b);
        return cell;
    }
};

}  // namespace

struct CubReduction::State {
    Device& device;
    Buffer scratch;
    std::size_t scratchBytes = 0;

    void call(void* temporary, const reduction::Arguments& a) {
        auto& context = device.context();
        reduction::dispatch(a, [&]<class I>(I) {
            using M = typename I::M;
            auto* const result =
                reinterpret_cast<typename M::Cell*>(static_cast<char*>(context.address(a.result)) + a.resultOffset);
            WARPLENS_CUDA(cub::DeviceReduce::TransformReduce(
                temporary, scratchBytes, thrust::counting_iterator<reduction::Wide>(0), result,
                static_cast<std::int64_t>(a.count), Merged<M>{}, CellOf<M>{reduction::measured<M>(context, a)},
                typename M::Cell{}, static_cast<CudaContext&>(context).stream));
        });
    }
};

CubReduction::CubReduction(Device& device, const reduction::Arguments& arguments)
    : m_state(std::make_unique<State>(State{device, {}})) {
    if (arguments.count == 0) return;
    m_state->call(nullptr, arguments);
    m_state->scratch = device.allocate(m_state->scratchBytes);
}

CubReduction::~CubReduction() = default;

void CubReduction::launch(const reduction::Arguments& arguments) {
    m_state->call(m_state->device.context().address(m_state->scratch.handle()), arguments);
}

}  // namespace warplens::gpu::library
