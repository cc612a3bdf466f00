// SPDX-License-Identifier: Apache-2.0
// Stands in for the CUDA device where the program was built without nvcc.
#include "gpu/core/error.hpp"
#include "gpu/device/code_needs.hpp"
#include "gpu/device/cuda/cuda_device.hpp"
#include "gpu/device/linear_texture.hpp"
#include "gpu/device/npp.hpp"
#include "gpu/device/specialisation.hpp"
#include "gpu/device/text_kernel.hpp"

#include <filesystem>

namespace warplens::gpu {

std::vector<DeviceInfo> cudaDevices(std::string& why) {
    std::error_code ignored;
    why = std::filesystem::exists("/proc/driver/nvidia/version", ignored)
              ? "An NVIDIA driver is here, but Warplens was built without CUDA: install nvcc (package "
                "nvidia-cuda-toolkit) and build again."
              : "Warplens was built without CUDA, and no NVIDIA driver was found.";
    return {};
}

std::unique_ptr<Device> openCudaDevice(int) {
    std::string why;
    cudaDevices(why);
    throw Error(Error::Kind::noDevice, why + " The device 'cpu' is always there.");
}

void describeCuda(Environment&) {}

SpecialisingState specialisingState() { return {.why = "this program was built without the CUDA device"}; }

std::optional<int> compiledCapability(const void*, const DeviceInfo&) { return std::nullopt; }

std::string textRefusal(int) { return "this program was built without the CUDA device"; }

void loadTextCompiler() {}

CompiledText compileText(const std::string&, const std::string&, int, const std::vector<std::string>&) {
    throw Error(Error::Kind::unsupported, textRefusal(0));
}

std::unique_ptr<TextKernel> loadText(Device&, const CompiledText&) {
    throw Error(Error::Kind::unsupported, textRefusal(0));
}

std::unique_ptr<TextKernels> openText(Device&, std::string, std::function<void()>) {
    throw Error(Error::Kind::unsupported, textRefusal(0));
}

LinearTexture linearTextureOf(const void*, std::size_t, std::size_t, bool) {
    throw Error(Error::Kind::unsupported, textRefusal(0));
}

namespace library {

std::string nppRefusal(std::initializer_list<NppPart>) { return "this program was built without the CUDA device"; }

void* nppFunction(NppPart, const std::string&) { throw Error(Error::Kind::unsupported, "NPP: " + nppRefusal({})); }

NppContext nppContext(Device&) { return {}; }

}  // namespace library
}  // namespace warplens::gpu
