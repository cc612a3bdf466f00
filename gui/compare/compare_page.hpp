// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/box_reads.hpp"
#include "gui/picture/figures_rows.hpp"
#include "gui/picture/line_profile.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/seen_frame.hpp"
#include "gui/picture/wipe.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/difference_model.hpp"
#include "gui/session/reference_model.hpp"

#include <QKeySequence>
#include <QList>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

class QAction;
class QPushButton;
class QToolButton;

namespace warplens::gui {

class ColourMapButton;
class ImageView;
struct LiveFrame;
class DifferencePanel;
class FiguresView;
class InspectorStrip;
class Lens;
class Magnifier;
class ProfilePanel;
class PaneGrid;
class RangeBar;
struct ResultKind;
class SessionNotice;
class TilesOverlay;
class ViewState;

/// Input and results side by side: tool strip, notice, the panes and the inspector. Its commands are its actions(),
/// whose keys work while the page is shown.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(CompareSession& session, QWidget* parent = nullptr);
    ~ComparePage() override;

    PaneGrid* panes() const { return m_grid; }
    QString id() const override;
    QString title() const override;
    bool takes(const gpu::Family&) const override { return true; }
    ViewState* currentView() const override;
    bool linked() const override;
    void setLinked(bool linked) override;
    QImage view() override;
    bool settled() const override;
    void restore(const QSettings& settings) override;
    void save(QSettings& settings) const override;
    QJsonObject sessionView() const override;
    void setSessionView(const QJsonObject& view) override;
    /// Panes in all: 1 to 6.
    int paneCount() const { return m_paneCount; }
    void setPaneCount(int count);
    const DifferenceModel& difference() const { return m_difference; }
    const ReferenceModel& doubleReference() const { return m_exact; }
    /// Shows a pixel, large enough to be seen, under the cursor.
    void goTo(PixelPlace place);

signals:
    void paneCountChanged(int count);
    void figuresShown();  ///< or hidden again

private:
    static QString layoutName(int panes);
    QWidget* makeStrip();
    QPushButton* keyButton(QAction* action, const QString& name);
    void makeActions();
    void makeResultActions();
    void nameSnapshots();
    /// Blocks over every pane, while they are switched on.
    void placeTiles();
    void placeBox();
    /// What is painted, over every pane.
    void placePaint();
    QWidget* makeRegionStrip();
    QWidget* makeRecipeStrip();
    void makeRecipeActions();
    void goToRow(const RowPlace& place);
    /// Goes where its rows lie, says what it wrote.
    void follow(FiguresView& figures);
    const Lens& lens() const;
    /// Of what the task makes; nothing: values as the picture's.
    std::optional<ResultKind> resultKind() const;
    /// Names the nine keys after what they stand for.
    void nameChoices();
    void choose(int number);
    /// Puts the wipe line into the current pane, or takes it away from there.
    void toggleWipe();
    void placeWipe();
    void moveWipe(double at);
    void turnWipe();
    /// Range and colours act on the current pane's view.
    void bindDisplay();
    /// The last pane shows a difference, with its figures beside the panes.
    void setDifference(bool on);
    /// The key of what the difference subtracts from the current result.
    std::string subtrahend() const;
    void followDevice();
    void feedDifference();
    /// A pane shows the double reference.
    void setExactPane(bool on);
    /// Whether anything here is made of the double reference.
    bool exactWanted() const;
    PaneContent exactContent() const;
    void makeProfileActions();
    void setProfiling(bool on);
    /// The row or the column of the pixel under the cursor, or else of the middle.
    void putLine(Qt::Orientation along);
    void drawLine(QPoint from, QPoint to);
    /// The line over every pane, and the values along it.
    void placeProfile();
    void askForPlace();
    /// What stands beside the panes: the difference's figures, the magnifier.
    QWidget* makeSide();
    void showFigures();
    PaneContent differenceContent() const;
    /// How the current result's pane looks at it; null: not at all.
    std::shared_ptr<const gpu::render::Display> lookedAt();
    void showFrame(const LiveFrame& frame);
    void releaseFrame();
    ImageView* resultView() const;
    void refresh();
    void chooseByPane(int index);
    PaneContent content(const std::string& variant) const;
    PaneContent inputContent() const;
    PaneContent referenceContent() const;

    CompareSession& m_session;
    PaneGrid* m_grid;
    SessionNotice* m_notice;
    InspectorStrip* m_inspector;
    RangeBar* m_range;
    QPushButton* m_link;
    QToolButton* m_layoutButton;
    ColourMapButton* m_colours;
    DifferenceModel m_difference;
    ReferenceModel m_exact;
    DifferencePanel* m_differencePanel;
    Magnifier* m_magnifier;
    ProfilePanel* m_profile;
    FiguresView* m_figures;  ///< what comes with the current result's picture
    QAction *m_wipeAction = nullptr, *m_differenceAction = nullptr, *m_exactAction = nullptr,
            *m_magnifyAction = nullptr, *m_profileAction = nullptr, *m_tilesAction = nullptr,
            *m_regionsAction = nullptr;
    QList<QAction*> m_choose, m_refer, m_snapshotActions;
    std::vector<std::unique_ptr<TilesOverlay>> m_tiles;  ///< one a pane
    BoxReadsOverlay m_box;                               ///< the same in all
    std::optional<ProfileLine> m_line;
    LineOverlay m_lineOverlay;  ///< the same in all
    bool m_lineShown = false;
    QString m_wipeKey;  ///< the pane with the wipe line; empty: none
    Wipe m_wipe;
    QTimer m_later;
    /// How the current result is looked at, and by which view.
    struct Look {
        QPointer<ImageView> view;
        std::shared_ptr<const io::Grid> picture;
        io::Shape shape;
        RenderRequest request;
        QPoint at;
        std::shared_ptr<const gpu::render::Display> display;
    };
    Look m_look;
    int m_paneCount = 4;
    bool m_showing = false;
    bool m_inputChosen = false;  ///< the current pane is the input's
    bool m_inputAlone = false;   ///< the only pane shows the input
};

}  // namespace warplens::gui
