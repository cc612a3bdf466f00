// SPDX-License-Identifier: Apache-2.0
#include "io/read.hpp"

#include "io/codec_client.hpp"
#include "io/csv.hpp"
#include "io/dicom_folder.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/file_turn.hpp"
#include "io/generate.hpp"
#include "io/npy.hpp"
#include "io/picture_series.hpp"
#include "io/raw.hpp"
#include "io/to_float.hpp"

#include <algorithm>
#include <filesystem>
#include <new>

namespace warplens::io {

namespace {

/// Bytes of the plain files right in a folder.
std::int64_t bytesIn(const std::filesystem::path& folder) {
    std::error_code failed;
    std::int64_t bytes = 0;
    for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(at->symlink_status(ignored))) continue;
        const auto size = at->file_size(ignored);
        if (!ignored) bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

/// What was chosen has to mean something for the input: nothing is left aside in silence.
void checkChoices(const std::string& input, const ReadOptions& options, bool framed, bool folder) {
    if (!folder && !options.series.empty()) {
        throw Error(Error::Kind::argument, input + ": only a folder of DICOM files has series: leave --series out");
    }
    if (!framed && options.frame > 1) {
        throw Error(Error::Kind::argument, input + ": there is no frame " + std::to_string(options.frame) +
                                               ", it holds one picture or volume: leave --frame out");
    }
}

/// Formats other than NPY say themselves what an axis is.
void refuseAxes(const std::string& input, const ReadOptions& options) {
    if (options.axes.empty()) return;
    throw Error(Error::Kind::argument, input + ": only an NPY file takes axes: leave --axes out");
}

Grid readFolder(const std::string& folder, const ReadOptions& options) {
    const FileTurn turn(folder, options.stop);
    if (!isDicomFolder(folder)) {
        throw Error(Error::Kind::unreadable,
                    folder + ": the folder holds other files than DICOM: name one of its files");
    }
    refuseAxes(folder, options);
    return decodeWithCodec(folder, std::min(bytesIn(folder), options.limits.fileBytes), options);
}

Grid readFile(const std::string& path, const ReadOptions& options) {
    const FileTurn turn(path, options.stop);
    InputFile file(path);
    if (file.size() == 0) throw Error(Error::Kind::unreadable, path + ": the file is empty: copy it again");
    if (file.size() > options.limits.fileBytes) {
        throw Error(Error::Kind::limit, path + ": the file is over the limit of " +
                                            std::to_string(options.limits.fileBytes) + " bytes: crop it first");
    }
    if (isNpy(file.head(16))) {
        checkChoices(path, options, false, false);
        return readNpy(file, options);
    }
    if (isCsv(path)) {
        checkChoices(path, options, false, false);
        refuseAxes(path, options);
        return parseCsv(readText(path), path, options);
    }
    checkChoices(path, options, true, false);
    refuseAxes(path, options);
    // A detached header is small, and its values lie beside it.
    const bool detached = path.ends_with(".nhdr") || path.ends_with(".mhd");
    const auto bytes = detached ? bytesIn(std::filesystem::absolute(path).parent_path()) : file.size();
    auto grid = decodeWithCodec(path, std::min(bytes, options.limits.fileBytes), options);
    file.checkUnchanged();
    return grid;
}

Grid readStored(const std::string& input, const ReadOptions& options) {
    if (isGenerated(input) || isRaw(input)) {
        checkChoices(input, options, false, false);
        refuseAxes(input, options);
    }
    if (isGenerated(input)) return generate(input, options.limits, options.stop);
    if (isRaw(input)) {
        const FileTurn turn(input, options.stop);
        return readRaw(parseRaw(input), options);
    }
    if (isPictureSeries(input)) return readPictureSeries(input, options);
    std::error_code ignored;
    return std::filesystem::is_directory(input, ignored) ? readFolder(input, options) : readFile(input, options);
}

}  // namespace

Grid read(const std::string& input, const ReadOptions& options) {
    try {
        auto grid = readStored(input, options);
        if (!options.toFloat || grid.type() == PixelType::f32) return grid;
        options.limits.check(grid.shape(), PixelType::f32, input);
        return toFloat(grid);
    } catch (const std::bad_alloc&) {
        throw Error(Error::Kind::limit, input + ": not enough memory: close other programs, or use a smaller picture");
    }
}

std::string pathOf(const std::string& input) {
    if (isGenerated(input) || isPictureSeries(input)) return {};
    return isRaw(input) ? parseRaw(input).file : input;
}

}  // namespace warplens::io
