// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/measure.hpp"

#include <QWidget>
#include <vector>

namespace warplens::gui {

/// The numbers of a lesson as bars from zero, one scale a figure, in projector size: label, bar in the colour of the variant's
/// idea, number with its origin.
class LessonChart : public QWidget {
    Q_OBJECT
public:
    explicit LessonChart(QWidget* parent = nullptr);
    void setValues(const gpu::Lesson& lesson, const gpu::LessonValues& values);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

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
        double most = 0;
    };
    std::vector<Group> m_groups;
};

}  // namespace warplens::gui
