// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/compare_session.hpp"

#include <QWidget>

class QComboBox;
class QHBoxLayout;

namespace warplens::gui {

/// Where kernels run, and what that device is, each figure with its origin.
class DeviceBox : public QWidget {
    Q_OBJECT
public:
    explicit DeviceBox(CompareSession& session, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void indent();
    void refreshList();
    void refreshFacts();
    CompareSession& m_session;
    QComboBox* m_combo;
    QWidget* m_facts = nullptr;
};

}  // namespace warplens::gui
