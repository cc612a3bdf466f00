// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/scale_bar.hpp"
#include "gui/picture/wipe.hpp"
#include "gui/session/compare_session.hpp"

#include <QTimer>
#include <vector>

class QComboBox;
class QPushButton;
class QSpinBox;

namespace warplens::gui {

class CropFrame;
class InspectorStrip;
class LiveTool;
class RangeBar;
class StepsPanel;

/// The picture, large, before and after its steps, and the steps in a list: what is filtered, without a word of how. A
/// step's variant is the fastest one that can. The quiet line below says what ran, and leads to the step in the Lab.
class FilterPage : public Page {
    Q_OBJECT
public:
    /// Shares range, colours, zoom and slice with the pages that `view` belongs to.
    FilterPage(CompareSession& session, ViewState& view, QWidget* parent = nullptr);

    enum class Shows { input, wipe, result, both };

    QString id() const override { return QStringLiteral("picture"); }
    QString title() const override { return tr("Picture"); }
    bool standsIn(Workspace workspace) const override { return workspace == Workspace::picture; }
    bool takes(const gpu::Family&) const override { return true; }
    bool followsFamily() const override { return true; }
    Primary primary() const override;
    void runPrimary() override { emit saveWanted(); }
    Docks docks() const override { return {.results = false, .source = false}; }
    ViewState* currentView() const override { return m_grid == nullptr ? nullptr : m_grid->currentViewState(); }
    QString viewText() const override { return {}; }  // the row below the picture has it
    QImage view() override { return grabPanes(); }
    bool settled() const override { return m_grid != nullptr && m_grid->settled() && !m_later.isActive(); }
    void restore(const QSettings& settings) override;
    void save(QSettings& settings) const override;

    PaneGrid* panes() const { return m_grid; }
    Shows shows() const { return m_shows; }
    void setShows(Shows shows);
    /// What all steps make; the picture itself where there are none. Null while it is being computed.
    std::shared_ptr<const io::Grid> result() const;
    /// The picture that the steps begin with.
    const Document::State& origin() const;
    /// "coffee median sharpen": after the picture and its steps.
    QString resultName() const;
    /// A crop becomes a step, of this part or at first of everything.
    void addCrop(const QRect& part = {});
    /// What the current view shows of the picture.
    QRect seen() const;
    /// Stands beside the page and beside the other views of its workspace; whoever shows it there owns it.
    StepsPanel* steps() const { return m_panel; }

signals:
    void saveWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QWidget* makeCrop();
    /// Of a step at hand that keeps a part of the picture; null: another one is.
    const gpu::Parameter* cropBox() const;
    void showCrop(const gpu::Parameter* box);
    QWidget* makeStrip();
    void makeCommands();
    PaneContent resultContent() const;
    /// What the wipe and Shift set against the result: the input, of which the steps may keep a part.
    PaneContent before(PaneContent input, const io::Grid* result);
    QImage grabPanes();
    void taskChanged(const Task& before, const Task& now);
    void followStep();
    void refresh();
    void moveWipe(double at);

    CompareSession& m_session;
    ViewState& m_view;
    StepsPanel* m_panel;
    PaneGrid* m_grid = nullptr;  ///< this and what follows are made when the page is first shown
    InspectorStrip* m_inspector = nullptr;
    RangeBar* m_range = nullptr;
    LiveTool* m_live = nullptr;
    QWidget* m_cropForm = nullptr;
    CropFrame* m_crop = nullptr;
    QComboBox* m_ratio = nullptr;
    QSpinBox *m_cropWidth = nullptr, *m_cropHeight = nullptr;
    bool m_holdsCrop = false;  ///< the frame takes the keys as soon as it is there
    std::vector<QPushButton*> m_modes;
    std::size_t m_placesBefore = 0;  ///< what is looked at while another page is shown
    Shows m_shows = Shows::result;
    Wipe m_wipe;
    ScaleBarOverlay m_scale;
    std::pair<std::shared_ptr<const io::Grid>, QRect> m_beforeOf;
    std::shared_ptr<const io::Grid> m_before;
    QTimer m_later;
};

}  // namespace warplens::gui
