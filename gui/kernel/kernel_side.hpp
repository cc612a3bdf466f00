// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kernel/kernel_file.hpp"
#include "gui/picture/listing_table.hpp"
#include "gui/session/compare_session.hpp"

#include <QTimer>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace warplens::gui {

class KernelText;

/// Beside the text that is written: what changed since a version, and what the compiler made of both, PTX or SASS, each
/// instruction linked to its source line both ways.
class KernelSide : public QWidget {
    Q_OBJECT
public:
    KernelSide(CompareSession& session, const KernelFile& file, KernelText* text, QWidget* parent);
    /// Who lists texts; empty until it was handed in: then nothing is listed.
    void setMaker(gpu::user::ListingMaker maker) { m_maker = std::move(maker); }
    /// A button that shows and hides this.
    QToolButton* makeButton(QWidget* parent);
    bool busy() const { return m_pair.busy() || m_pause.isActive(); }

signals:
    /// By its button.
    void shown(bool on);

private:
    enum class View { changes, ptx, sass };

    void setView(View view);
    void fillVersions();
    /// Of the chosen version; empty: none.
    QString then() const;
    void demand();
    void ask(ListingPair::Listed& listed, const QString& text);
    void refresh();
    void refreshChanges();

    CompareSession& m_session;
    const KernelFile& m_file;
    KernelText* m_text;
    gpu::user::ListingMaker m_maker;
    View m_view = View::changes;
    QComboBox* m_versions;
    QPushButton* m_restore;
    QPlainTextEdit* m_changes;
    QLabel *m_said, *m_figures;
    ListingTable *m_thenTable, *m_nowTable;
    QTimer m_pause;
    ListingPair m_pair;  ///< last
};

}  // namespace warplens::gui
