// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"

#include <QWidget>

class QLabel;

namespace warplens::gui {

class ParameterForm;
class VariantList;

/// Left dock: the picture, what is done to it, where, and by which variants.
class TaskPanel : public QWidget {
    Q_OBJECT
public:
    explicit TaskPanel(CompareSession& session, QWidget* parent = nullptr);

signals:
    void refused(const QString& why);

private:
    QWidget* familyTabs();
    void countVariants();
    CompareSession& m_session;
    QLabel* m_count;
};

}  // namespace warplens::gui
