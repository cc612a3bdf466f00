// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/lenses/histogram/histogram_model.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/compare_session.hpp"

class QComboBox;
class QPushButton;
class QSpinBox;

namespace warplens::gui {

class HistogramChart;
class Pane;
class SessionNotice;

/// The picture with the marked range, how lanes meet over it, and the chart of counts.
class HistogramPage : public Page {
    Q_OBJECT
public:
    /// `display` is what other pages show the picture with: its range, colours and slice are this page's as well.
    HistogramPage(CompareSession& session, ViewState& display, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("histogram"); }
    bool standsIn(Workspace) const override { return true; }
    void setWorkspace(Workspace workspace) override;
    QString title() const override { return tr("Histogram"); }
    bool takes(const gpu::Family& family) const override { return family.id() == "histogram"; }
    Docks docks() const override { return {.results = false, .source = false}; }
    QWidget* statistics() override;
    QWidget* taskRow() override;
    ViewState* currentView() const override { return m_pictureView; }
    bool linked() const override;
    void setLinked(bool linked) override;
    QString viewText() const override;
    bool settled() const override;

    HistogramModel& model() { return m_model; }
    Pane* picturePane() const { return m_picture; }

private:
    QWidget* makeStrip();
    QPushButton* tool(const char* name, const QString& text, const QString& tip, bool checkable);
    void refreshPicture();
    void followDisplay();
    void refreshMarks();
    void refreshLanes();
    void refreshTools();
    void followCursor();
    void takeRectangle(QRect pixels);
    void equalise();
    void stretch();
    QString derivedName(const QString& what) const;

    CompareSession& m_session;
    HistogramModel m_model;
    ViewState& m_display;
    ViewState *m_pictureView, *m_lanesView;
    ViewLink* m_viewLink;
    SessionNotice* m_notice;
    Pane *m_picture, *m_lanes;
    HistogramChart* m_chart;
    QWidget *m_statistics = nullptr, *m_taskRow = nullptr;
    QComboBox* m_laneVariant = nullptr;
    QPushButton *m_mark = nullptr, *m_map = nullptr, *m_equalise = nullptr, *m_stretch = nullptr;
    QPushButton *m_select = nullptr, *m_undo = nullptr, *m_link = nullptr;
    QSpinBox* m_slice = nullptr;
    PixelOverlay m_marks, m_unselected;
    RectangleOverlay m_region;
    ColourLegend m_legend;
};

}  // namespace warplens::gui
