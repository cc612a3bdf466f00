// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/npp.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu::library {

std::string nppNameOf(io::PixelType type) {
    return type == io::PixelType::u8 ? "8u" : type == io::PixelType::u16 ? "16u" : "32f";
}

void nppCheck(int status, const std::string& name) {
    if (status >= 0) return;
    throw Error(Error::Kind::unsupported,
                "NPP: " + name + " gave status " + std::to_string(status) + ": see NppStatus");
}

}  // namespace warplens::gpu::library
