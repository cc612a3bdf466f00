// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <sys/types.h>
#include <utility>

namespace warplens::cli {

/// The files that a call reads and those that it writes: none is both, and none is written twice. A file is the same by
/// any name, be it relative, through links or a hard link.
class CallFiles {
public:
    /// All files that `input` stands for: a picture with what its header names, a folder of DICOM files, raw:, series:.
    void reads(const std::string& input);
    /// One file, whatever its name looks like.
    void readsFile(const std::filesystem::path& path);
    /// To be called before anything is written to `path`, once. Throws ArgumentError when it is read, or written by
    /// another option; `option` begins the message.
    void writes(const std::string& option, const std::filesystem::path& path);

private:
    /// A file by its place and, where there is one, by its device and number.
    struct Known {
        std::set<std::filesystem::path> places;
        std::set<std::pair<dev_t, ino_t>> nodes;

        void add(const std::filesystem::path& path);
        bool has(const std::filesystem::path& path) const;
    };

    Known m_read, m_written;
};

}  // namespace warplens::cli
