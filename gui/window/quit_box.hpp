// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

namespace warplens::gui {

/// Asks whether what lies in no file may be lost.
class QuitBox : public QDialog {
    Q_OBJECT
public:
    /// `lost`: what that is, in a few words.
    QuitBox(const QString& lost, QWidget* window);

signals:
    void saveWanted();
    void quitWanted();
};

}  // namespace warplens::gui
