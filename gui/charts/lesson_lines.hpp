// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/measure.hpp"

#include <QPainter>
#include <QString>
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

}  // namespace warplens::gui
