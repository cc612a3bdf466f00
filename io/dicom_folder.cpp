// SPDX-License-Identifier: Apache-2.0
#include "io/dicom_folder.hpp"

#include "io/error.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace warplens::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 132;
constexpr std::size_t kMostFiles = 20'000;

/// The plain files of a folder that are no notes.
std::vector<std::string> filesIn(const fs::path& folder) {
    static const std::set<std::string> kNotes{".txt", ".md", ".json", ".csv", ".html", ".xml"};
    std::error_code failed;
    std::vector<std::string> files;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        std::error_code ignored;
        if (!fs::is_regular_file(at->symlink_status(ignored)) || at->path().filename().string().front() == '.')
            continue;
        if (kNotes.count(at->path().extension().string()) != 0) continue;
        if (files.size() == kMostFiles) {
            throw Error(Error::Kind::limit, folder.string() + ": the folder holds more than " +
                                                std::to_string(kMostFiles) + " files: keep one series in it");
        }
        files.push_back(at->path().string());
    }
    if (failed) {
        throw Error(Error::Kind::unreadable, folder.string() + ": the folder cannot be listed (" + failed.message() +
                                                 "): check the permissions");
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool isDicomFile(const std::string& path) {
    try {
        return isDicomHead(InputFile(path).head(kHeadBytes));
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

bool isDicomHead(std::span<const std::byte> head) {
    return head.size() >= kHeadBytes && std::memcmp(&head[128], "DICM", 4) == 0;
}

std::vector<std::string> dicomFilesIn(const fs::path& folder) {
    auto files = filesIn(folder);
    std::erase_if(files, [](const std::string& file) { return !isDicomFile(file); });
    return files;
}

bool isDicomFolder(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) return false;
    const auto files = filesIn(folder);
    return !files.empty() && std::all_of(files.begin(), files.end(), isDicomFile);
}

}  // namespace warplens::io
