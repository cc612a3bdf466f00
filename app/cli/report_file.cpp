// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_file.hpp"

#include "app/cli/exit_status.hpp"
#include "app/cli/pictures.hpp"
#include "gpu/report/html.hpp"
#include "gpu/report/table.hpp"
#include "io/write.hpp"

#include <filesystem>

namespace warplens::cli {

namespace {

std::string extensionOf(const std::string& path) { return std::filesystem::path(path).extension().string(); }

std::string contentOf(const std::string& extension, const gpu::Report& report, const gpu::Comparison* comparison,
                      const gpu::RecordedRuns& recorded) {
    if (extension == ".json") return gpu::toJson(report);
    if (extension == ".csv") return gpu::toCsv(report);
    if (extension == ".md") return gpu::toMarkdown(report, &recorded);
    gpu::HtmlExtras extras;
    if (comparison != nullptr) extras = reportPictures(*comparison);
    extras.recorded = &recorded;
    return gpu::toHtml(report, extras);
}

}  // namespace

void checkReportName(const std::string& path) {
    const std::string extension = extensionOf(path);
    for (const char* known : {".json", ".csv", ".md", ".html"}) {
        if (path.empty() || extension == known) return;
    }
    throw ArgumentError("--report " + path + ": the name must end in .json, .csv, .md or .html");
}

std::string reportNameFor(const std::string& path, const std::string& stem) {
    std::filesystem::path name(path);
    const std::string extension = name.extension().string();
    return name.replace_extension().string() + "." + stem + extension;
}

bool showsPictures(const std::string& path) { return extensionOf(path) == ".html"; }

void writeReport(const std::string& path, const gpu::Report& report, const gpu::Comparison& comparison,
                 const gpu::RecordedRuns& recorded) {
    io::writeFileAtomically(path, contentOf(extensionOf(path), report, &comparison, recorded));
}

void writeReport(const std::string& path, const gpu::Report& report, const gpu::RecordedRuns& recorded) {
    io::writeFileAtomically(path, contentOf(extensionOf(path), report, nullptr, recorded));
}

}  // namespace warplens::cli
