// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/launch.cuh"
#include "gpu/device/cuda/linear_texture.hpp"
#include "gpu/device/cuda/loading.hpp"
#include "gpu/device/text_kernel.hpp"

#include <map>
#include <utility>

namespace warplens::gpu {
namespace {

dim3 dimensionsOf(const std::array<unsigned, 3>& of) { return {of[0], of[1], of[2]}; }

/// Launched as our own are, and noted for who asks about launches.
void launchOn(CudaContext& context, const std::shared_ptr<cuda::SpecialKernel>& kernel,
              const cuda::LaunchExtent& extent, void** arguments) {
    constexpr std::size_t kNoted = 16;
    if (context.launches.size() < kNoted) context.launches.push_back({.special = kernel, .extent = extent});
    cuda::SpecialKernels::launch(*kernel, extent, context.stream, arguments);
}

std::shared_ptr<cuda::SpecialKernel> load(const CompiledText& text) {
    return cuda::loadKernel({.cubin = text.code, .function = text.function, .constants = text.constants});
}

class LoadedText final : public TextKernel {
public:
    LoadedText(CudaContext& context, const CompiledText& text) : m_context(context), m_kernel(load(text)) {}

    void launch(const std::array<unsigned, 3>& grid, const std::array<unsigned, 3>& block, void** arguments) override {
        if (m_context.planning) return;
        launchOn(m_context, m_kernel, {dimensionsOf(grid), dimensionsOf(block), 0}, arguments);
    }

private:
    CudaContext& m_context;
    std::shared_ptr<cuda::SpecialKernel> m_kernel;
};

class CompiledAsLaunched final : public TextKernels {
public:
    CompiledAsLaunched(Device& device, std::string text, std::function<void()> compiling)
        : m_context(static_cast<CudaContext&>(device.context())),
          m_capability(10 * device.info().capabilityMajor + device.info().capabilityMinor),
          m_text(std::move(text)),
          m_compiling(std::move(compiling)) {}

    void launch(const Launch& launch) override {
        if (m_context.planning) return;
        auto& kernel = m_kernels[launch.instance];
        if (kernel == nullptr) kernel = made(launch.instance);
        launchOn(m_context, kernel, {dimensionsOf(launch.grid), dimensionsOf(launch.block), launch.sharedBytes},
                 launch.arguments);
    }

    void setConstant(const std::string& name, std::span<const std::byte> values) override {
        // Code that was compiled without it has no place for it.
        if (!m_constants.contains(name) && !m_kernels.empty()) {
            wait();
            m_kernels.clear();
        }
        m_constants[name].assign(values.begin(), values.end());
        for (const auto& [instance, kernel] : m_kernels) write(*kernel, name);
    }

    void wait() override {
        auto recording = cudaStreamCaptureStatusNone;
        WARPLENS_CUDA(cudaStreamIsCapturing(m_context.stream, &recording));
        if (recording == cudaStreamCaptureStatusNone) WARPLENS_CUDA(cudaStreamSynchronize(m_context.stream));
    }

private:
    std::shared_ptr<cuda::SpecialKernel> made(const std::string& instance) {
        m_compiling();
        std::vector<std::string> names;
        for (const auto& [name, values] : m_constants) names.push_back(name);
        auto kernel = load(compileText(m_text, instance, m_capability, names));
        for (const std::string& name : names) write(*kernel, name);
        return kernel;
    }
    /// Addresses lie in the order of the names.
    void write(const cuda::SpecialKernel& kernel, const std::string& name) const {
        const auto place = m_constants.find(name);
        const auto to = kernel.constants.at(static_cast<std::size_t>(std::distance(m_constants.begin(), place)));
        const std::vector<std::byte>& values = place->second;
        WARPLENS_CUDA(cudaMemcpyAsync(reinterpret_cast<void*>(to), values.data(), values.size(), cudaMemcpyHostToDevice,
                                      m_context.stream));
    }

    CudaContext& m_context;
    int m_capability;
    std::string m_text;
    std::function<void()> m_compiling;
    std::map<std::string, std::shared_ptr<cuda::SpecialKernel>> m_kernels;  ///< by instance
    std::map<std::string, std::vector<std::byte>> m_constants;              ///< by name
};

template <class T>
LinearTexture texels(const void* values, std::size_t count) {
    return cuda::linearTexture(static_cast<const T*>(values), count);
}

}  // namespace

std::unique_ptr<TextKernel> loadText(Device& device, const CompiledText& text) {
    return std::make_unique<LoadedText>(static_cast<CudaContext&>(device.context()), text);
}

std::unique_ptr<TextKernels> openText(Device& device, std::string text, std::function<void()> compiling) {
    return std::make_unique<CompiledAsLaunched>(device, std::move(text), std::move(compiling));
}

LinearTexture linearTextureOf(const void* values, std::size_t count, std::size_t valueBytes, bool floats) {
    if (floats) return texels<float>(values, count);
    if (valueBytes == 4) return texels<std::uint32_t>(values, count);
    return valueBytes == 2 ? texels<std::uint16_t>(values, count) : texels<std::uint8_t>(values, count);
}

}  // namespace warplens::gpu
