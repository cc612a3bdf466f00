// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <QWidget>

class QPushButton;

namespace warplens::gui {

/// A parameter that is a picture: the file's name, which opens a dialog, and Clear. It reads nothing itself.
class PictureField : public QWidget {
    Q_OBJECT
public:
    explicit PictureField(const gpu::Parameter& parameter, QWidget* parent = nullptr);
    /// The name it was read from; empty: none.
    void setName(const QString& name);
    QPushButton* button() const { return m_choose; }

signals:
    void chosen(const QString& path);
    void cleared();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose();
    void elide();

    QPushButton *m_choose, *m_clear;
    QString m_title, m_name;
};

}  // namespace warplens::gui
