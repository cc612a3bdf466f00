// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/html.hpp"

#include "gpu/report/html_bars.hpp"
#include "gpu/report/html_text.hpp"
#include "gpu/report/result_tables.hpp"
#include "gpu/report/table.hpp"

namespace warplens::gpu {

namespace {

using html::escaped;

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --page: #ececec; --panel: #f8f8f8; --line: #d4d4d4; --text: #1a1a1a; --soft: #434343;
  --good: #00704a; --bad: #b03a08; }
@media (prefers-color-scheme: dark) {
  :root { --page: #2e2e2e; --panel: #383838; --line: #4c4c4c; --text: #ececec; --soft: #c0c0c0; )"
                               R"(--good: #4fc79a; --bad: #ef7f52; }
}
body { background: var(--page); color: var(--text); font: 14px/1.45 "Noto Sans", sans-serif; )"
                               R"(margin: 24px auto; max-width: 1100px;
  padding: 0 16px; }
h1 { font-size: 20px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin-top: 28px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; background: var(--panel); width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 4px 10px; text-align: left; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.ok { color: var(--good); }
.wrong, .failed { color: var(--bad); }
.origin { border: 1px solid var(--soft); border-radius: 2px; font-size: 11px; padding: 0 3px; }
.M { background: var(--soft); color: var(--panel); }
.m, .r { border-radius: 8px; }
.r { background: var(--soft); color: var(--panel); }
svg { background: var(--panel); width: 100%; max-width: 760px; }
svg text { fill: var(--text); font-size: 12px; }
.whisker { stroke: var(--text); stroke-width: 1.4; fill: none; }
.upload { fill: #7d7d7d; }
.planes { fill: #b9a27a; }
.unranked { fill: #9a9a9a; stroke: var(--text); stroke-width: 0.5; }
.download { fill: #a9a9a9; }
.display { fill: none; stroke: var(--text); }
.limit { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 4 3; }
.pictures { display: flex; flex-wrap: wrap; gap: 12px; }
figure { margin: 0; }
figure img { display: block; image-rendering: pixelated; max-width: 320px; }
figcaption { color: var(--soft); font-size: 12px; padding-top: 2px; }
li, dd { color: var(--soft); overflow-wrap: anywhere; }
)";

std::string glyph(Origin origin) {
    return std::string("<span class=\"origin ") + letterOf(origin) + "\" title=\"" + nameOf(origin) + "\">" +
           letterOf(origin) + "</span>";
}

/// The last cell of a row is marked with the row's state where there are states.
std::string tableOf(const TextTable& table, const std::vector<Status>& states = {}) {
    std::string text = "<div class=\"scroll\"><table>\n<thead><tr>";
    for (const TextTable::Column& column : table.columns) {
        text += std::string("<th scope=\"col\"") + (column.number ? " class=\"number\"" : "") + ">" +
                escaped(column.title) + (column.origin ? " " + glyph(*column.origin) : "") + "</th>";
    }
    text += "</tr></thead>\n<tbody>\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        text += "<tr>";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const bool check = row < states.size() && i + 1 == table.columns.size();
            const std::string style = table.columns[i].number ? "number" : check ? nameOf(states[row]) : "";
            text += (style.empty() ? "<td>" : "<td class=\"" + style + "\">") + escaped(table.rows[row][i]) + "</td>";
        }
        text += "</tr>\n";
    }
    const std::string letters = legend(table);
    return text + "</tbody></table></div>\n" + (letters.empty() ? "" : "<p>" + escaped(letters) + "</p>\n");
}

std::string runsOf(const TextTable& table, const Report& report) {
    std::vector<Status> states;
    for (const ReportRun& run : report.runs) states.push_back(run.record.status);
    return tableOf(table, states);
}

std::string tablesOf(const std::vector<TextTable>& tables) {
    std::string text;
    for (const TextTable& table : tables) {
        text += "<h2>" + escaped(table.title) + "</h2>\n" + (table.rows.empty() ? "" : tableOf(table));
        for (const std::string& note : table.notes) text += "<p>" + escaped(note) + "</p>\n";
    }
    return text;
}

std::string listOf(const std::vector<std::string>& sentences) {
    std::string text = "<ul>\n";
    for (const std::string& sentence : sentences) text += "<li>" + escaped(sentence) + "</li>\n";
    return text + "</ul>\n";
}

/// The texts of the reader's own kernels, folded; one for all runs of a kernel.
std::string sourcesOf(const Report& report) {
    std::string text, last;
    for (const ReportRun& run : report.runs) {
        if (run.source.empty() || run.record.variant == last) continue;
        last = run.record.variant;
        text += "<details><summary>Source of " + escaped(last) + " (yours)</summary><pre>" + escaped(run.source) +
                "</pre></details>\n";
    }
    return text;
}

std::string picturesOf(const HtmlExtras& extras) {
    if (extras.pictures.empty()) {
        return extras.whyNoPictures.empty() ? "" : "<h2>Pictures</h2>\n<p>" + escaped(extras.whyNoPictures) + "</p>\n";
    }
    std::string text = "<h2>Pictures</h2>\n<div class=\"pictures\">\n";
    for (const ReportPicture& picture : extras.pictures) {
        text += "<figure><img alt=\"" + escaped(picture.caption) + "\" src=\"" + html::pngUrl(picture.png) +
                "\"><figcaption>" + escaped(picture.caption) + "</figcaption></figure>\n";
    }
    return text + "</div>\n";
}

std::vector<std::string> environmentOf(const Report& report) {
    const Environment& environment = report.environment;
    std::vector<std::string> facts{
        "Warplens " + report.version + ", " + environment.compiler, environment.date,
        environment.os + ", " + environment.cpu + ", " + std::to_string(environment.cpuThreads) + " threads",
        "Input " + report.input.hash};
    if (!environment.cudaDriver.empty()) {
        facts.push_back("CUDA runtime " + environment.cudaRuntime + ", driver " + environment.cudaDriver);
    }
    if (!report.device.uuid.empty()) facts.push_back(report.device.name + ", " + report.device.uuid);
    return facts;
}

std::string headOf(const std::string& name, const std::string& title) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Warplens: " +
           escaped(name) + "</title>\n<style>" + kStyle + html::ideaStyle() + "</style>\n</head>\n<body>\n<h1>" +
           escaped(title) + "</h1>\n";
}

constexpr const char* kEnd = "</body>\n</html>\n";

std::string footOf(const std::vector<std::string>& facts) {
    return "<h2>Where and when " + glyph(Origin::reported) + "</h2>\n" + listOf(facts) + kEnd;
}

}  // namespace

std::string toHtml(const Report& report, const HtmlExtras& extras) {
    const TextTable table = makeTable(report, extras.recorded);
    std::string text = headOf(report.input.name + ", " + report.family, table.title) + runsOf(table, report) +
                       listOf(table.notes) + sourcesOf(report) + tablesOf(furtherTables(report));
    if (const std::string chart = html::bars(report); !chart.empty()) {
        text += "<h2>Kernel time, median and quartiles " + glyph(Origin::measured) + "</h2>\n" + chart;
    }
    if (const std::string chart = html::stageBars(report); !chart.empty()) {
        text += "<h2>Where the time goes " + glyph(Origin::measured) + "</h2>\n" + chart +
                "<p>Grey: upload, layout and download, which are exposed; between them the kernel; outlined: display."
                "</p>\n";
    }
    return text + picturesOf(extras) + footOf(environmentOf(report));
}

std::string toHtml(const HtmlSet& set) {
    std::string text = headOf(set.table.title, set.table.title) + tableOf(set.table) + listOf(set.sentences);
    for (const auto& [name, report] : set.reports) {
        if (const std::string chart = html::bars(*report); !chart.empty())
            text += "<h2>" + escaped(name) + "</h2>\n" + chart;
    }
    return text + kEnd;
}

std::string toHtml(const std::string& title, const std::vector<TextTable>& tables,
                   const std::vector<std::string>& facts) {
    return headOf(title, title) + tablesOf(tables) + footOf(facts);
}

}  // namespace warplens::gpu
