// SPDX-License-Identifier: Apache-2.0
#include "app/cli/outputs.hpp"

#include "app/cli/exit_status.hpp"
#include "gpu/core/counts.hpp"
#include "gpu/report/region_measures.hpp"
#include "gpu/report/region_outlines.hpp"
#include "gpu/report/unit_heads.hpp"
#include "io/codec_client.hpp"
#include "io/error.hpp"
#include "io/format.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <optional>
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

/// Of an extension with its dot; null where there is none.
const io::Format* formatOf(const std::string& extension) {
    return extension.empty() ? nullptr : io::formatNamed(extension.substr(1));
}

bool isWritten(const std::string& extension) {
    const io::Format* format = formatOf(extension);
    return format != nullptr && io::writesAs(*format, extension.substr(1));
}

/// Whether what such a file holds can be written as such a file again, and nothing of it is lost.
bool keeps(const io::Format& format, const std::string& extension) {
    return format.exact && io::writesAs(format, extension.substr(1));
}

/// A line a bin and a line for what lies beside the bins, as counts were written before there were tables.
std::string toCsv(const gpu::BinnedCounts& histogram) {
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
    if (input.rfind("gen:", 0) == 0 || io::findCodec().empty()) return ".npy";
    const std::string own = lowerExtension(io::pathOf(input));
    if (const io::Format* format = formatOf(own); format != nullptr && keeps(*format, own) && io::holds(*format, grid))
        return own;
    // What else a volume came from would lose its spacing, origin or direction.
    const bool volume = grid.shape().depth > 1;
    const auto found = std::ranges::find_if(io::formats(), [&](const io::Format& format) {
        return format.exact && (!volume || format.geometry) && io::holds(format, grid);
    });
    return found == io::formats().end() ? ".npy" : std::string(".") + found->extensions.front();
}

std::string otherFormat(const std::string& input, const io::Grid& grid) {
    const std::string own = lowerExtension(io::pathOf(input)), taken = extensionFor(input, grid);
    const io::Format* format = formatOf(own);
    if (own.empty() || own == taken || io::findCodec().empty()) return {};
    std::string name = own.substr(1);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const std::string why = format == nullptr || !io::writesAs(*format, own.substr(1)) ? " is not written"
                            : !format->exact                                           ? " loses values"
                            : grid.shape().depth > 1 && !format->volumes
                                ? " does not hold volumes"
                                : std::string(" does not hold ") + io::nameOf(grid.type());
    return name + why + ": written as " + taken;
}

std::string extensionFor(const std::string& input, const gpu::Result& result, const std::string& table) {
    return result.picture && table.empty() ? extensionFor(input, *result.picture) : ".csv";
}

std::vector<std::string> extensionsFor(const std::string& input, const gpu::Family& family, const std::string& table) {
    const gpu::FamilyInfo& info = family.info();
    std::set<std::string> all;
    if (info.makesTables) all.insert(".csv");
    if (table.empty() && (info.makesPicture || info.makesOtherPicture)) {
        for (const io::PixelType type : {io::PixelType::u8, io::PixelType::f32})
            for (const std::int64_t depth : {1, 2}) all.insert(extensionFor(input, io::Grid({1, 1, depth, 1}, type)));
    }
    return {all.begin(), all.end()};
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
    if (!fs::is_directory(folder, ignored))
        throw refuse(folder.string() + " is not a folder: make it, or name another");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        throw refuse(folder.string() + " takes no files: check its permissions, or name another folder");
}

void checkResultName(const fs::path& path, const gpu::Family& family, const std::string& table) {
    static const std::set<std::string> kTables{".csv", ".npy"};
    const std::string extension = lowerExtension(path);
    const auto refuse = [&](const std::string& why) {
        return io::Error(io::Error::Kind::unsupported, path.string() + ": " + why);
    };
    const gpu::FamilyInfo& info = family.info();
    if (extension == gpu::kOutlinesEnding && table.empty() && info.regions == gpu::Regions::labels)
        return checkFolderOf(path);
    const bool picture = table.empty() && (info.makesPicture || info.makesOtherPicture), tables = info.makesTables;
    if (!(picture && isWritten(extension)) && !(tables && kTables.contains(extension))) {
        const std::string what = !picture ? "a table" : tables ? "a result" : "a picture";
        const std::string why =
            (extension.empty() ? "the name does not say which format" : what + " is not written as " + extension) +
            ": end it in " + (picture ? io::writtenExtensions() : ".csv or .npy");
        if (!picture) throw ArgumentError(path.string() + ": " + why);
        throw refuse(why);
    } else if (!formatOf(extension)->inProcess && io::findCodec().empty()) {
        throw refuse("warplens-codec, which writes " + extension + ", was not found: write .npy");
    }
    checkFolderOf(path);
}

namespace {

/// The table of this id, or the first one. Throws ArgumentError.
const gpu::Table& chosenTable(const gpu::Result& result, const std::string& id, bool labels) {
    if (id.empty()) return *result.tables.front();
    if (const gpu::Table* found = gpu::findTable(result.tables, id)) return *found;
    std::string ids;
    for (const auto& table : result.tables) ids += (ids.empty() ? "" : ", ") + table->id;
    if (labels) ids += std::string(ids.empty() ? "" : ", ") + gpu::kMeasures;
    throw ArgumentError("--table " + id + ": the result has no such table" +
                        (ids.empty() ? ": leave it out" : "; it has: " + ids));
}

}  // namespace

void writeResult(const gpu::Result& result, const gpu::Family& family, const fs::path& path, const std::string& table,
                 bool unitHeads, const io::Grid* measured, const io::WriteOptions& options) {
    const std::string extension = lowerExtension(path);
    const auto refuse = [&](const std::string& why) {
        return io::Error(io::Error::Kind::unsupported, path.string() + ": " + why);
    };
    const bool labels = family.info().regions == gpu::Regions::labels && result.picture != nullptr;
    if (labels && table.empty() && extension == gpu::kOutlinesEnding) {
        const auto all = [](std::int64_t) { return true; };
        const auto outlines = gpu::regionOutlines(*result.picture, all, options.stop);
        return io::writeFileAtomically(path, gpu::toImageJ(outlines, result.picture->shape()));
    }
    const bool tableFirst = extension == ".csv" && family.info().makesPicture && !result.tables.empty();
    if (result.picture && table.empty() && !tableFirst) return io::write(*result.picture, path, options);
    if (table.empty() && result.tables.empty())
        throw refuse("the result is a picture: end the name in .png, .tif or .npy");
    std::optional<gpu::Table> measures;
    if (labels && table == gpu::kMeasures)
        measures = gpu::measureRegions(*result.picture, gpu::sameExtents(result.picture.get(), measured), options.stop);
    const gpu::Table& chosen = measures ? *measures : chosenTable(result, table, labels);
    if (extension == ".npy") return io::writeFileAtomically(path, gpu::toNpy(chosen));
    if (extension != ".csv") throw refuse("the result is a table: end the name in .csv or .npy");
    const auto counts = table.empty() ? gpu::countsOf(result.tables) : nullptr;
    io::writeFileAtomically(path,
                            counts ? toCsv(*counts) : gpu::toCsv(unitHeads ? gpu::withUnitHeads(chosen) : chosen));
}

}  // namespace warplens::cli
