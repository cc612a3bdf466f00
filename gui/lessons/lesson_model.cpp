// SPDX-License-Identifier: Apache-2.0
#include "gui/lessons/lesson_model.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/exercise/exercise.hpp"
#include "gpu/lessons/prediction.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/rates.hpp"
#include "gui/session/samples.hpp"
#include "io/file.hpp"
#include "io/read.hpp"

#include <QStandardPaths>
#include <algorithm>

namespace warplens::gui {

namespace {

gpu::LessonRecords countRuns(const gpu::Lesson& lesson, gpu::Tracer& tracer, const JobContext& context) {
    gpu::LessonRecords records;
    const auto runs = static_cast<double>(lesson.runs.size());
    for (std::size_t i = 0; i < lesson.runs.size(); ++i) {
        const gpu::LessonRun& run = lesson.runs[i];
        records.emplace_back();
        gpu::Request request;
        request.variants = gpu::variantsOf(lesson, i);
        if (request.variants.empty()) continue;
        io::ReadOptions options;
        options.stop = context.stop();
        request.input = std::make_shared<const io::Grid>(io::read(run.input, options));
        request.inputName = run.input;
        request.family = run.family;
        request.parameters = run.parameters;
        request.tunables = run.tunables;
        gpu::Observer observer;
        observer.progress = [&](double fraction, const std::string& what) {
            context.progress((static_cast<double>(i) + fraction) / runs, QString::fromStdString(what));
        };
        const gpu::Comparison counted = tracer.explain(request, context.stop(), observer);
        if (counted.interrupted) throw gpu::Error(gpu::Error::Kind::cancelled, "counting was stopped");
        for (const gpu::RunRecord& record : counted.runs) records.back()[record.variant] = record;
    }
    return records;
}

}  // namespace

LessonModel::LessonModel(RequestState& request, InputFiles& inputs, RunControl& control, QObject* parent)
    : QObject(parent), m_request(request), m_inputs(inputs), m_control(control) {
    connect(&m_jobs, &JobRunner::busyChanged, this, &LessonModel::changed);
    connect(&m_jobs, &JobRunner::progress, this, &LessonModel::progress);
}

void LessonModel::load() {
    if (m_loaded) return;
    m_loaded = true;
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    m_lessons = gpu::loadLessons(resourceFolder(QStringLiteral("families")).toStdString(),
                                 (data + QStringLiteral("/warplens/lessons")).toStdString());
    m_recorded = recordedRuns();
    if (const auto stopped = std::ranges::find(m_lessons.all, m_stopped, &gpu::Lesson::id);
        stopped != m_lessons.all.end())
        m_index = static_cast<int>(stopped - m_lessons.all.begin());
    if (!m_lessons.problems.empty())
        m_problem = QString::fromStdString(m_lessons.problems.front());
    else if (m_lessons.all.empty())
        m_problem = tr("No lesson was found; the folder families is not among the program's resources.");
    emit changed();
}

const gpu::Lesson* LessonModel::lesson() const {
    return m_lessons.all.empty() ? nullptr : &m_lessons.all[static_cast<std::size_t>(m_index)];
}

std::vector<gpu::WhySentence> LessonModel::explanation() const {
    std::vector<gpu::WhySentence> sentences;
    if (lesson() == nullptr || m_values.empty()) return sentences;
    for (const std::string& paragraph : lesson()->explanation) sentences.push_back(gpu::tell(paragraph, m_values));
    return sentences;
}

LessonModel::Score LessonModel::score() const {
    const auto right = std::ranges::count_if(m_first, [](const auto& lesson) { return lesson.second; });
    return {static_cast<int>(right), static_cast<int>(m_first.size())};
}

QString LessonModel::chapterOf(const gpu::Lesson& lesson) const {
    const auto titled = [&](const std::string& id) {
        const auto found = std::ranges::find(m_lessons.chapters, id, &gpu::LessonChapter::id);
        return found == m_lessons.chapters.end() ? QString() : QString::fromStdString(found->title);
    };
    const auto chapter = std::ranges::find(m_lessons.chapters, lesson.chapter, &gpu::LessonChapter::id);
    if (chapter == m_lessons.chapters.end()) return {};
    QStringList needs;
    for (const std::string& id : chapter->needs) needs << titled(id);
    const QString title = QString::fromStdString(chapter->title);
    return needs.isEmpty() ? title : tr("%1, after %2").arg(title, needs.join(QStringLiteral(", ")));
}

QString LessonModel::recordedFrom() const {
    QStringList sources;
    for (const auto& [id, value] : m_values) {
        QString source;
        if (!value.device.empty()) {
            source = tr("%1, %2").arg(QString::fromStdString(value.device), format::date(value.date));
        } else if (value.source != nullptr) {
            const gpu::Report& run = *value.source;
            const io::Shape& shape = run.input.shape;
            const QString depth = shape.depth > 1 ? QStringLiteral(" × ") + format::integer(shape.depth) : QString();
            source = (shape.depth > 1 ? tr("%1, %2, %3 cells") : tr("%1, %2, %3 pixels"))
                         .arg(QString::fromStdString(run.device.name), format::date(run.environment.date),
                              format::extent(shape.width, shape.height) + depth);
        }
        if (!source.isEmpty() && !sources.contains(source)) sources << source;
    }
    return sources.isEmpty() ? QString() : tr("Recorded: %1").arg(sources.join(QStringLiteral("; ")));
}

QString LessonModel::countedFrom() const {
    if (lesson() == nullptr || m_values.empty()) return {};
    return tr("Counted just now on %1").arg(QString::fromStdString(lesson()->runs.front().input));
}

QString LessonModel::exerciseTitle() const {
    if (lesson() == nullptr || lesson()->exercise.empty()) return {};
    const std::string folder = resourceFolder(QStringLiteral("exercises")).toStdString();
    try {
        return QString::fromStdString(gpu::exercise::load(folder + "/" + lesson()->exercise).title);
    } catch (const gpu::Error&) {
        return {};  // of one's own lesson, or not installed
    }
}

void LessonModel::setVoting(bool voting) {
    if (lesson() == nullptr || m_step != Step::predict) return;
    m_voting = voting;
    m_votes.resize(lesson()->answers.size());
    const auto most = std::ranges::max_element(m_votes);
    if (!voting && m_chosen < 0 && *most > 0) m_chosen = static_cast<int>(most - m_votes.begin());
    emit changed();
}

void LessonModel::takeVoteBack() {
    if (m_voted.empty()) return;
    --m_votes[static_cast<std::size_t>(m_voted.back())];
    m_voted.pop_back();
    emit changed();
}

void LessonModel::collect(const QStringList& paths) {
    if (lesson() == nullptr) return;
    std::vector<std::string> files;
    for (const QString& path : paths) files.push_back(path.toStdString());
    const gpu::Votes votes = gpu::votesIn(*lesson(), files);
    m_votes.resize(votes.counts.size());
    for (std::size_t i = 0; i < votes.counts.size(); ++i) {
        m_votes[i] += votes.counts[i];
        m_voted.insert(m_voted.end(), static_cast<std::size_t>(votes.counts[i]), static_cast<int>(i));
    }
    m_problem = votes.problems.empty() ? QString() : QString::fromStdString(votes.problems.front());
    if (votes.problems.size() > 1) m_problem += tr(" (and %1 more files)").arg(votes.problems.size() - 1);
    emit changed();
}

void LessonModel::savePrediction(const QString& path) {
    if (lesson() == nullptr || m_chosen < 0) return;
    try {
        io::writeFileAtomically(path.toStdString(), gpu::predictionOf(*lesson(), m_chosen));
        m_problem.clear();
    } catch (const std::exception& error) {
        m_problem = QString::fromUtf8(error.what());
    }
    emit changed();
}

void LessonModel::select(int index) {
    if (m_lessons.all.empty()) return;
    m_jobs.discard();
    m_voting = false;
    m_votes.clear();
    m_voted.clear();
    m_index = std::clamp(index, 0, count() - 1);
    m_step = Step::predict;
    m_chosen = m_right = -1;
    m_values.clear();
    m_problem.clear();
    emit changed();
}

void LessonModel::choose(int answer) {
    if (lesson() == nullptr || m_step != Step::predict || answer < 0 ||
        answer >= static_cast<int>(lesson()->answers.size()))
        return;
    if (m_voting) {
        ++m_votes[static_cast<std::size_t>(answer)];
        m_voted.push_back(answer);
    } else {
        m_chosen = answer;
    }
    emit changed();
}

void LessonModel::goOn() {
    if (lesson() == nullptr) return;
    switch (m_step) {
        case Step::predict:
            setVoting(false);
            if (m_chosen < 0) return;
            return run();
        case Step::run:
            if (!busy()) run();
            return;
        case Step::reveal: m_step = Step::explain; break;
        case Step::explain: m_step = Step::tryThis; break;
        case Step::tryThis: return openTry();
    }
    emit changed();
}

void LessonModel::goBack() {
    if (m_step == Step::run) return select(m_index);
    if (m_step > Step::reveal) m_step = static_cast<Step>(static_cast<int>(m_step) - 1);
    emit changed();
}

void LessonModel::restore(const QSettings& settings) {
    for (const QString& key : settings.allKeys())
        if (key.startsWith(QStringLiteral("lessons/right/")))
            m_first[key.section(u'/', 2).toStdString()] = settings.value(key).toBool();
    m_stopped = settings.value(QStringLiteral("lessons/current")).toString().toStdString();
}

void LessonModel::save(QSettings& settings) const {
    for (const auto& [id, right] : m_first)
        settings.setValue(QStringLiteral("lessons/right/") + QString::fromStdString(id), right);
    if (lesson() != nullptr) settings.setValue(QStringLiteral("lessons/current"), QString::fromStdString(lesson()->id));
}

void LessonModel::run() {
    m_step = Step::run;
    m_problem.clear();
    const auto tracer = m_control.tracer();
    if (tracer == nullptr) {
        m_problem = tr("Nothing here counts: this program was started without a tracer.");
        return emit changed();
    }
    m_jobs.start(
        this,
        [lesson = *lesson(), tracer, recorded = &m_recorded](const JobContext& context) {
            return gpu::measureLesson(lesson, countRuns(lesson, *tracer, context), *recorded);
        },
        [this](JobResult<gpu::LessonValues> result) {
            if (!result) {
                m_problem = result.failure().message;
                return emit changed();
            }
            m_values = std::move(result.value());
            const auto right = gpu::rightAnswers(*lesson(), m_values);
            m_right = right.size() == 1 ? static_cast<int>(right.front()) : -1;
            if (m_right >= 0) m_first.try_emplace(lesson()->id, m_chosen == m_right);
            m_step = Step::reveal;
            emit changed();
        });
    emit changed();
}

void LessonModel::openTry() {
    const gpu::LessonTry& next = lesson()->tryThis;
    m_request.setFamily(gpu::familyOf(next.task.family));
    for (const auto& [id, value] : next.task.parameters) m_request.parameters().set(id, value);
    m_request.setCurrent(next.variant);
    m_inputs.open(QString::fromStdString(next.task.input));
    emit tryWanted(QString::fromStdString(next.page));
}

}  // namespace warplens::gui
