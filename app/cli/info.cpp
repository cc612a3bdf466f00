// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/print.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/table.hpp"
#include "io/in_space.hpp"
#include "io/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace warplens::cli {

namespace {

struct InfoOptions {
    explicit InfoOptions(CLI::App& command) : choices(command) {}
    ReadChoices choices;
    std::string input;
    bool json = false;
};

nlohmann::ordered_json seriesOf(const io::Metadata& metadata) {
    auto list = nlohmann::ordered_json::array();
    for (const io::Series& one : metadata.series) {
        list.push_back(
            {{"uid", io::printable(one.uid)}, {"description", io::printable(one.description)}, {"files", one.files}});
    }
    return list;
}

std::string pagesText(const io::Metadata& metadata) {
    if (metadata.page == 0) return std::to_string(metadata.pages) + ", read as slices";
    return std::to_string(metadata.pages) + ", of which number " + std::to_string(metadata.page) + " was read";
}

std::string asJson(const io::Grid& grid) {
    const io::Shape& shape = grid.shape();
    auto notes = nlohmann::ordered_json::array();
    for (const std::string& note : grid.metadata.notes) notes.push_back(io::printable(note));
    const nlohmann::ordered_json json{{"width", shape.width},
                                      {"height", shape.height},
                                      {"depth", shape.depth},
                                      {"channels", shape.channels},
                                      {"type", io::nameOf(grid.type())},
                                      {"source_type", grid.sourceType()},
                                      {"spacing_mm", grid.geometry.spacing},
                                      {"origin_mm", grid.geometry.origin},
                                      {"direction", grid.geometry.direction},
                                      {"format", grid.metadata.format},
                                      {"pages", grid.metadata.pages},
                                      {"page", grid.metadata.page},
                                      {"series", seriesOf(grid.metadata)},
                                      {"notes", notes}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string asText(const std::string& name, const io::Grid& grid) {
    const io::Shape& shape = grid.shape();
    const io::Metadata& metadata = grid.metadata;
    std::string text = io::printable(name) + "\n";
    const auto row = [&text](const std::string& what, const std::string& value) {
        text += fmt::format("  {:<12}{}\n", what, io::printable(value));
    };
    row("extents", gpu::extents(shape));
    const std::string type = io::nameOf(grid.type());
    row("type", grid.sourceType() == type ? type : type + " (in the file: " + grid.sourceType() + ")");
    row("in memory", gpu::byteSize(static_cast<std::int64_t>(grid.bytes())));
    row("format", metadata.format);
    if (metadata.pages > 1) row("pages", pagesText(metadata));
    // A picture that no file placed has none; one that lies in space has two.
    if (shape.depth > 1 || io::hasGeometry(grid.geometry)) {
        const auto& spacing = grid.geometry.spacing;
        row("spacing",
            fmt::format("{} mm", fmt::join(spacing.begin(), spacing.begin() + (shape.depth > 1 ? 3 : 2), " x ")));
        row("origin", fmt::format("{} mm", fmt::join(grid.geometry.origin, ", ")));
        row("direction", fmt::format("{}", fmt::join(grid.geometry.direction, " ")));
    }
    if (metadata.dpi) row("resolution", fmt::format("{:.7g} x {:.7g} dpi", (*metadata.dpi)[0], (*metadata.dpi)[1]));
    if (!metadata.iccProfile.empty()) {
        row("ICC profile", gpu::byteSize(static_cast<std::int64_t>(metadata.iccProfile.size())));
    }
    for (std::size_t i = 0; i < metadata.series.size(); ++i) {
        const io::Series& one = metadata.series[i];
        row("series " + std::to_string(i + 1),
            fmt::format("{} ({} {}){}", one.uid, one.files, one.files == 1 ? "file" : "files",
                        one.description.empty() ? "" : ": " + one.description));
    }
    for (const std::string& note : metadata.notes) row("note", note);
    return text;
}

}  // namespace

Command addInfo(CLI::App& program) {
    CLI::App* command = program.add_subcommand("info", "What a picture or volume is");
    const auto options = std::make_shared<InfoOptions>(*command);
    command
        ->add_option("INPUT", options->input,
                     "A file, a folder of DICOM files, gen:KIND:WxH[xD]:TYPE, raw:FILE[:WxH[xD]:TYPE], "
                     "or series:FOLDER/slice-###.png")
        ->required();
    command->add_flag("--json", options->json, "Print JSON (resources/schema/info.schema.json)");
    return {command, [options](const std::stop_token& stop) {
                const io::Grid grid = options->choices.read(options->input, stop);
                options->json ? printJson(asJson(grid)) : printText(asText(options->input, grid));
                return static_cast<int>(kFine);
            }};
}

}  // namespace warplens::cli
