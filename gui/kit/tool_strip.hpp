// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/metrics.hpp"

#include <QPushButton>
#include <QWidget>
#include <vector>

class QAction;
class QHBoxLayout;
class QToolButton;

namespace warplens::gui {

/// A flat button that says its key after its name, weaker: "Wipe  W".
class KeyButton : public QPushButton {
    Q_OBJECT
public:
    KeyButton(const QString& name, const QString& key, QWidget* parent = nullptr);
    /// The key written after the name; empty: none.
    void setKey(const QString& key);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name, m_key;
};

/// The line of tools above the panes. Where it is too narrow, tools fold into a menu at its end, the last ones first.
class ToolStrip : public QWidget {
    Q_OBJECT
public:
    explicit ToolStrip(QWidget* parent = nullptr);
    /// A tool on the left; `whenFolded` stands for it in the menu. Without one it never folds.
    void addTool(QWidget* tool, QAction* whenFolded = nullptr);
    /// A button on the left, in the menu an entry of its text that clicks it.
    void addButton(QAbstractButton* button);
    /// On the right; never folds.
    void addRight(QWidget* widget);
    QSize minimumSizeHint() const override { return {widthWith(0), kStripHeight}; }

protected:
    bool event(QEvent* event) override;

private:
    void fold();
    int widthWith(std::size_t unfolded) const;

    struct Tool {
        QWidget* widget;
        QAction* whenFolded;
    };
    QHBoxLayout* m_row;
    std::vector<Tool> m_tools;
    std::vector<QWidget*> m_right;
    QToolButton* m_more;
};

}  // namespace warplens::gui
