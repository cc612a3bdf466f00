// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QDialog>
#include <QList>

namespace warplens::gui {

/// Keys, made from the actions there are, and short answers. Never modal.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    HelpWindow(const QList<QAction*>& actions, const QString& whyNoGpu, QWidget* parent);
};

/// Name, version, licence. Never modal.
class AboutWindow : public QDialog {
    Q_OBJECT
public:
    explicit AboutWindow(QWidget* parent);
};

}  // namespace warplens::gui
