// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/film/film_panel.hpp"
#include "gui/picture/overlays.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/tiles_overlay.hpp"
#include "gui/why/crossover_model.hpp"
#include "gui/why/warp_model.hpp"

#include <QList>
#include <array>
#include <map>
#include <memory>

class QPushButton;
class QSplitter;

namespace warplens::gui {

class NoticeBar;
class Pane;
class WhyText;

/// Why the variants of the ladder differ: counts of every variant, drawn on the picture, in the source and in one warp.
class WhyPage : public Page {
    Q_OBJECT
public:
    /// `compare`: whose range and colour map the picture is shown with.
    WhyPage(RequestState& request, Results& results, RunControl& control, Activity& activity, const ViewState& compare,
            QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("why"); }
    QString title() const override { return tr("Why"); }
    bool takes(const gpu::Family&) const override { return true; }
    bool followsFamily() const override { return true; }
    Docks docks() const override { return {.results = false, .source = false, .task = false}; }
    Primary primary() const override;
    void runPrimary() override;
    ViewState* currentView() const override { return m_view; }
    QString viewText() const override;
    bool settled() const override;
    bool compareSources(const std::string& against) override;

    WhyModel& model() { return m_model; }
    WarpModel& warp() { return m_warp; }
    Pane* picturePane() const { return m_picture; }
    const TilesOverlay& tiles() const { return m_tiles; }
    CrossoverModel& sweeps() { return m_sweeps; }
    FilmModel& film() { return m_film->model(); }
    /// Its maker of films is handed in.
    FilmPanel& filmPanel() { return *m_film; }
    /// What stands below the ladder: the picture with one variant's source, the film of a block, two sources side by
    /// side, what the compiler made of one, or who wins where.
    enum class Part { picture, film, sources, compiler, crossover };
    Part part() const { return m_part; }
    void setPart(Part part);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makePicture();
    /// A button and the command it stands for.
    struct Tool {
        QPushButton* button;
        QAction* action;
    };
    Tool makeTool(const char* name, const QString& text, const QString& command, const QString& tip,
                  const QKeySequence& key, bool checkable);
    QWidget* makeTools();
    QWidget* makeWhy();
    void refreshText();
    QWidget* makeParts();
    /// In a narrow window the parts leave their room to the ladder.
    void fitParts();
    /// The picture's part as it is at first.
    void layOutPicture();
    void refreshPicture();
    void refreshTiles();
    void showBlock();
    void refreshFilm();
    FilmPanel::Task filmOf(const std::string& id) const;
    void makeFilmCommands();
    QString note() const;

    RequestState& m_request;
    const ViewState& m_compareView;
    WhyModel m_model;
    WarpModel m_warp;
    CrossoverModel m_sweeps;
    ViewState* m_view;
    QWidget* m_ladder;
    NoticeBar* m_notice;
    Pane* m_picture;
    QWidget *m_heat, *m_warpPanel, *m_moved;
    WhyText* m_text;
    FilmPanel* m_film;
    QWidget *m_sources, *m_compiler, *m_crossover;
    std::map<Part, QAction*> m_partActions;
    Part m_part = Part::picture;
    QSplitter *m_columns, *m_left, *m_middle;
    QAction* m_tilesAction = nullptr;
    QPushButton* m_mapButton = nullptr;
    std::array<QList<int>, 3> m_splits;  ///< sizes of these as the picture's part was left
    TilesOverlay m_tiles;
    std::unique_ptr<ColourLegend> m_legend;
    bool m_placed = false, m_sized = false;
};

}  // namespace warplens::gui
