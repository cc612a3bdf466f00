// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace warplens::gui {

/// A line of text that ends in an ellipsis where there is no room; the whole of it is the tooltip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setFullText(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();
    QString m_full;
};

}  // namespace warplens::gui
