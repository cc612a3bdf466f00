// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/html_bars.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/html_text.hpp"
#include "gpu/report/stages.hpp"
#include "gpu/run/limit.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <ranges>

namespace warplens::gpu::html {

namespace {

struct IdeaColour {
    Idea idea;
    const char* light;
    const char* dark;
};

constexpr std::array<IdeaColour, 15> kColours{{{Idea::plain, "#4a4a4a", "#c8c8c8"},
                                               {Idea::cache, "#008cb3", "#7fe9f6"},
                                               {Idea::coarsening, "#a0528a", "#cc86b8"},
                                               {Idea::sharedTile, "#bd7618", "#e0a21a"},
                                               {Idea::sharedTileRefined, "#7d6c00", "#fae27e"},
                                               {Idea::loss, "#8b2600", "#c9784c"},
                                               {Idea::registers, "#13683f", "#0fc48c"},
                                               {Idea::registersAlone, "#5a8f00", "#8ed63a"},
                                               {Idea::streaming, "#e0443c", "#ff5c7a"},
                                               {Idea::tensorCores, "#8a4a66", "#f4c6d8"},
                                               {Idea::workSaved, "#3b6fe6", "#9fb4ff"},
                                               {Idea::savedAndFused, "#2a2f9c", "#5b78f0"},
                                               {Idea::savedAndStreamed, "#7a3fd6", "#b860e4"},
                                               {Idea::savedInRing, "#a3138f", "#d94fd0"},
                                               {Idea::library, "#808080", "#8f8f8f"}}};

constexpr double kNames = 150, kRight = 670, kRow = 26, kTop = 26, kLetter = 7.5;

/// A report may name variants that this version does not have; they are drawn as plain.
Idea ideaOf(const std::string& family, const std::string& variant) {
    const Variant* known = findVariant(family, variant);
    return known == nullptr ? Idea::plain : known->idea;
}

double heightOf(std::size_t rows) { return kTop + kRow * static_cast<double>(rows) + 4; }

std::string svgHead(std::size_t rows, const char* label) {
    return fmt::format("<svg viewBox=\"0 0 760 {:.0f}\" role=\"img\" aria-label=\"{}\">\n", heightOf(rows), label);
}

/// A name with tunables is longer than any variant's.
template <class Records>
double namesWidth(const Records& drawn) {
    std::size_t letters = 0;
    for (const RunRecord* record : drawn) letters = std::max(letters, record->id().size());
    return std::clamp(kLetter * static_cast<double>(letters) + 12, kNames, kRight / 2);
}

std::string nameOfRow(const RunRecord& record, double left, double top) {
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 8, top + kRow / 2 + 4,
                       escaped(record.id()));
}

}  // namespace

std::string ideaStyle() {
    std::string light, dark;
    for (const IdeaColour& colour : kColours) {
        light += fmt::format(".idea{} {{ fill: {}; }}\n", static_cast<int>(colour.idea), colour.light);
        dark += fmt::format(".idea{} {{ fill: {}; }}\n", static_cast<int>(colour.idea), colour.dark);
    }
    return light + "@media (prefers-color-scheme: dark) {\n" + dark + "}\n";
}

std::string stageBars(const Report& report) {
    struct Row {
        const RunRecord* record;
        Stages stages;
    };
    std::vector<Row> drawn;
    double longest = 0;
    bool transfers = false;
    for (const ReportRun& run : report.runs) {
        const Stages stages = stagesOf(run.record, run.displayMs);
        // That of a library or a portable row is another one.
        const bool ours =
            stages.kernel && (run.record.time->clock == Clock::device || run.record.time->clock == Clock::simulated);
        if (!ours) continue;
        drawn.push_back({&run.record, stages});
        longest = std::max(longest, *stages.total());
        transfers = transfers || stages.exposed();
    }
    if (!transfers || longest <= 0) return "";
    const double left = namesWidth(drawn | std::views::transform(&Row::record)), scale = (kRight - left) / longest;
    double x = left;
    std::string svg = svgHead(drawn.size(), "Stages of each variant in milliseconds");
    const auto piece = [&](const std::string& style, const char* name, double ms, double top) {
        svg += fmt::format(
            "<rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"><title>{} {} ms"
            "</title></rect>\n",
            style, x, top + 5, ms * scale, kRow - 10, name, threeDigits(ms));
        x += ms * scale;
    };
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const auto& [record, s] = drawn[i];
        const double top = kTop + kRow * static_cast<double>(i);
        x = left;
        svg += nameOfRow(*record, left, top);
        if (s.upload) piece("upload", "upload", *s.upload, top);
        if (s.layout) piece("planes", "layout change", *s.layout, top);
        const int idea = static_cast<int>(ideaOf(report.family, record->variant));
        piece(report.device.ranks() ? fmt::format("idea{}", idea) : "unranked", "kernel", *s.kernel, top);
        if (s.download) piece("download", "download", *s.download, top);
        if (s.display) piece("display", "display", *s.display, top);
        svg += fmt::format("<text x=\"{:.2f}\" y=\"{}\">{} ms</text>\n", x + 6, top + kRow / 2 + 4,
                           threeDigits(*s.total()));
    }
    return svg + "</svg>\n";
}

std::string bars(const Report& report) {
    std::vector<const RunRecord*> drawn;
    double longest = 0;
    for (const ReportRun& run : report.runs) {
        if (run.record.status != Status::ok || !run.record.time || run.record.time->clock != Clock::device) continue;
        drawn.push_back(&run.record);
        longest = std::max({longest, run.record.time->medianMs, run.record.time->q3Ms});
    }
    if (drawn.empty() || longest <= 0) return "";
    const double height = heightOf(drawn.size()), left = namesWidth(drawn);
    const auto x = [=](double ms) { return left + (kRight - left) * ms / longest; };
    std::string svg = svgHead(drawn.size(), "Median kernel time of each variant in milliseconds");
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Timing& time = *drawn[i]->time;
        const double top = kTop + kRow * static_cast<double>(i), middle = top + kRow / 2;
        svg += nameOfRow(*drawn[i], left, top);
        svg += fmt::format("<rect class=\"idea{}\" x=\"{}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"/>\n",
                           static_cast<int>(ideaOf(report.family, drawn[i]->variant)), left, top + 5,
                           x(time.medianMs) - left, kRow - 10);
        svg += fmt::format("<path class=\"whisker\" d=\"M{0:.2f} {2}v8M{0:.2f} {3}H{1:.2f}M{1:.2f} {2}v8\"/>\n",
                           x(time.q1Ms), x(time.q3Ms), middle - 4, middle);
        svg += fmt::format("<text x=\"{:.2f}\" y=\"{}\">{} ms</text>\n", x(std::max(time.medianMs, time.q3Ms)) + 6,
                           middle + 4, threeDigits(time.medianMs));
    }
    const double floorMs = report.limits ? memoryFloorMs(report.work, *report.limits) : 0;
    if (floorMs > 0 && floorMs <= longest) {
        svg += fmt::format("<path class=\"limit\" d=\"M{:.2f} {}V{:.0f}\"/>\n", x(floorMs), kTop, height);
        svg += fmt::format("<text x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\">limit {} ms</text>\n", x(floorMs),
                           kTop - 8, threeDigits(floorMs));
    }
    return svg + "</svg>\n";
}

}  // namespace warplens::gpu::html
