// SPDX-License-Identifier: Apache-2.0
#include "app/cli/call_files.hpp"

#include "app/cli/exit_status.hpp"
#include "io/dicom_folder.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/picture_series.hpp"
#include "io/read.hpp"

#include <optional>
#include <sys/stat.h>
#include <vector>

namespace warplens::cli {

namespace fs = std::filesystem;

namespace {

/// Where a name leads: links are followed, one that leads nowhere yet as well.
fs::path placeOf(const fs::path& name) {
    std::error_code failed;
    fs::path path = fs::absolute(name, failed);
    for (int links = 0; links < 40 && fs::is_symlink(path, failed); ++links)
        path = path.parent_path() / fs::read_symlink(path, failed);
    const fs::path folder = fs::weakly_canonical(path.parent_path(), failed);
    return (failed ? path.parent_path().lexically_normal() : folder) / path.filename();
}

std::optional<std::pair<dev_t, ino_t>> nodeOf(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return std::pair{status.st_dev, status.st_ino};
}

/// Whether a detached header means the file: by its name, or by a pattern as in slice-%03d.raw.
bool names(const std::string& header, const std::string& file) {
    if (header.find(file) != std::string::npos) return true;
    for (auto at = header.find('%'); at != std::string::npos; at = header.find('%', at + 1)) {
        const auto begin = header.find_last_of(" \t\r\n:=", at) + 1;
        const auto number = header.find_first_not_of("0123456789", at + 1);
        if (number == std::string::npos) return false;
        const auto end = std::min(header.find_first_of(" \t\r\n", number), header.size());
        const std::string before = header.substr(begin, at - begin);
        const std::string behind = header.substr(number + 1, end - number - 1);
        if (file.size() >= before.size() + behind.size() && file.starts_with(before) && file.ends_with(behind))
            return true;
    }
    return false;
}

/// The files beside a detached header (.nhdr, .mhd) that hold its values.
std::vector<fs::path> valuesOf(const fs::path& path) {
    const std::string extension = path.extension().string();
    if (extension != ".nhdr" && extension != ".mhd") return {};
    const std::string header = io::readText(path.string());
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        if (names(header, at->path().filename().string())) files.push_back(at->path());
    }
    return files;
}

}  // namespace

void CallFiles::Known::add(const fs::path& path) {
    places.insert(placeOf(path));
    if (const auto node = nodeOf(path)) nodes.insert(*node);
}

bool CallFiles::Known::has(const fs::path& path) const {
    if (places.contains(placeOf(path))) return true;
    const auto node = nodeOf(path);
    return node && nodes.contains(*node);
}

void CallFiles::readsFile(const fs::path& path) {
    m_read.add(path);
    for (const fs::path& file : valuesOf(path)) m_read.add(file);
}

void CallFiles::reads(const std::string& input) {
    // What cannot be read is told by whoever reads it.
    try {
        if (io::isPictureSeries(input)) {
            for (const std::string& file : io::filesOfSeries(input)) readsFile(file);
            return;
        }
        const std::string path = io::pathOf(input);
        if (path.empty()) return;
        readsFile(path);
        if (!io::isDicomFolder(path)) return;
        for (const std::string& file : io::dicomFilesIn(path)) readsFile(file);
    } catch (const io::Error&) {
    }
}

void CallFiles::writes(const std::string& option, const fs::path& path) {
    if (m_read.has(path))
        throw ArgumentError(option + " " + path.string() + ": would replace an input: give another name");
    if (m_written.has(path))
        throw ArgumentError(option + " " + path.string() +
                            ": another result of this call goes there too: give another name");
    m_written.add(path);
}

}  // namespace warplens::cli
