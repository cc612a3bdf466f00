// SPDX-License-Identifier: Apache-2.0
// The part of ComparePage that shows a difference: which two results, the pane, going to a place.
#include "gui/compare/compare_page.hpp"
#include "gui/compare/difference_panel.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/session/result_kind.hpp"
#include "gui/session/served_difference.hpp"
#include "gui/session/served_statistics.hpp"
#include "gui/session/shown_variants.hpp"

#include <QAction>
#include <algorithm>

namespace warplens::gui {

namespace {
constexpr double kSeePixels = 16;  // screen pixels a picture pixel, when a place is gone to
}

void ComparePage::setDifference(bool on) {
    m_differencePanel->setVisible(on);
    m_session.lookedAt().setBaselineWanted(on);
    setPaneCount(m_paneCount);
}

void ComparePage::setExactPane(bool on) {
    // It needs a second pane, and beside a difference a third.
    setPaneCount(on ? std::max(m_paneCount, 2 + m_differenceAction->isChecked()) : m_paneCount);
}

bool ComparePage::exactWanted() const {
    return m_exactAction->isChecked() || m_session.lookedAt().reference() == kExactKey.toStdString() ||
           (m_differenceAction->isChecked() && m_differencePanel->operand() == DifferencePanel::kExactOperand);
}

PaneContent ComparePage::exactContent() const {
    PaneContent pane;
    pane.key = kExactKey;
    pane.title = tr("Double reference");
    pane.picture = m_exact.picture();
    if (pane.picture == nullptr) {
        const gpu::RunRecord* record = m_session.results().present(m_session.request().current());
        const bool none = record != nullptr && record->status == gpu::Status::ok && record->result.picture == nullptr &&
                          !m_session.results().notKept(m_session.request().current());
        pane.message = !m_exact.problem().isEmpty() ? m_exact.problem()
                       : none                       ? tr("There is no picture of this result to check.")
                       : m_exact.busy()             ? tr("computing …")
                                                    : tr("once the result is checked");
        return pane;
    }
    pane.detail = tr("what the check compares with");
    if (m_exact.share() < 1) pane.detail = tr("where the check looks: %1").arg(format::percent(m_exact.share()));
    pane.hint = tr("Shift+G");
    if (const auto kind = resultKind()) {
        pane.display = ownDisplayOf(*kind, *pane.picture);
        pane.legend = kind->values;
    }
    return pane;
}

void ComparePage::followDevice() {
    const gpu::DeviceInfo* device = m_session.devices().chosen();
    const auto on = device == nullptr ? std::nullopt : std::optional(*device);
    gpu::Runner& runner = m_session.control().runner();
    m_difference.setServe([&runner, on](const DifferenceModel::Pictures& pictures, const std::stop_token& stop) {
        return serveDifference(runner, on, pictures, stop);
    });
    m_range->setSeen([this] {
        const Pane* pane = m_grid->pane(m_grid->current());
        return pane == nullptr ? QRect() : pane->view()->seenPixels();
    });
    m_range->setServe([this, &runner, on]() -> RangeBar::Serve {
        if (m_session.control().comparing()) return {};  // the CPU is done long before the device is free
        return [&runner, on](const std::shared_ptr<const io::Grid>& picture, const std::stop_token& stop) {
            return serveStatistics(runner, on, picture, stop);
        };
    });
}

std::string ComparePage::subtrahend() const {
    switch (m_differencePanel->operand()) {
        case 0: return m_session.request().baseline();
        case 1: return m_session.lookedAt().reference();
        default: return kExactKey.toStdString();
    }
}

void ComparePage::feedDifference() {
    m_differencePanel->setOperands(QString::fromStdString(m_session.request().baseline()),
                                   m_session.lookedAt().reference() == kExactKey.toStdString()
                                       ? tr("double")
                                       : QString::fromStdString(m_session.lookedAt().reference()));
    std::shared_ptr<const io::Grid> a, b;
    RegionShape regions;
    const std::string other = subtrahend();
    if (m_differenceAction->isChecked()) {
        const auto present = [this](const std::string& id) -> std::shared_ptr<const io::Grid> {
            const gpu::RunRecord* record = m_session.results().of(id);
            return record == nullptr || m_session.results().stale(id) ? nullptr : record->result.picture;
        };
        const std::string& current = m_session.request().current();
        if (current != other) {
            a = present(current);
            const Snapshot* snapshot = m_session.snapshots().find(other);
            b = other == kExactKey.toStdString()   ? nullptr
                : other == kInputKey.toStdString() ? m_session.document().grid()
                : snapshot != nullptr              ? snapshot->record.result.picture
                                                   : present(other);
        }
        const gpu::RunRecord* record = m_session.results().of(current);
        if (record != nullptr) regions = gpu::regionsOf(*record);
        if (other == kExactKey.toStdString()) return m_difference.setPictures(a, m_exact.exact(), regions);
    }
    m_difference.setPictures(a, b, regions);
}

PaneContent ComparePage::differenceContent() const {
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
    pane.detail = nameOf(m_difference.metric());
    if (exact) pane.detail = tr("minus double reference, %1").arg(pane.detail);
    if (variant != nullptr && exact) pane.idea = variant->idea;
    if (m_difference.region() != Region::all) pane.detail += QStringLiteral(", ") + nameOf(m_difference.region());
    if (m_session.request().current() == other) {
        pane.message = tr("%1 is what is subtracted; choose another result.").arg(QString::fromStdString(other));
        return pane;
    }
    const Difference* difference = m_difference.difference();
    if (difference == nullptr) {
        const gpu::RunRecord* record = m_session.results().of(m_session.request().current());
        const bool none = record != nullptr && !m_session.results().stale(m_session.request().current()) &&
                          (record->status != gpu::Status::ok || record->result.picture == nullptr);
        pane.message = none                                    ? tr("There is no picture of this result to compare.")
                       : exact && !m_exact.problem().isEmpty() ? m_exact.problem()
                                                               : tr("computing …");
        return pane;
    }
    pane.picture = difference->picture;
    const double scale = m_difference.scale();
    pane.display = OwnDisplay{{-scale, scale}, ColourMap::diverging};
    pane.legend = unitOf(m_difference.metric());
    const DifferenceFigures& figures = difference->figures[static_cast<std::size_t>(m_difference.region())];
    pane.hint = figures.mismatching == 0 && figures.maximum == 0
                    ? tr("no pixel differs")
                    : tr("max %1, mean %2%3")
                          .arg(figureText(figures.maximum), figureText(figures.mean), unitOf(m_difference.metric()));
    pane.hintOrigin = Origin::measured;
    return pane;
}

void ComparePage::goTo(PixelPlace place) {
    ViewState* view = m_grid->currentViewState();
    const QPoint pixel(static_cast<int>(place.x), static_cast<int>(place.y));
    m_grid->viewState()->setSlice(static_cast<int>(place.z));
    if (view->zoom() < kSeePixels) view->setZoom(kSeePixels);
    view->setCentre(QPointF(pixel) + QPointF(0.5, 0.5));
    view->setCursor(pixel);
}

}  // namespace warplens::gui
