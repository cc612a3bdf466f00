// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kernel/kernel_file.hpp"
#include "gui/session/compare_session.hpp"

#include <QToolButton>

namespace warplens::gui {

/// Puts the kernel that is written below the family's ladder, as a row of every comparison, and takes it out again.
/// While it stands there the row has the text as it was when it was saved, or its page left.
class KernelRow : public QToolButton {
    Q_OBJECT
public:
    KernelRow(CompareSession& session, const KernelFile& file, QWidget* parent);
    /// Gives the row the present text. One that holds no kernel leaves the row as it is, and that is said.
    void follow();

private:
    void toggle();
    void refresh();
    /// Of the row that the present text would have; empty while none can be read.
    std::string id() const;
    /// Adds the present text; says why not.
    void add();

    CompareSession& m_session;
    const KernelFile& m_file;
    std::string m_id;  ///< of the last text that held a kernel
    QString m_text, m_name;
};

}  // namespace warplens::gui
