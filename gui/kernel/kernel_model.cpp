// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_model.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/user/full_form.hpp"
#include "gpu/user/source.hpp"
#include "gpu/user/starting_file.hpp"
#include "gui/session/kernel_source.hpp"

#include <algorithm>

namespace warplens::gui {

KernelModel::KernelModel(RequestState& request, RunControl& control, KernelFile& file, Activity& activity,
                         QObject* parent)
    : QObject(parent), m_request(request), m_control(control), m_file(file), m_activity(activity) {
    activity.watch(m_jobs);
    connect(&activity, &Activity::cancelled, &m_jobs, &JobRunner::cancel);
    connect(&m_jobs, &JobRunner::busyChanged, this, &KernelModel::changed);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &KernelModel::start);
    connect(&file, &KernelFile::fileChanged, this, &KernelModel::textChanged);
    connect(&request, &RequestState::taskChanged, this, &KernelModel::taskChanged);
    connect(&request.document(), &Document::changed, this, [this] {
        m_shown.reset();  // it is of another picture, whose range of values it has
        taskChanged();
    });
}

void KernelModel::setSeen(bool seen) {
    m_seen = seen;
    if (!seen) {
        m_due = m_due || busy();
        m_pause.stop();
        m_jobs.discard();
    } else if (m_due) {
        m_pause.start();
    }
}

void KernelModel::textChanged() {
    const bool same = std::exchange(m_text, m_file.text()) == m_file.text();
    if (std::exchange(m_name, m_file.name()) != m_file.name() || !same) {
        m_tunables.clear();
        try {
            const auto source = gpu::user::parseSource(m_name.toStdString(), m_text.toStdString());
            m_tunables = source.variant.tunables;
            m_row = source.variant.id;
        } catch (const gpu::Error&) {
            // Half typed; compiling says what is missing.
        }
    }
    if (!m_file.changed()) followComparison();
    if (same) return emit changed();
    demand();
}

void KernelModel::demand() {
    m_due = true;
    m_jobs.discard();
    if (m_seen) m_pause.start();
    emit changed();
}

void KernelModel::taskChanged() {
    m_taskMoved = true;
    demand();
}

void KernelModel::run() {
    m_due = true;
    start();
}

bool KernelModel::older() const { return m_shown && (m_taskMoved || m_shown->text != m_file.text().toStdString()); }

std::optional<QPoint> KernelModel::wrongPixel() const {
    const auto wrong = m_tried.wrong();
    return wrong ? std::optional(QPoint(wrong->at[0], wrong->at[1])) : std::nullopt;
}

QString KernelModel::wrongValue() const {
    const auto wrong = m_tried.wrong();
    return wrong ? QString::fromStdString(wrong->value) : QString();
}

void KernelModel::refuse(const QString& why) {
    m_tried = {.refusal = why.toStdString()};
    emit changed();
}

void KernelModel::start() {
    m_pause.stop();
    if (m_file.text().trimmed().isEmpty()) return;
    m_due = false;
    if (!m_request.variants().maker()) return refuse(tr("This build runs no kernels of yours."));
    if (!m_request.ready()) {
        m_due = true;  // a picture or a device is on its way
        return refuse(tr("Open a picture for the kernel to work on."));
    }
    gpu::Request request = m_request.make({}, false);
    request.beside.clear();
    m_tried.refusal.clear();
    m_jobs.start(
        this,
        [request, maker = m_request.variants().maker(), &runner = m_control.runner(), path = m_file.place(),
         text = m_file.text().toStdString()](const JobContext& context) {
            return gpu::user::attempt(request, maker, path, text, runner, context.stop());
        },
        [this](JobResult<gpu::user::Attempt> result) {
            if (result) return take(result.value());
            m_tried.refusal = (result.cancelled() ? tr("Stopped. Ctrl+Enter runs it again.") : result.failure().message)
                                  .toStdString();
            emit changed();
        });
    emit changed();
}

void KernelModel::take(const gpu::user::Attempt& tried) {
    m_tried = tried;
    if (tried.record && tried.record->result.picture != nullptr) {
        m_shown = tried;
        m_taskMoved = false;
    }
    if (*tried.state() != '\0') m_file.keep(QString::fromUtf8(tried.state()));
    emit changed();
}

QString KernelModel::withTunable(const std::string& id, int value) const {
    const auto tunable = std::ranges::find(m_tunables, id, &gpu::Tunable::id);
    return QString::fromStdString(gpu::user::withTunable(m_file.text().toStdString(), *tunable, value));
}

QString KernelModel::startingFile(bool plain) {
    if (!m_request.ready()) {
        m_activity.report(tr("Open a picture first, for the kernel to work on."));
        return {};
    }
    const gpu::Family& family = *m_request.parameters().family();
    const gpu::ParameterValues values = m_request.parameters().shaping();
    try {
        const auto problem = family.pose(gpu::user::partForCpu(m_request.document().grid()), values);
        return QString::fromStdString(gpu::user::startingFile(
            family, *problem, values, plain ? gpu::user::Start::plain : gpu::user::Start::copy));
    } catch (const gpu::Error& error) {
        m_tried.refusal = error.what();
        emit changed();
        return {};
    }
}

QString KernelModel::copyOfVariant() {
    try {
        const gpu::Family& family = *m_request.parameters().family();
        const gpu::Variant& variant = gpu::variantOf(family, gpu::variantIn(m_request.current()));
        return QString::fromStdString(gpu::user::copyOf(family, variant, kernelSource(variant).toStdString()));
    } catch (const gpu::Error& error) {
        m_activity.report(QString::fromUtf8(error.what()));
        return {};
    }
}

void KernelModel::followComparison() {
    if (inComparison()) addRow();
}

void KernelModel::addRow() {
    try {
        m_request.variants().addKernel(m_file.place(), m_file.text().toStdString(),
                                       !m_file.path().isEmpty() && !m_file.changed());
    } catch (const gpu::Error& error) {
        m_activity.report(QString::fromUtf8(error.what()));
    }
}

void KernelModel::toggleComparison() {
    const QString row = QString::fromStdString(m_row);
    if (inComparison()) {
        m_request.variants().remove(m_row);
        m_activity.note(tr("%1 was taken out of the comparison").arg(row));
    } else if (m_request.parameters().family() != nullptr) {
        addRow();
        if (inComparison()) m_activity.note(tr("%1 stands below the ladder: F5 on Compare compares").arg(row));
    }
    emit changed();
}

}  // namespace warplens::gui
