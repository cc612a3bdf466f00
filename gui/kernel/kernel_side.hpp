// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/user/listing.hpp"
#include "gui/kernel/kernel_file.hpp"
#include "gui/kit/derived.hpp"
#include "gui/session/compare_session.hpp"

#include <QTimer>
#include <QWidget>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace warplens::gui {

class KernelText;
class ListingTable;

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
    bool busy() const { return m_now.busy() || m_then.busy() || m_pause.isActive(); }

signals:
    /// By its button.
    void shown(bool on);

private:
    enum class View { changes, ptx, sass };
    struct Key {
        std::string path, text, family;
        gpu::ParameterValues parameters;
        std::shared_ptr<const io::Grid> input;
        int capability = 0;
        bool operator==(const Key&) const = default;
    };
    using Listed = Derived<Key, gpu::user::Listings>;

    void setView(View view);
    void fillVersions();
    /// Of the chosen version; empty: none.
    QString then() const;
    void demand();
    void ask(Listed& listed, const QString& text);
    void refresh();
    void refreshChanges();
    void refreshListings();
    /// Marks the instructions of the line that is written in, and scrolls to the first.
    void followLine();

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
    Listed m_now, m_then;  ///< last
};

}  // namespace warplens::gui
