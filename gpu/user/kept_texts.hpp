// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::user {

/// A kernel's text as it is kept between runs of a program, in one folder: the draft that is being written, which the
/// next program takes up however the last one ended, and versions of it. Without a folder nothing is kept.
class KeptTexts {
public:
    struct Draft {
        std::string path{};   ///< of the user's file; empty: it has none yet
        std::string saved{};  ///< what that file holds
        std::string text{};
    };
    struct Version {
        std::filesystem::path file;
        std::string title;  ///< "2026-11-30 01:47:40  my_kernel verified"
    };
    static constexpr int kMostVersions = 100;

    void setFolder(const std::filesystem::path& folder) { m_folder = folder; }
    /// Where this program's draft lies, which no other takes up while this one lives; empty without a folder.
    std::filesystem::path draftFile();
    /// May be called on any thread. Throws io::Error.
    static void write(const std::filesystem::path& file, const Draft& draft);
    /// The newest draft of a program that is gone, which is this one's from now on.
    std::optional<Draft> takeUp();

    /// The newest first.
    std::vector<Version> versions() const;
    /// Keeps a text as a version, unless it is what was kept last; the oldest beyond kMostVersions go. `name`: the
    /// kernel's file; `state`: a word on what came of it. Throws io::Error.
    void keep(const std::string& text, const std::string& name, const std::string& state);

private:
    /// Whether the draft is this program's now.
    bool own(const std::filesystem::path& file);

    std::filesystem::path m_folder, m_draft;
    std::string m_last;
    io::UniqueFd m_lock;
};

}  // namespace warplens::gpu::user
