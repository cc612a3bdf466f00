// SPDX-License-Identifier: Apache-2.0
#include "gui/session/input_files.hpp"

#include "gui/kit/theme/format.hpp"
#include "io/to_float.hpp"

#include <QElapsedTimer>

namespace warplens::gui {

InputFiles::InputFiles(RequestState& request, Activity& activity, QObject* parent)
    : QObject(parent), m_document(request.document()), m_parameters(request.parameters()), m_activity(activity) {
    for (JobRunner* lane : {&m_openJobs, &m_parameterJobs, &m_asideJobs}) {
        activity.watch(*lane);
        connect(&activity, &Activity::cancelled, lane, &JobRunner::cancel);
    }
}

void InputFiles::open(const QString& input) {
    ask([this, input] { read(input, {}); });
}

void InputFiles::reload() {
    if (m_document.empty()) return m_activity.report(tr("There is no picture to reload yet; open one first."));
    if (m_document.derived())
        return m_activity.report(
            tr("%1 was computed here; undo (Ctrl+Z) back to the file, then reload it.").arg(m_document.name()));
    read(m_document.input(), m_document.choice());
}

void InputFiles::readAgain(const ReadChoice& choice) {
    if (!m_document.empty() && !m_document.derived() && choice != m_document.choice()) read(m_document.input(), choice);
}

void InputFiles::read(const QString& input, const ReadChoice& choice) {
    QElapsedTimer clock;
    clock.start();
    m_openJobs.start(
        this, [input, choice](const JobContext& context) { return readPicture(input, choice, context); },
        [this, input, choice, clock](JobResult<OpenedPicture> result) {
            if (!result) {
                refuse(result.failure());
                return emit m_document.choiceRejected();
            }
            m_document.set(input, result.value(), choice);
            m_activity.note(
                tr("Read %1 in %2 s").arg(m_document.name(), format::significant(double(clock.elapsed()) / 1000, 2)));
            emit opened(input);
        });
}

void InputFiles::openAs(const QString& input, const ReadChoice& choice, const QString& name,
                        std::function<void()> then) {
    ask([this, input, choice, name, then = std::move(then)] {
        m_openJobs.start(
            this, [input, choice](const JobContext& context) { return readPicture(input, choice, context); },
            [this, input, choice, name, then](JobResult<OpenedPicture> result) {
                if (!result) return refuse(result.failure());
                m_document.restore(
                    {name.isEmpty() ? input : name, result.value(), choice, !name.isEmpty(), nullptr, {}});
                m_activity.note(tr("Read %1").arg(m_document.name()));
                then();
            });
    });
}

void InputFiles::refuse(const JobFailure& failure) {
    m_activity.fail(failure);
    if (failure.kind != JobFailure::Kind::cancelled) emit refused(failure);
}

void InputFiles::derive(const QString& name, const QString& what,
                        std::function<io::Grid(const std::stop_token&)> work) {
    startDeriving(name, what, [work = std::move(work)](const std::stop_token& stop) {
        return std::make_shared<const io::Grid>(work(stop));
    });
}

void InputFiles::use(const QString& name, const QString& what, const std::shared_ptr<const io::Grid>& picture) {
    ask([=, this] { startDeriving(name, what, [picture](const std::stop_token&) { return picture; }); });
}

void InputFiles::startDeriving(const QString& name, const QString& what,
                               std::function<std::shared_ptr<const io::Grid>(const std::stop_token&)> work) {
    m_openJobs.start(
        this,
        [work = std::move(work)](const JobContext& context) {
            const auto grid = work(context.stop());
            return OpenedPicture{grid, thumbnailOf(*grid)};
        },
        [this, name, what](JobResult<OpenedPicture> result) {
            if (!result) return m_activity.fail(result.failure());
            const QString left = m_document.leavesRecipe();
            m_document.derive(name, result.value());
            m_activity.note(what + left);
        });
}

void InputFiles::convertToFloat() {
    if (m_document.empty()) return;
    if (m_document.grid()->type() == io::PixelType::f32) return m_activity.note(tr("The values are f32 already"));
    const auto notes = m_document.notes().size();
    m_openJobs.start(
        this,
        [picture = m_document.grid()](const JobContext&) {
            const auto converted = std::make_shared<const io::Grid>(io::toFloat(*picture));
            return OpenedPicture{converted, thumbnailOf(*converted)};
        },
        [this, notes](JobResult<OpenedPicture> result) {
            if (!result) return m_activity.fail(result.failure());
            const QString type = QString::fromUtf8(io::nameOf(m_document.grid()->type()));
            const QString left = m_document.leavesRecipe();
            if (m_document.derived()) {
                m_document.derive(tr("%1 as f32").arg(m_document.name()), result.value());
            } else {
                ReadChoice choice = m_document.choice();
                choice.toFloat = true;
                m_document.set(m_document.input(), result.value(), choice);
            }
            const QStringList all = m_document.notes();
            m_activity.note((all.size() > notes ? tr("Converted to f32: %1").arg(all.back())
                                                : tr("Converted from %1 to f32, every value exactly").arg(type)) +
                            left);
        });
}

void InputFiles::undoPicture() {
    if (m_document.state().source == nullptr) return;
    restorePicture(*m_document.state().source);
    m_activity.note(tr("Back to %1").arg(m_document.name()));
}

void InputFiles::restorePicture(const Document::State& state) {
    m_openJobs.discard();
    m_document.restore(state);
}

void InputFiles::openValues(const QString& path, ReadValues read) {
    m_openJobs.start(
        this, [path, read = std::move(read)](const JobContext&) { return read(path); },
        [this](JobResult<NewValues> result) {
            if (!result) return m_activity.fail(result.failure());
            QString why;
            for (const auto& [id, value] : result.value())
                if (!m_parameters.set(id, value, &why)) return m_activity.report(why);
        });
}

void InputFiles::openParameter(const std::string& id, const QString& path) {
    const gpu::Family* family = m_parameters.family();
    m_parameterJobs.start(
        this,
        [path, toFloat = m_document.choice().toFloat](const JobContext& context) {
            return readPicture(path, {0, {}, toFloat}, context);
        },
        [this, family, id, path](JobResult<OpenedPicture> result) {
            if (!result) return m_activity.fail(result.failure());
            if (m_parameters.family() != family) return;  // the form it was chosen in is gone
            QString why;
            const auto named =
                std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{path.toStdString(), result.value().grid});
            if (!m_parameters.set(id, named, &why)) m_activity.report(why);
        });
}

void InputFiles::readAside(const QString& path, std::function<void(const io::Grid& picture)> take) {
    m_asideJobs.start(
        this, [path](const JobContext& context) { return readPicture(path, {}, context); },
        [this, take = std::move(take)](JobResult<OpenedPicture> result) {
            if (!result) return m_activity.fail(result.failure());
            take(*result.value().grid);
        });
}

}  // namespace warplens::gui
