// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/profile_panel.hpp"

#include "gui/kit/elided.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/profile_chart.hpp"
#include "gui/picture/table_export.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace warplens::gui {

ProfilePanel::ProfilePanel(QWidget* parent)
    : QWidget(parent),
      m_said(made(new ElidedLabel(this), {.id = "profile-line", .look = "caption"})),
      m_chart(new ProfileChart(this)),
      m_csv(made(new QToolButton(this), {.id = "profile-csv",
                                         .look = "flat",
                                         .name = tr("Export the profile as CSV"),
                                         .tip = tr("Distance, position and all digits of each value.")})),
      m_copy(made(new QToolButton(this), {.id = "profile-copy",
                                          .look = "flat",
                                          .name = tr("Copy the profile"),
                                          .tip = tr("Tab-separated, all digits.")})) {
    setObjectName(QStringLiteral("profile-panel"));
    m_csv->setText(tr("CSV..."));
    m_copy->setText(tr("Copy"));
    for (QToolButton* button : {m_csv, m_copy}) button->setFocusPolicy(Qt::StrongFocus);
    auto* head = new QWidget(this);
    fill(titleRow(head, kTitleHeight, tr("Line profile")), {spring(), m_csv, m_copy});
    auto* column = makeColumn(this, {}, 0, {head});
    fill(column, {makeRow(nullptr, {kDockMargin, 0, kDockMargin, 0}, 0, {{m_said, 1}}), m_chart});
    connect(m_chart, &PlotView::picked, this,
            [this](int pixel) { emit pixelChosen(m_line->at(static_cast<std::size_t>(pixel))); });
    connect(m_csv, &QToolButton::clicked, this, &ProfilePanel::exportCsv);
    connect(m_copy, &QToolButton::clicked, this, &ProfilePanel::copy);
    setProfile({}, {});
}

void ProfilePanel::setProfile(const std::optional<ProfileLine>& line, std::vector<ProfileCurve> curves,
                              const io::Grid* picture) {
    m_line = line;
    m_curves = std::move(curves);
    const bool any = m_line && !m_curves.empty();
    for (QToolButton* button : {m_csv, m_copy}) button->setEnabled(any);
    const auto text = [](QPoint at) {
        return QStringLiteral("(%1, %2)").arg(format::integer(at.x()), format::integer(at.y()));
    };
    QString said = tr("Draw a line over a picture.");
    if (m_line) {
        const QString measured = m_line->measured(picture);
        said =
            tr("%1 to %2: %3 pixels, %4 px long")
                .arg(text(m_line->from), text(m_line->to), format::integer(static_cast<std::int64_t>(m_line->size())),
                     format::trimmed(format::significant(m_line->distance(m_line->size() - 1), 4))) +
            (measured.isEmpty() ? measured : QStringLiteral(", ") + measured);
    }
    m_said->setFullText(said);
    m_chart->setProfile(m_line.value_or(ProfileLine{}), m_line ? m_curves : std::vector<ProfileCurve>());
}

void ProfilePanel::setCursor(const std::optional<QPoint>& pixel) {
    std::optional<std::size_t> at;
    if (m_line && pixel)
        for (std::size_t i = 0; i < m_line->size() && !at; ++i)
            if (m_line->at(i) == *pixel) at = i;
    m_chart->setAt(at);
}

void ProfilePanel::copy() { QGuiApplication::clipboard()->setText(tabSeparated(profileTable(*m_line, m_curves))); }

void ProfilePanel::exportCsv() {
    exportTable(
        window(), tr("Export the profile"), profileTable(*m_line, m_curves), this,
        [this](const QString& path) { emit exported(tr("Exported %1").arg(path.section('/', -1))); },
        [this](const QString& why) { emit failed(why); });
}

}  // namespace warplens::gui
