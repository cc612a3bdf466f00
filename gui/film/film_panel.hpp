// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/film/film_clock.hpp"
#include "gui/film/film_export.hpp"
#include "gui/film/film_side.hpp"
#include "gui/picture/view_state.hpp"

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QSplitter;

namespace warplens::gui {

class SourceView;

/// A block's life, step by step: the picture with what its warps read and write, its shared memory by banks with the
/// barrier below, the source with the line of the step, and a lane a warp; or two variants' blocks, one over the other
/// on one axis of time. Space plays, Left and Right step, with Shift by phases, Up and Down choose a warp, Home and
/// End, 2 the second variant.
class FilmPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilmPanel(QWidget* parent = nullptr);
    FilmModel& model() { return m_first; }
    FilmModel& second() { return m_second; }
    FilmClock& clock() { return m_clock; }
    /// Who makes films; empty until it was handed in.
    void setMaker(const gpu::FilmMaker& maker) {
        m_first.setMaker(maker);
        m_second.setMaker(maker);
    }
    /// A kernel that the variant launches, and how often.
    struct Kernel {
        std::string name;
        int launches = 1;
        bool operator==(const Kernel&) const = default;
    };
    /// What is filmed.
    struct Task {
        std::optional<gpu::Request> request;
        const gpu::Variant* variant = nullptr;
        std::optional<gpu::Footprint> footprint;  ///< of its blocks
        QString source;                           ///< its text
        QString why;                              ///< why it cannot be, or empty
    };
    /// `kernels`: those of the variant as far as they are known, first the one that is filmed unless another is chosen.
    void setTask(const Task& task, const std::vector<Kernel>& kernels);
    /// Which variants may stand beside it, and what is asked for the task of one; `suggested` is the first choice.
    using TaskOf = std::function<Task(const std::string& id)>;
    void setOthers(const std::vector<const gpu::Variant*>& others, const std::string& suggested, TaskOf taskOf);
    /// In which the picture is shown.
    void setDisplay(const DisplayRange& range, ColourMap map);
    /// Shows the second variant beside the first, or the first alone.
    void setBoth(bool both);
    /// Asks where to, and writes the film as an animated PNG, or each step as a PNG of its own.
    void saveFilm(bool frames);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeTransport();
    void makeChoices(QWidget* strip, QBoxLayout* row);
    void refreshWhere();
    void refreshSource();
    void layOut();
    void setKernels(const std::vector<Kernel>& kernels);
    /// A kernel or a launch of it was chosen.
    void chooseLaunch();
    void refreshSecond();

    FilmModel m_first, m_second;
    FilmClock m_clock{m_first, m_second};
    ViewState* m_view;
    FilmSide m_one, m_other;
    QLabel* m_where;
    SourceView* m_source;
    QSplitter* m_columns;
    FilmExport m_export;
    Task m_task, m_beside;
    std::string m_file;  ///< whose text the source is
    QString m_text;
    std::vector<Kernel> m_kernels;
    TaskOf m_taskOf;
    QComboBox *m_kernel = nullptr, *m_others = nullptr;
    QSpinBox* m_launch = nullptr;
    QPushButton *m_play = nullptr, *m_sourceButton = nullptr, *m_both = nullptr, *m_save = nullptr;
    QLabel* m_speed = nullptr;
};

}  // namespace warplens::gui
