// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/document.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace warplens::gui {

/// The open picture: a thumbnail, its name and what it is; and where its file or folder holds several, which one.
class PictureFacts : public QWidget {
    Q_OBJECT
public:
    explicit PictureFacts(Document& document, QWidget* parent = nullptr);

signals:
    /// The user wants another frame or series of the same input.
    void choiceWanted(const ReadChoice& choice);

private:
    void refresh();
    void showThumbnail();
    void makeChoices();
    void refreshChoices();
    void choose();
    void elide();
    Document& m_document;
    QLabel* m_thumbnail;
    QLabel* m_name;
    QLabel* m_facts;
    QWidget* m_choices;
    QLabel *m_frameLabel, *m_frameCount, *m_seriesLabel;
    QSpinBox* m_frame;
    QComboBox* m_series;
    int m_seriesRead = 0;  ///< row of the series that was read
};

}  // namespace warplens::gui
