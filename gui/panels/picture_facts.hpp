// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/document.hpp"

#include <QWidget>

class QLabel;

namespace warplens::gui {

/// The open picture: a thumbnail, its name and what it is.
class PictureFacts : public QWidget {
    Q_OBJECT
public:
    explicit PictureFacts(Document& document, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void elide();
    Document& m_document;
    QLabel* m_thumbnail;
    QLabel* m_name;
    QLabel* m_facts;
};

}  // namespace warplens::gui
