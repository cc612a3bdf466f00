// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPushButton>

namespace warplens::gui {

/// A flat button that says its key after its name, weaker: "Wipe  W".
class KeyButton : public QPushButton {
    Q_OBJECT
public:
    KeyButton(const QString& name, const QString& key, QWidget* parent = nullptr);
    /// The key written after the name; empty: none.
    void setKey(const QString& key);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name, m_key;
};

}  // namespace warplens::gui
