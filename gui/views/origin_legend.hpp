// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QToolButton;

namespace warplens::gui {

/// The five origin glyphs with their words, always in the status bar; folds into one button when the window is narrow.
class OriginLegend : public QWidget {
    Q_OBJECT

public:
    explicit OriginLegend(QWidget* parent = nullptr);
    void setFolded(bool folded);
    bool folded() const { return m_folded; }

private:
    QWidget* m_open;
    QToolButton* m_button;
    bool m_folded = false;
};

}  // namespace warplens::gui
