// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/launch.cuh"
#include "gpu/device/cuda/loading.hpp"
#include "gpu/device/text_kernel.hpp"

namespace warplens::gpu {
namespace {

class LoadedText final : public TextKernel {
public:
    LoadedText(CudaContext& context, const CompiledText& text)
        : m_context(context), m_kernel(cuda::loadKernel({.cubin = text.code, .function = text.function})) {}

    void launch(const std::array<unsigned, 3>& grid, const std::array<unsigned, 3>& block, void** arguments) override {
        if (m_context.planning) return;
        const cuda::LaunchExtent extent{dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), 0};
        constexpr std::size_t kNoted = 16;
        if (m_context.launches.size() < kNoted) m_context.launches.push_back({.special = m_kernel, .extent = extent});
        cuda::SpecialKernels::launch(*m_kernel, extent, m_context.stream, arguments);
    }

private:
    CudaContext& m_context;
    std::shared_ptr<cuda::SpecialKernel> m_kernel;
};

}  // namespace

std::unique_ptr<TextKernel> loadText(Device& device, const CompiledText& text) {
    return std::make_unique<LoadedText>(static_cast<CudaContext&>(device.context()), text);
}

}  // namespace warplens::gpu
