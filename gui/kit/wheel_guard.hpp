// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace warplens::gui {

/// A wheel that turns over a panel scrolls the panel, whatever lies under the cursor: a list of choices or a field of
/// numbers takes it only once it has the focus, and so does a slider in a panel that scrolls. Theme::install() makes
/// the only one.
class WheelGuard : public QObject {
    Q_OBJECT

public:
    /// Watches the whole application.
    explicit WheelGuard(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace warplens::gui
