// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/request_state.hpp"

#include <QWidget>

class QComboBox;

namespace warplens::gui {

/// How several devices that share what is iterated give each other its halos. Hidden where none are exchanged.
class HaloBox : public QWidget {
    Q_OBJECT
public:
    explicit HaloBox(RequestState& request, QWidget* parent = nullptr);

private:
    void refresh();
    RequestState& m_request;
    QComboBox* m_combo;
};

}  // namespace warplens::gui
