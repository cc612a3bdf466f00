// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

namespace warplens::gui {

/// The steps of a lesson in a row, numbered: those done ticked, the present one in accent.
class LessonSteps : public QWidget {
    Q_OBJECT
public:
    explicit LessonSteps(QStringList names, QWidget* parent = nullptr);
    /// From 0.
    void setCurrent(int step);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList m_names;
    int m_current = 0;
};

}  // namespace warplens::gui
