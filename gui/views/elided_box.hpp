// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

namespace warplens::gui {

/// A combo box whose text gives way in the middle where it is narrow: for names of files.
class ElidedBox : public QComboBox {
    Q_OBJECT
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace warplens::gui
