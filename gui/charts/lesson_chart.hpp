// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/measure.hpp"
#include "gui/charts/lesson_lines.hpp"

#include <QWidget>
#include <vector>

namespace warplens::gui {

/// The numbers of a lesson in projector size, one scale a figure: lines over a parameter where there are enough of
/// them, else bars from zero with label, colour of the variant's idea, number and origin.
class LessonChart : public QWidget {
    Q_OBJECT
public:
    explicit LessonChart(QWidget* parent = nullptr);
    void setValues(const gpu::Lesson& lesson, const gpu::LessonValues& values);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

    /// How many figures stand as lines.
    int lines() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Bar {
        QString label;
        gpu::LessonValue value;
        std::optional<gpu::Idea> idea;
    };
    struct Group {
        QString title;
        std::vector<Bar> bars;
        std::optional<LessonLines> lines{};  ///< then there are no bars
        double most = 0;
    };
    std::vector<Group> m_groups;
};

}  // namespace warplens::gui
