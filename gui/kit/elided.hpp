// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStringList>

namespace warplens::gui {

/// A line of text that ends in an ellipsis where there is no room; the whole of it is the tooltip. It takes what room
/// is left, unless its size policy is changed: then it asks for the whole text's.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    /// That of the shortest words.
    QSize minimumSizeHint() const override;
    void setFullText(const QString& text);
    /// Before letters go, shorter words are tried, the longest first; the last may be none at all.
    void setFullText(const QString& text, const QStringList& shorter);
    /// Names of files give way in the middle.
    void setElideMode(Qt::TextElideMode mode) {
        m_mode = mode;
        elide();
    }

private:
    void elide();
    QString m_full;
    QStringList m_shorter;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

/// A combo box whose text gives way in the middle where it is narrow: for names of files.
class ElidedBox : public QComboBox {
    Q_OBJECT
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace warplens::gui
