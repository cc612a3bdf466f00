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
#include <set>
#include <unistd.h>

namespace warplens::cli {

namespace fs = std::filesystem;

namespace {

std::string lowerExtension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

void checkTableName(const fs::path& path) {
    if (lowerExtension(path) != ".csv")
        throw ArgumentError(path.string() + ": counts are written as .csv; give -o a name that ends so");
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
    const std::string own = lowerExtension(named);
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

void checkFolderOf(const fs::path& path) {
    std::error_code ignored;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const auto refuse = [&](const std::string& why) {
        return io::Error(io::Error::Kind::unwritable, path.string() + ": " + why);
    };
    if (fs::is_directory(path, ignored)) throw refuse("is a folder: name a file");
    if (!fs::is_directory(folder, ignored)) throw refuse(folder.string() + " is no folder: make it, or name another");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw refuse(folder.string() + " takes no files: check its permissions, or name another folder");
}

void checkResultName(const fs::path& path, const gpu::Family& family) {
    static const std::set<std::string> kPictures{".png", ".tif", ".tiff", ".exr", ".nrrd", ".mha", ".npy"};
    const std::string extension = lowerExtension(path);
    const auto refuse = [&](const std::string& why) {
        return io::Error(io::Error::Kind::unsupported, path.string() + ": " + why);
    };
    if (!family.info().makesPicture) {
        checkTableName(path);
    } else if (!kPictures.contains(extension)) {
        throw refuse(
            (extension.empty() ? "the name does not say which format" : "a picture is not written as " + extension) +
            ": end it in .png, .tif, .exr, .nrrd, .mha or .npy");
    } else if (extension != ".npy" && io::findCodec().empty()) {
        throw refuse("warplens-codec, which writes " + extension + ", was not found: write .npy");
    }
    checkFolderOf(path);
}

void writeResult(const gpu::Result& result, const fs::path& path, const io::WriteOptions& options) {
    if (result.picture) return io::write(*result.picture, path, options);
    checkTableName(path);
    io::writeFileAtomically(path, toCsv(*result.histogram));
}

}  // namespace warplens::cli
