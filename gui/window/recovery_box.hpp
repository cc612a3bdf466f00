// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

namespace warplens::gui {

class SessionKeeper;

/// Asks whether a session that a crash left is wanted back. Deciding later keeps it.
class RecoveryBox : public QDialog {
    Q_OBJECT
public:
    RecoveryBox(SessionKeeper& keeper, const QString& lost, QWidget* window);
};

}  // namespace warplens::gui
