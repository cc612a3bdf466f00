// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/difference_tool.hpp"

#include "gui/compare/difference_panel.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/pane_contents.hpp"
#include "gui/session/served_figures.hpp"

namespace warplens::gui {

DifferenceTool::DifferenceTool(Page& page, PaneGrid& panes, CompareSession& session)
    : PageTool(page, panes), m_session(session), m_panel(new DifferencePanel(m_model, &page)) {
    makeSwitch({.id = "difference",
                .text = tr("&Difference"),
                .key = Qt::Key_D,
                .tip = tr("The current result minus the baseline, the reference or the double reference, in the last "
                          "pane, with its figures."),
                .button = tr("Difference"),
                .sessionKey = "difference"});
    makeCommand("difference-metric-next", tr("&Next metric of the difference"), Qt::SHIFT | Qt::Key_D,
                [this] { m_panel->nextMetric(); });
    setSide(m_panel);
    connect(action(), &QAction::toggled, this, [this](bool on) {
        m_session.lookedAt().setBaselineWanted(on);
        emit paneChanged();
    });
    connect(&m_model, &DifferenceModel::changed, this, &PageTool::changed);
    connect(&m_model, &DifferenceModel::failed, &session.activity(), &Activity::report);
    connect(m_panel, &DifferencePanel::operandChanged, this, &PageTool::contentsWanted);
    connect(m_panel, &DifferencePanel::placeChosen, &panes, &PaneGrid::goTo);
    connect(&session.request(), &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        if (!before.sameDevices(now)) followDevice();
    });
    connect(&session.devices(), &DeviceChoice::listChanged, this, &DifferenceTool::followDevice);
    followDevice();
}

void DifferenceTool::followDevice() {
    const gpu::DeviceInfo* device = m_session.devices().chosen();
    m_model.setServe(
        [&runner = m_session.control().runner(), on = device == nullptr ? std::nullopt : std::optional(*device)](
            const DifferenceModel::Pictures& pictures, const std::stop_token& stop) {
            return serveDifference(runner, on, pictures, stop);
        });
}

std::string DifferenceTool::subtrahend() const {
    switch (m_panel->operand()) {
        case 0: return m_session.request().baseline();
        case 1: return m_session.lookedAt().reference();
        default: return kExactKey.toStdString();
    }
}

void DifferenceTool::prepare() {
    const std::string exactKey = kExactKey.toStdString(), reference = m_session.lookedAt().reference();
    m_session.exact().setWanted(this, on() && m_panel->operand() == DifferencePanel::kExactOperand);
    m_panel->setOperands(QString::fromStdString(m_session.request().baseline()),
                         reference == exactKey ? tr("double") : QString::fromStdString(reference));
    if (!on()) return m_model.setPictures(nullptr, std::shared_ptr<const io::Grid>(), {});
    const std::string other = subtrahend(), &current = m_session.request().current();
    std::shared_ptr<const io::Grid> a, b;
    if (current != other) {
        a = presentPicture(m_session, current);
        if (const Snapshot* snapshot = m_session.snapshots().find(other))
            b = snapshot->record.result.picture;
        else
            b = other == kInputKey.toStdString() ? m_session.document().grid() : presentPicture(m_session, other);
    }
    RegionShape regions;
    if (const gpu::RunRecord* record = m_session.results().of(current)) regions = gpu::regionsOf(*record);
    if (other == exactKey) return m_model.setPictures(a, m_session.exact().exact(), regions);
    m_model.setPictures(a, b, regions);
}

PaneContent DifferenceTool::pane() const {
    PaneContent pane;
    pane.key = QStringLiteral("difference");
    pane.title = tr("Difference");
    const std::string other = subtrahend();
    const gpu::Variant* variant = m_session.request().currentVariant();
    const gpu::Variant* subtracted = m_session.variants().variant(other);
    if (variant != nullptr && subtracted != nullptr) {
        pane.idea = variant->idea;
        pane.against = subtracted->idea;
    }
    const bool exact = other == kExactKey.toStdString();
    pane.detail = nameOf(m_model.metric());
    if (exact) pane.detail = tr("minus double reference, %1").arg(pane.detail);
    if (variant != nullptr && exact) pane.idea = variant->idea;
    if (m_model.region() != Region::all) pane.detail += QStringLiteral(", ") + nameOf(m_model.region());
    const std::string& current = m_session.request().current();
    if (current == other) {
        pane.message = tr("%1 is what is subtracted; choose another result.").arg(QString::fromStdString(other));
        return pane;
    }
    const Difference* difference = m_model.difference();
    if (difference == nullptr) {
        const gpu::RunRecord* record = m_session.results().present(current);
        const bool none = record != nullptr && (record->status != gpu::Status::ok || record->result.picture == nullptr);
        const QString problem = exact ? m_session.exact().problem() : QString();
        pane.message = none                ? tr("There is no picture of this result to compare.")
                       : problem.isEmpty() ? tr("computing …")
                                           : problem;
        return pane;
    }
    pane.picture = difference->picture;
    const double scale = m_model.scale();
    pane.display = OwnDisplay{{-scale, scale}, ColourMap::diverging};
    pane.legend = unitOf(m_model.metric());
    const DifferenceFigures& figures = difference->figures[static_cast<std::size_t>(m_model.region())];
    pane.hint = figures.mismatching == 0 && figures.maximum == 0
                    ? tr("no pixel differs")
                    : tr("max %1, mean %2%3")
                          .arg(figureText(figures.maximum), figureText(figures.mean), unitOf(m_model.metric()));
    pane.hintOrigin = Origin::measured;
    return pane;
}

}  // namespace warplens::gui
