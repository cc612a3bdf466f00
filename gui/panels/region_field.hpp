// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace warplens::gui {

/// A text parameter "X,Y,W,H" as a choice: the whole picture, or a rectangle that is typed here or drawn elsewhere.
class RegionField : public QWidget {
    Q_OBJECT
public:
    explicit RegionField(const gpu::Parameter& parameter, QWidget* parent = nullptr);
    void setText(const QString& text);
    QComboBox* choice() const { return m_choice; }

signals:
    void edited(const QString& text);

private:
    QComboBox* m_choice;
    QLineEdit* m_rectangle;
};

}  // namespace warplens::gui
