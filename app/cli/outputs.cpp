// SPDX-License-Identifier: Apache-2.0
#include "app/cli/outputs.hpp"

#include "app/cli/exit_status.hpp"
#include "io/codec_client.hpp"
#include "io/error.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace warplens::cli {

namespace fs = std::filesystem;

namespace {

void spareInputs(const fs::path& path, const std::vector<std::string>& inputs) {
    std::error_code ignored;
    for (const std::string& input : inputs) {
        const std::string named = io::pathOf(input);
        if (named.empty() || !fs::equivalent(path, named, ignored)) continue;
        throw ArgumentError(path.string() + ": the result would replace an input; give another -o");
    }
}

std::string toCsv(const gpu::HistogramResult& histogram) {
    std::string text = "low,high";
    for (const auto& channel : histogram.channels) text += "," + channel.name;
    text += "\n";
    const auto row = [&](const std::string& head, const auto& count) {
        text += head;
        for (const auto& channel : histogram.channels) text += fmt::format(",{}", count(channel));
        text += "\n";
    };
    for (std::size_t k = 0; k + 1 < histogram.edges.size(); ++k) {
        row(fmt::format("{},{}", histogram.edges[k], histogram.edges[k + 1]), [k](const auto& c) { return c.bins[k]; });
    }
    row("below,", [](const auto& c) { return c.below; });
    row("above,", [](const auto& c) { return c.above; });
    row("nan,", [](const auto& c) { return c.nan; });
    return text;
}

}  // namespace

std::string extensionFor(const std::string& input, const io::Grid& grid) {
    const std::string named = io::pathOf(input);
    if (input.rfind("gen:", 0) == 0 || io::findCodec().empty()) return ".npy";
    std::string own = fs::path(named).extension().string();
    std::transform(own.begin(), own.end(), own.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool tiff = own == ".tif" || own == ".tiff";
    if (own == ".npy" || own == ".nrrd" || own == ".mha" || tiff) return own;
    // What else a volume came from cannot be written; NRRD keeps its spacing, origin and direction.
    if (grid.shape().depth > 1) return ".nrrd";
    const bool real = grid.type() == io::PixelType::f32;
    if ((own == ".png" && !real) || (own == ".exr" && real)) return own;
    return real ? ".tif" : ".png";
}

std::string extensionFor(const std::string& input, const gpu::Result& result) {
    return result.picture ? extensionFor(input, *result.picture) : ".csv";
}

void makeFolder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder, failed)) {
        throw io::Error(io::Error::Kind::unwritable,
                        folder.string() + ": cannot be made a folder; give -o a folder that can be written");
    }
}

void writeResult(const io::Grid& grid, const fs::path& path, const std::vector<std::string>& inputs,
                 const io::WriteOptions& options) {
    spareInputs(path, inputs);
    io::write(grid, path, options);
}

void writeResult(const gpu::Result& result, const fs::path& path, const std::vector<std::string>& inputs,
                 const io::WriteOptions& options) {
    if (result.picture) return writeResult(*result.picture, path, inputs, options);
    if (path.extension() != ".csv")
        throw ArgumentError(path.string() + ": counts are written as .csv; give -o a name that ends so");
    spareInputs(path, inputs);
    io::writeFileAtomically(path, toCsv(*result.histogram));
}

}  // namespace warplens::cli
