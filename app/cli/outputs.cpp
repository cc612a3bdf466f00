// SPDX-License-Identifier: Apache-2.0
#include "app/cli/outputs.hpp"

#include "app/cli/exit_status.hpp"
#include "io/codec_client.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <cctype>

namespace warplens::cli {

namespace fs = std::filesystem;

std::string extensionFor(const std::string& input, const io::Grid& grid) {
    const bool generated = input.rfind("gen:", 0) == 0;
    if (generated || grid.shape().depth > 1 || io::findCodec().empty()) return ".npy";
    std::string own = fs::path(input).extension().string();
    std::transform(own.begin(), own.end(), own.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool real = grid.type() == io::PixelType::f32;
    if (own == ".npy" || own == ".tif" || own == ".tiff" || (own == ".png" && !real) || (own == ".exr" && real))
        return own;
    return real ? ".tif" : ".png";
}

void makeFolder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder, failed)) {
        throw io::Error(io::Error::Kind::unwritable,
                        folder.string() + ": cannot be made a folder; give -o a folder that can be written");
    }
}

void writeResult(const io::Grid& grid, const fs::path& path, const std::vector<std::string>& inputs) {
    std::error_code ignored;
    for (const std::string& input : inputs) {
        if (!fs::equivalent(path, input, ignored)) continue;
        throw ArgumentError(path.string() + ": the result would replace an input; give another -o");
    }
    io::write(grid, path);
}

}  // namespace warplens::cli
