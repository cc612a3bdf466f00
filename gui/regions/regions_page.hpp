// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "gui/kit/derived.hpp"
#include "gui/picture/figures_rows.hpp"
#include "gui/picture/outline.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/scale_bar.hpp"
#include "gui/session/compare_session.hpp"

#include <QTimer>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace warplens::gui {

class ComponentsPanel;
class CountsStrip;
class FiguresView;
class InspectorStrip;
class Pane;
class PropagationReplay;

class SessionNotice;

/// Select regions, label and measure them: the input with what is selected, the result beside it, its regions in a
/// table. A region chosen in one of the three is shown in the others.
class RegionsPage : public Page {
    Q_OBJECT
public:
    /// Shares zoom, place and slice with the pages that `view` belongs to.
    RegionsPage(CompareSession& session, ViewState& view, QWidget* parent = nullptr);
    ~RegionsPage() override;

    QString id() const override { return QStringLiteral("regions"); }
    bool standsIn(Workspace) const override { return true; }
    QString title() const override { return tr("Regions"); }
    bool takes(const gpu::Family& family) const override { return family.info().regions != gpu::Regions::none; }
    bool prefers(const gpu::Family& family) const override;
    Docks docks() const override { return {.source = false}; }
    QWidget* statistics() override { return m_side; }
    ViewState* currentView() const override { return &m_view; }
    QImage view() override;
    bool settled() const override;
    bool watchable() const override;
    bool playing() const override;
    void playOrPause() override;
    void step() override;

    Pane* inputPane() const { return m_input; }
    Pane* resultPane() const { return m_result; }
    ComponentsPanel* components() const { return m_components; }
    /// Words over the input and over both: what is selected, and the region chosen.
    const BoxTag& selectedTag() const { return m_selectedTag; }
    const BoxTag& chosenTag() const { return m_chosenTag; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makePanes();
    QWidget* makeStrip();
    void makeSide();
    void wire();
    void refresh();
    /// Of the current variant; null: none that belongs to the picture.
    const gpu::RunRecord* record() const;
    PaneContent resultContent() const;
    void refreshSide();
    void refreshMeasures();
    void refreshKept();
    /// After the picture: "cells" and what it is.
    QString fileName(const char* what) const;
    void saveTable();
    void saveOutlines();
    void refreshWrong();
    /// The present result of another variant that is exact, of the same kind; null: none.
    std::shared_ptr<const io::Grid> exactPicture() const;
    /// What the wand or the brush selected: the mask, or what a family grew from its seeds.
    void refreshSelection();
    void selectGrown();
    std::optional<RowPlace> chosenPlace() const;
    void showChosen();
    /// Brings it into view, unless it was chosen there.
    void goToChosen();
    void chooseAt(QPoint pixel);
    void bringIntoView(const QRectF& box);
    /// Of the film: the labels after the pass that is shown.
    void refreshPass();
    void takePass(std::int64_t pass, const std::shared_ptr<const io::Grid>& picture);
    void showResult();
    /// The last step that is shown of what was grown.
    std::int64_t lastStep() const;
    /// What was grown becomes the mask.
    void takeAsMask();

    CompareSession& m_session;
    ViewState& m_view;
    SessionNotice* m_notice;
    QWidget* m_panes;
    Pane *m_input, *m_result;
    CountsStrip* m_counts;
    InspectorStrip* m_inspector;
    QWidget* m_side;
    QStackedWidget* m_tables;
    ComponentsPanel* m_components;
    FiguresView* m_figures;
    QLabel* m_told;  ///< of a result without tables
    QPushButton* m_asMask = nullptr;
    QTimer m_later;
    PixelOverlay m_frontier;  ///< of the step shown
    OutlineOverlay m_selected, m_leftOutlines{OutlineOverlay::Line::weak};
    PixelOverlay m_wrong;    ///< values that another variant's exact result has otherwise
    PixelOverlay m_leftOut;  ///< regions that are not kept, and what lies outside
    ScaleBarOverlay m_scale;
    BoxTag m_selectedTag{BoxTag::Box::bare}, m_chosenTag{BoxTag::Box::drawn};
    std::shared_ptr<const io::Grid> m_grown;  ///< the steps of a family that grows regions; null: of another
    QRect m_grownBox;
    std::int64_t m_grownPixels = 0;
    std::shared_ptr<const io::Grid> m_final;      ///< the labels that passes lead to; null: there are none
    std::shared_ptr<PropagationReplay> m_replay;  ///< used by the jobs alone, which come one after the other
    std::shared_ptr<const io::Grid> m_passed;     ///< the labels after the pass shown; null: the result is shown
    std::int64_t m_pass = 0;                      ///< of m_passed
    std::size_t m_places = 0;                     ///< for results, on the page before
    bool m_painted = false;                       ///< the tools were on before the page was shown
    bool m_choosing = false;                      ///< in a pane, which stays where it is
    /// Of the labels and the picture that was opened.
    using Measured = std::pair<std::shared_ptr<const io::Grid>, std::shared_ptr<const io::Grid>>;
    Derived<Measured, std::shared_ptr<const gpu::Table>> m_measures;
    JobRunner m_jobs, m_saves;
};

}  // namespace warplens::gui
