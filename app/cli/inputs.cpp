// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputs.hpp"

#include "app/cli/exit_status.hpp"
#include "io/error.hpp"

#include <algorithm>
#include <filesystem>

namespace warplens::cli {

namespace fs = std::filesystem;

namespace {

bool isGenerated(const std::string& input) {
    return input.rfind("gen:", 0) == 0;
}

std::vector<std::string> filesIn(const fs::path& folder) {
    static const std::set<std::string> kNotPictures{".txt", ".md", ".json", ".csv", ".html"};
    std::error_code failed;
    std::vector<std::string> files;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        const fs::path& path = at->path();
        std::error_code ignored;
        if (!at->is_regular_file(ignored) || path.filename().string().front() == '.') continue;
        if (kNotPictures.count(path.extension().string()) == 0) files.push_back(path.string());
    }
    const auto refuse = [&folder](const std::string& why) {
        return io::Error(io::Error::Kind::unreadable, folder.string() + ": " + why);
    };
    if (failed) throw refuse("the folder cannot be listed: " + failed.message());
    if (files.empty()) throw refuse("the folder holds no pictures; give one that does");
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

Inputs expandInputs(const std::vector<std::string>& given) {
    Inputs inputs;
    inputs.batch = given.size() > 1;
    for (const std::string& name : given) {
        std::error_code ignored;
        if (isGenerated(name) || !fs::is_directory(name, ignored)) {
            inputs.names.push_back(name);
            continue;
        }
        inputs.batch = true;
        for (std::string& file : filesIn(name)) inputs.names.push_back(std::move(file));
    }
    return inputs;
}

int overInputs(const Inputs& inputs, const std::stop_token& stop, const std::function<int(const std::string&)>& one) {
    int status = kFine;
    for (const std::string& name : inputs.names) {
        try {
            status = std::max(status, one(name));
        } catch (...) {
            status = std::max(status, report(std::current_exception()));
        }
        if (stop.stop_requested()) return kInterrupted;
    }
    return status;
}

std::string Stems::next(const std::string& input) {
    std::string stem = isGenerated(input) ? input : fs::path(input).stem().string();
    std::replace_if(
        stem.begin(), stem.end(), [](char c) { return c == ':' || c == '/'; }, '_');
    std::string name = stem;
    for (int number = 2; !m_taken.insert(name).second; ++number) name = stem + "-" + std::to_string(number);
    return name;
}

}  // namespace warplens::cli
