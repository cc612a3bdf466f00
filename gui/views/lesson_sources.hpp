// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/theme/glyphs.hpp"

#include <QWidget>
#include <vector>

namespace warplens::gui {

/// Where the numbers of a lesson's chart come from, a line an origin, each with its glyph; or why there are none. In
/// projector size, whether its mode is on or not.
class LessonSources : public QWidget {
    Q_OBJECT
public:
    explicit LessonSources(QWidget* parent = nullptr);
    /// Empty words leave their line out.
    void setSources(const QString& recorded, const QString& counted);
    void setProblem(const QString& problem);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Line {
        QString words;
        Origin origin;
    };
    void say(const QString& all);
    std::vector<Line> m_lines;
    QString m_problem;
};

}  // namespace warplens::gui
