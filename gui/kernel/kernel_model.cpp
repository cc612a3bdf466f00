// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_model.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/user/full_form.hpp"
#include "gpu/user/source.hpp"
#include "gpu/user/starting_file.hpp"
#include "gui/session/kernel_source.hpp"
#include "io/crop.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

/// Sides of what is computed on the CPU, whose emulator checks every access.
constexpr std::int64_t kCpuSide = 512;

/// As much of the picture as the CPU device is given.
std::shared_ptr<const io::Grid> partFor(const std::shared_ptr<const io::Grid>& input) {
    const io::Shape& shape = input->shape();
    if (shape.width <= kCpuSide && shape.height <= kCpuSide) return input;
    return std::make_shared<const io::Grid>(
        io::crop(*input, 0, 0, std::min(shape.width, kCpuSide), std::min(shape.height, kCpuSide)));
}

}  // namespace

struct KernelModel::Tried {
    QString text, refusal;
    std::optional<gpu::RunRecord> record;
    std::vector<KernelProblem> problems;
    std::shared_ptr<const io::Grid> input;
    bool onCpu = true;
};

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
    if (std::exchange(m_text, m_file.text()) == m_file.text()) return emit changed();
    m_tunables.clear();
    try {
        m_tunables = gpu::user::parseSource(m_file.name().toStdString(), m_file.text().toStdString()).variant.tunables;
    } catch (const gpu::Error&) {
        // Half typed; compiling says what is missing.
    }
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

bool KernelModel::older() const { return m_shown && (m_taskMoved || m_shown->text != m_file.text()); }

void KernelModel::start() {
    m_pause.stop();
    const auto refuse = [this](const QString& why) {
        m_record.reset();
        m_problems.clear();
        m_refusal = why;
        emit changed();
    };
    if (m_file.text().trimmed().isEmpty()) return;
    m_due = false;
    if (!m_request.variants().maker()) return refuse(tr("This build runs no kernels of yours."));
    if (!m_request.ready()) {
        m_due = true;  // a picture or a device is on its way
        return refuse(tr("Open a picture for the kernel to work on."));
    }
    gpu::Request request = m_request.make({}, false);
    request.beside.clear();
    m_refusal.clear();
    m_jobs.start(
        this,
        [this, request, maker = m_request.variants().maker(),
         path = m_file.path().isEmpty() ? m_file.name() : m_file.path(),
         text = m_file.text()](const JobContext& context) { return attempt(request, maker, path, text, context); },
        [this](JobResult<Tried> result) {
            if (result) return take(result.value());
            m_refusal = result.cancelled() ? tr("Stopped. Ctrl+Enter runs it again.") : result.failure().message;
            emit changed();
        });
    emit changed();
}

/// On the worker's thread.
KernelModel::Tried KernelModel::attempt(const gpu::Request& asked, const gpu::KernelMaker& maker, const QString& path,
                                        const QString& text, const JobContext& context) const {
    gpu::Request request = asked;
    Tried tried{.text = text, .refusal = {}, .record = {}, .problems = {}, .input = {}};
    const QString file = path.section(u'/', -1);
    const auto wrong = [&](const std::string& sentence, bool error) {
        tried.problems.push_back(problemOf(QString::fromStdString(sentence), file, error));
    };
    try {
        tried.onCpu = request.device == "cpu";
        if (tried.onCpu) {
            request.input = partFor(request.input);
            request.timing = gpu::TimingPolicy::once();
        }
        tried.input = request.input;
        request.kernels = {maker(path.toStdString(), text.toStdString())};
        request.kernelsAlone = true;
        const gpu::Comparison comparison = m_control.runner().run(request, context.stop());
        if (comparison.runs.empty()) throw gpu::Error(gpu::Error::Kind::cancelled, "stopped");
        tried.record = comparison.runs.front();
        const gpu::RunRecord& record = *tried.record;
        if (record.status == gpu::Status::wrong && !record.verification) wrong(record.reason, false);
        if (record.status == gpu::Status::unsupported || record.status == gpu::Status::failed)
            tried.refusal = QString::fromStdString(record.reason);
    } catch (const gpu::CompileError& error) {
        for (const std::string& one : error.errors()) wrong(one, true);
    } catch (const gpu::Error& error) {
        if (error.kind() != gpu::Error::Kind::argument) throw;
        wrong(error.what(), true);
    }
    return tried;
}

void KernelModel::take(const Tried& tried) {
    m_record = tried.record;
    m_problems = tried.problems;
    m_refusal = tried.refusal;
    m_wrong.reset();
    m_wrongValue.clear();
    if (m_record && m_record->verification && m_record->status == gpu::Status::wrong) {
        static const QRegularExpression place(QStringLiteral("^x (\\d+) y (\\d+).*?: (.*)$"));
        const auto found = place.match(QString::fromStdString(m_record->verification->firstMismatch));
        if (found.hasMatch()) m_wrong = QPoint(found.captured(1).toInt(), found.captured(2).toInt());
        m_wrongValue = found.captured(3);
    }
    if (m_record && m_record->result.picture != nullptr) {
        m_shown = Shown{*m_record, tried.input, tried.text, tried.onCpu};
        m_taskMoved = false;
    }
    if (m_record && m_refusal.isEmpty())
        m_file.keep(m_record->status == gpu::Status::ok ? tr("verified")
                    : m_record->verification            ? tr("wrong")
                                                        : tr("fault"));
    emit changed();
}

QString KernelModel::withTunable(const std::string& id, int value) const {
    QString text = m_file.text();
    const QString name = QString::fromStdString(id);
    const QRegularExpression row(
        QStringLiteral("^(\\s*//\\s*tunable\\s+%1\\s*=\\s*)\\d+").arg(QRegularExpression::escape(name)),
        QRegularExpression::MultilineOption);
    if (const auto found = row.match(text); found.hasMatch())
        return text.replace(found.capturedStart(), found.capturedLength(), found.captured(1) + QString::number(value));
    // The block's, which the head need not declare: behind the line that says what the idea is.
    const auto tunable = std::ranges::find(m_tunables, id, &gpu::Tunable::id);
    const qsizetype end = text.startsWith(QStringLiteral("//")) ? text.indexOf(u'\n') + 1 : 0;
    return text.insert(end, QStringLiteral("// tunable %1 = %2 (%3..%4)\n")
                                .arg(name)
                                .arg(value)
                                .arg(tunable->minimum)
                                .arg(tunable->maximum));
}

QString KernelModel::startingFile(bool plain) {
    if (!m_request.ready()) {
        m_activity.report(tr("Open a picture first, for the kernel to work on."));
        return {};
    }
    const gpu::Family& family = *m_request.parameters().family();
    const gpu::ParameterValues values = m_request.parameters().shaping();
    try {
        const auto problem = family.pose(partFor(m_request.document().grid()), values);
        return QString::fromStdString(gpu::user::startingFile(
            family, *problem, values, plain ? gpu::user::Start::plain : gpu::user::Start::copy));
    } catch (const gpu::Error& error) {
        m_refusal = QString::fromUtf8(error.what());
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

}  // namespace warplens::gui
