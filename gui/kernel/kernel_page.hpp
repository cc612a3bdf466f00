// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kernel/exercise_model.hpp"
#include "gui/kernel/kernel_file.hpp"
#include "gui/kernel/kernel_model.hpp"
#include "gui/picture/outline.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/compare_session.hpp"

#include <cstddef>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QMenu;
class QToolButton;

namespace warplens::gui {

class ElidedLabel;
class InspectorStrip;
class KernelSide;
class KernelText;
class OriginMark;
class PaneGrid;
class StatusMark;

/// A kernel of the user's, written beside the picture that it makes: compiled and run while one types, verified like
/// any variant, with what is wrong at its line and at its pixel.
class KernelPage : public Page {
    Q_OBJECT
public:
    /// Shares slice, range and colours with the pages that `view` belongs to.
    KernelPage(CompareSession& session, ViewState& view, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("kernel"); }
    QString title() const override { return tr("Kernel"); }
    bool takes(const gpu::Family&) const override { return true; }
    bool followsFamily() const override { return true; }
    /// An exercise brings its task, which stands in the place of the dock.
    Docks docks() const override {
        return {.results = false, .source = false, .task = m_exercises.exercise() == nullptr};
    }
    Primary primary() const override;
    void runPrimary() override { m_model.run(); }
    ViewState* currentView() const override;
    QImage view() override { return grab().toImage(); }
    bool settled() const override;
    void restore(const QSettings& settings) override;
    void save(QSettings& settings) const override { m_exercises.save(settings); }

    KernelModel& model() { return m_model; }
    KernelFile& file() { return m_file; }
    ExerciseModel& exercises() { return m_exercises; }
    /// Who makes kernels of texts, for all that is run here.
    void setMaker(const gpu::KernelMaker& maker) { m_model.setMaker(maker); }
    KernelSide& side() { return *m_side; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeStrip();
    QWidget* makeEditor();
    QWidget* makePicture(ViewState& view);
    void makeCommands();
    void begin(const QString& text);
    void beginWhereEmpty();
    void open();
    void saveFile(bool asAnother);
    void handIn();
    void fillVersions(QMenu& menu);
    void refresh();
    void refreshTunables();
    void refreshProblems();
    void refreshState();
    void goToProblem(int step);
    void goToLineOf(const QListWidgetItem* problem);
    QString stateText() const;

    CompareSession& m_session;
    std::size_t m_places = 0;  ///< variants that are looked at while another page is shown
    KernelFile m_file;
    KernelModel m_model;
    ExerciseModel m_exercises;
    KernelText* m_text;
    QWidget *m_tunables = nullptr, *m_older = nullptr;
    ElidedLabel* m_name = nullptr;
    QToolButton* m_row = nullptr;
    KernelSide* m_side = nullptr;
    QListWidget* m_problems = nullptr;
    PaneGrid* m_grid = nullptr;
    InspectorStrip* m_inspector = nullptr;
    StatusMark* m_mark = nullptr;
    QLabel *m_state = nullptr, *m_time = nullptr;
    OriginMark* m_origin = nullptr;
    BoxTag m_wrong{BoxTag::Box::drawn};
    std::vector<gpu::Tunable> m_fields;  ///< those that m_tunables has
};

}  // namespace warplens::gui
