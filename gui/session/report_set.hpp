// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/report/report.hpp"
#include "gpu/report/text_table.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QString>
#include <QStringList>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// Reports from files, one's own and other people's. The first one read is A, what the others are compared with.
class ReportSet {
public:
    /// One variant of one report.
    struct Row {
        std::string variant;
        gpu::Idea idea = gpu::Idea::plain;
        std::size_t report = 0;           ///< index into reports()
        std::optional<gpu::Timing> time;  ///< of a right result, by the clock asked for
        QString verdict;  ///< against the same variant of A: "faster 1.32×", "same", or why there is none
        QString reason;   ///< why there is no time, or empty
    };

    /// `here`: measured by this run of the program, not recorded earlier. `file`: the name of the one that it was read
    /// from, which tells one of a class from the others.
    void add(gpu::Report report, bool here = false, const QString& file = {}) {
        m_reports.push_back(std::move(report));
        m_here.push_back(here);
        m_files.push_back(file);
    }
    /// The comparison of this run of the program takes the place of the one before.
    void setHere(gpu::Report report);
    void remove(std::size_t index) {
        m_reports.erase(m_reports.begin() + static_cast<std::ptrdiff_t>(index));
        m_here.erase(m_here.begin() + static_cast<std::ptrdiff_t>(index));
        m_files.removeAt(static_cast<qsizetype>(index));
    }
    /// Where a report's times come from.
    Origin origin(std::size_t index) const { return m_here[index] ? Origin::measured : Origin::recorded; }
    /// The origin that all times of `rows` have; nothing when they differ, or when there is none.
    std::optional<Origin> commonOrigin(const std::vector<Row>& rows) const;
    const std::vector<gpu::Report>& reports() const { return m_reports; }
    /// "A", "B" ... "Z", "AA".
    static QString letter(std::size_t index);
    /// "A: anna.json, NVIDIA H200, 21 Nov 2026 14:03, camera.png, 512 × 512 u8".
    QString label(std::size_t index) const;
    /// Clocks that some time was read from, the GPU's first. Times of two clocks never stand in one chart.
    std::vector<gpu::Clock> clocks() const;
    /// By variant in the order of the ladder, within a variant by report.
    std::vector<Row> rows(gpu::Clock clock) const;
    /// What keeps reports from being compared with A, a sentence each.
    QStringList notes() const;
    /// The same in a line a report.
    QStringList notesByReport() const;
    QString markdown(gpu::Clock clock) const;
    /// One file that loads nothing, as gpu::toHtml().
    QString html(gpu::Clock clock) const;
    /// RFC 4180; raw milliseconds, one row a variant and report.
    QString csv(gpu::Clock clock) const;

private:
    std::vector<gpu::Report> m_reports;
    std::vector<bool> m_here;
    QStringList m_files;
};

/// The run table's columns, a row a variant and report; "–" where a row has nothing.
gpu::TextTable tableOf(const ReportSet& set, const std::vector<ReportSet::Row>& rows);

}  // namespace warplens::gui
