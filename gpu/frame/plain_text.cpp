// SPDX-License-Identifier: Apache-2.0
#include "gpu/frame/plain_text.hpp"

namespace warplens::gpu {

std::string valueAtText(Border border, const char* type) {
    const std::string head =
        std::string("__device__ ") + type + " valueAt(const pixel_t* in, int width, int height, int x,\n" +
        std::string(std::string("__device__ ").size() + std::string(type).size() + 9, ' ') + "int y) {\n";
    const std::string tail = "    return in[y * width + x];\n}\n\n";
    switch (border) {
        case Border::zero:
            return "// The value at (x, y); outside the picture it is 0.\n" + head +
                   "    if (x < 0 || x >= width || y < 0 || y >= height) return 0;\n" + tail;
        case Border::replicate:
            return "// The value at (x, y); outside the picture that of the nearest pixel inside.\n" + head +
                   "    x = min(max(x, 0), width - 1);\n    y = min(max(y, 0), height - 1);\n" + tail;
        case Border::wrap:
            return "// The value at (x, y); outside the picture it is repeated.\n" + head +
                   "    x = (x % width + width) % width;\n    y = (y % height + height) % height;\n" + tail;
        case Border::reflect: break;
    }
    return "// The value at (x, y); outside the picture it is mirrored, the edge itself not repeated.\n" + head +
           "    while (x < 0 || x >= width)\n"
           "        x = width == 1 ? 0 : x < 0 ? -x : 2 * width - 2 - x;\n"
           "    while (y < 0 || y >= height)\n"
           "        y = height == 1 ? 0 : y < 0 ? -y : 2 * height - 2 - y;\n" +
           tail;
}

std::string placeText() {
    return "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
           "    if (x >= width || y >= height) return;\n";
}

std::string storedText(io::PixelType output, const std::string& value) {
    const auto within = [&](const char* low, const char* high) {
        return std::string("fminf(fmaxf(rintf(") + value + "), " + low + "), " + high + ")";
    };
    switch (output) {
        case io::PixelType::u8: return within("0.0f", "255.0f");
        case io::PixelType::u16: return within("0.0f", "65535.0f");
        default: return value;
    }
}

}  // namespace warplens::gpu
