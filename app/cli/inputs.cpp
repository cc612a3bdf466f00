// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputs.hpp"

#include "app/cli/exit_status.hpp"
#include "app/cli/progress.hpp"
#include "io/dicom_folder.hpp"
#include "io/error.hpp"
#include "io/npy.hpp"

#include <algorithm>
#include <filesystem>

namespace warplens::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSchemes[] = {"gen:", "raw:", "series:"};

/// True for inputs that describe what is to be read, rather than name it.
bool isDescription(const std::string& input) {
    return std::any_of(std::begin(kSchemes), std::end(kSchemes),
                       [&](const char* scheme) { return input.rfind(scheme, 0) == 0; });
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

ReadChoices::ReadChoices(CLI::App& command) {
    command.add_option("--axes", m_axes, "How an NPY is meant: yx, zyx, yxc or zyxc")->type_name("AXES");
    command
        .add_option("--frame", m_frame,
                    "Which frame of a 4-D volume, channel or time of an ImageJ or OME stack, or page of a TIFF, from "
                    "1; default: "
                    "the first frame, all pages as slices")
        ->check(CLI::Range(1, 1 << 30))
        ->type_name("N");
    command
        .add_option("--series", m_series,
                    "Which series of a folder of DICOM files, by UID or number (see info); default: the largest")
        ->type_name("UID");
    command
        .add_option("--as", m_as, "Read values of other types, such as 32-bit integers, as f32, rounded to the nearest")
        ->type_name("f32")
        ->check(CLI::IsMember({"f32"}));
}

io::Grid ReadChoices::read(const std::string& input, const std::stop_token& stop, bool quiet) const {
    Progress progress(input);
    io::ReadOptions options;
    options.axes = m_axes;
    options.frame = m_frame;
    options.series = m_series;
    options.toFloat = toFloat();
    options.stop = stop;
    if (!quiet) options.progress = [&](double fraction) { progress.show(fraction, "reading"); };
    return io::read(input, options);
}

io::Grid ReadChoices::readParameter(const std::string& name) const {
    io::ReadOptions options;
    options.axes = io::axesThatFit(name, m_axes);
    options.toFloat = toFloat();
    return io::read(name, options);
}

Inputs expandInputs(const std::vector<std::string>& given) {
    Inputs inputs;
    inputs.batch = given.size() > 1;
    for (const std::string& name : given) {
        std::error_code ignored;
        if (isDescription(name) || !fs::is_directory(name, ignored) || io::isDicomFolder(name)) {
            inputs.names.push_back(name);
            continue;
        }
        inputs.batch = true;
        for (std::string& file : filesIn(name)) inputs.names.push_back(std::move(file));
    }
    return inputs;
}

int forEachInput(const Inputs& inputs, const std::stop_token& stop, const std::function<int(const std::string&)>& one) {
    int status = kFine;
    for (const std::string& name : inputs.names) {
        try {
            status = std::max(status, one(name));
        } catch (...) {
            status = std::max(status, report(std::current_exception(), inputs.batch ? name : ""));
        }
        if (stop.stop_requested()) return kInterrupted;
    }
    return status;
}

std::string UniqueNames::next(const std::string& input) {
    // A folder may be named with a slash at its end.
    const fs::path path = fs::path(input).has_filename() ? fs::path(input) : fs::path(input).parent_path();
    std::string stem = path.stem().string();
    if (isDescription(input)) {
        const std::string named = io::pathOf(input);
        stem = named.empty() ? input : "raw:" + fs::path(named).stem().string();
    }
    std::replace_if(
        stem.begin(), stem.end(), [](char c) { return c == ':' || c == '/' || c == '#' || c == '%'; }, '_');
    std::string name = stem;
    for (int number = 2; !m_taken.insert(name).second; ++number) name = stem + "-" + std::to_string(number);
    return name;
}

}  // namespace warplens::cli
