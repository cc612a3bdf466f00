// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_row.hpp"

#include "gpu/user/source.hpp"
#include "gui/kit/form.hpp"

#include <utility>

namespace warplens::gui {

KernelRow::KernelRow(CompareSession& session, const KernelFile& file, QWidget* parent)
    : QToolButton(parent), m_session(session), m_file(file) {
    setWidgetText(this,
                  {.id = "kernel-row",
                   .name = tr("In the comparison"),
                   .tip = tr("Puts this kernel below the ladder, as a row and a pane of Compare like any variant, "
                             "or takes it out again.")});
    setText(tr("In the comparison"));
    setLook(this, "flat");
    setCheckable(true);
    connect(this, &QToolButton::clicked, this, &KernelRow::toggle);
    connect(&file, &KernelFile::fileChanged, this, [this] {
        refresh();
        if (isChecked() && !m_file.changed()) add();
    });
    connect(&session.request(), &RequestState::taskChanged, this, &KernelRow::refresh);
    refresh();
}

std::string KernelRow::id() const {
    try {
        return gpu::user::parseSource(m_file.name().toStdString(), m_file.text().toStdString()).variant.id;
    } catch (const gpu::Error&) {
        return {};
    }
}

void KernelRow::refresh() {
    if (std::exchange(m_text, m_file.text()) != m_file.text() ||
        std::exchange(m_name, m_file.name()) != m_file.name()) {
        if (const std::string now = id(); !now.empty()) m_id = now;
    }
    setChecked(m_session.variants().kernel(m_id) != nullptr);
}

void KernelRow::add() {
    const QString path = m_file.path().isEmpty() ? m_file.name() : m_file.path();
    try {
        m_session.variants().addKernel(path.toStdString(), m_file.text().toStdString(),
                                       !m_file.path().isEmpty() && !m_file.changed());
    } catch (const gpu::Error& error) {
        m_session.activity().report(QString::fromUtf8(error.what()));
    }
}

void KernelRow::follow() {
    if (m_session.variants().kernel(m_id) != nullptr) add();
}

void KernelRow::toggle() {
    if (m_session.variants().kernel(m_id) != nullptr) {
        m_session.variants().remove(m_id);
        m_session.activity().note(tr("%1 was taken out of the comparison").arg(QString::fromStdString(m_id)));
    } else if (m_session.parameters().family() != nullptr) {
        add();
        if (m_session.variants().kernel(m_id) != nullptr)
            m_session.activity().note(
                tr("%1 stands below the ladder: F5 on Compare compares").arg(QString::fromStdString(m_id)));
    }
    refresh();
}

}  // namespace warplens::gui
