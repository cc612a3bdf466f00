// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/measure.hpp"

#include <QPainter>
#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

namespace warplens::gui {

/// Numbers of a lesson over a parameter, a line a variant.
struct LessonLines {
    struct Series {
        QString name;
        gpu::Idea idea{};
        std::vector<gpu::LessonValue> values;  ///< one for each of `at`
    };
    QString parameter;       ///< "radius"
    std::vector<double> at;  ///< ascending
    std::vector<Series> series;
};

/// Those of the measures of one figure that make lines: recorded numbers of at least two variants, each at the same
/// three or more values of one parameter. Nothing otherwise: then they are bars.
std::optional<LessonLines> linesOf(const gpu::Lesson& lesson, const std::string& figure,
                                   const gpu::LessonValues& values);

/// Where the first of two lines passes the second for good, in units of the parameter: between the last value at which
/// one is below by its interval and the first at which the other is. Nothing for more or fewer lines, or when none
/// passes.
struct LessonCrossing {
    double at;
    std::size_t before, after;  ///< the series that is lower on either side
};
std::optional<LessonCrossing> crossingOf(const LessonLines& lines);

/// Axes from 0, points with their numbers and shapes, names at the lines' ends, the crossing dashed; in projector size.
void paintLines(QPainter& painter, const QRectF& area, const LessonLines& lines);

/// The numbers of a lesson in projector size, one scale a figure: lines over a parameter where there are enough of
/// them, else bars from zero with label, colour of the variant's idea, number and origin.
class LessonChart : public QWidget {
    Q_OBJECT
public:
    explicit LessonChart(QWidget* parent = nullptr);
    void setValues(const gpu::Lesson& lesson, const gpu::LessonValues& values);
    QSize minimumSizeHint() const override { return {400, 200}; }
    QSize sizeHint() const override { return {700, 500}; }

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
