// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/table.hpp"

#include <cmath>
#include <fmt/format.h>

namespace warplens::gpu {

namespace {

/// One line of a CSV file, built field by field.
class Line {
public:
    Line& add(const std::string& text) {
        if (!m_text.empty() || m_any) m_text += ',';
        m_any = true;
        if (text.find_first_of(",\"\r\n") == std::string::npos) {
            m_text += text;
            return *this;
        }
        m_text += '"';
        for (const char c : text) m_text += c == '"' ? std::string("\"\"") : std::string(1, c);
        m_text += '"';
        return *this;
    }
    Line& add(double value) { return add(std::isfinite(value) ? fmt::format("{}", value) : std::string()); }
    Line& add(const std::optional<double>& value) { return value ? add(*value) : add(std::string()); }
    Line& add(std::int64_t value) { return add(std::to_string(value)); }
    std::string end() const { return m_text + "\r\n"; }

private:
    std::string m_text;
    bool m_any = false;
};

std::string dims(const std::array<unsigned, 3>& extents) {
    return fmt::format("{}x{}x{}", extents[0], extents[1], extents[2]);
}

}  // namespace

std::string toCsv(const Report& report) {
    Line head;
    for (const char* field :
         {"input",         "width",     "height",    "depth",        "channels",    "type",          "family",
          "parameters",    "device",    "variant",   "kind",         "runs_on",     "status",        "reason",
          "clock",         "median_ms", "q1_ms",     "q3_ms",        "min_ms",      "low_ms",        "high_ms",
          "samples",       "l2",        "upload_ms", "layout_ms",    "download_ms", "bandwidth_gbs", "percent_of_limit",
          "grid",          "block",     "registers", "shared_bytes", "occupancy",   "max_abs_error", "bound",
          "checked_share", "mismatches"}) {
        head.add(std::string(field));
    }
    std::string text = head.end();
    const InputFacts& input = report.input;
    const std::string parameters = parameterSummary(report);
    for (const ReportRun& run : report.runs) {
        const RunRecord& record = run.record;
        Line line;
        line.add(input.name).add(input.shape.width).add(input.shape.height).add(input.shape.depth);
        line.add(std::int64_t{input.shape.channels})
            .add(input.type)
            .add(report.family)
            .add(parameters)
            .add(report.device.id);
        line.add(record.variant).add(std::string(record.kind == Variant::Kind::kernel ? "kernel" : "library"));
        line.add(record.runsOn).add(std::string(nameOf(record.status))).add(record.reason);
        const std::string none;
        if (const auto& time = record.time) {
            line.add(std::string(nameOf(time->clock)))
                .add(time->medianMs)
                .add(time->q1Ms)
                .add(time->q3Ms)
                .add(time->minMs);
            line.add(time->lowMs).add(time->highMs).add(std::int64_t{time->samples});
            line.add(std::string(time->warmL2 ? "warm" : "cold"));
        } else {
            for (int i = 0; i < 9; ++i) line.add(none);
        }
        line.add(record.uploadMs).add(record.layoutMs).add(record.downloadMs);
        line.add(record.bandwidthGbs).add(record.percentOfLimit);
        if (const auto& launch = record.launch) {
            line.add(dims(launch->grid)).add(dims(launch->block));
            line.add(launch->registers > 0 ? std::to_string(launch->registers) : none).add(launch->sharedBytes);
            line.add(launch->occupancy > 0 ? fmt::format("{}", launch->occupancy) : none);
        } else {
            for (int i = 0; i < 5; ++i) line.add(none);
        }
        if (const auto& check = record.verification) {
            line.add(check->maxAbsError).add(check->bound).add(check->checkedShare).add(check->mismatches);
        } else {
            for (int i = 0; i < 4; ++i) line.add(none);
        }
        text += line.end();
    }
    return text;
}

}  // namespace warplens::gpu
