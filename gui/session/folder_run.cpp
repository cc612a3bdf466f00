// SPDX-License-Identifier: Apache-2.0
#include "gui/session/folder_run.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/table.hpp"
#include "gpu/recipe/run.hpp"
#include "gpu/report/region_measures.hpp"
#include "gpu/report/region_outlines.hpp"
#include "gpu/report/unit_heads.hpp"
#include "gpu/run/picture_batch.hpp"
#include "io/fit_format.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace warplens::gui {

namespace {

/// A picture on its way.
struct Way : gpu::BatchPicture {
    int row = 0;
    QString target{};
    bool taken = false;  ///< another picture's result has that name
    gpu::Request request{};
    gpu::RunRecord record{};
    gpu::TimelineItem item{};
    QStringList lost{};  ///< by the format of the result

    QString path() const { return QString::fromStdString(name); }
    std::string shortName() const { return QFileInfo(path()).fileName().toStdString(); }
};

[[noreturn]] void refuse(const std::string& why) { throw gpu::Error(gpu::Error::Kind::argument, why); }

class FolderRun {
public:
    FolderRun(gpu::Runner& runner, const FolderPlan& plan) : m_plan(plan), m_runners{&runner} {
        const auto& steps = plan.recipe.steps;
        const gpu::Family* last =
            gpu::findFamily(steps.empty() ? plan.request.family : gpu::recipe::lastOf(plan.recipe).family);
        m_regions = last != nullptr && last->info().regions == gpu::Regions::labels;
        while (m_runners.size() < plan.devices.size()) m_runners.push_back(m_more.emplace_back(runner.beside()).get());
        std::set<QString> targets;
        for (int row = 0; row < plan.files.size(); ++row) {
            const QString& name = plan.files[row];
            Way way;
            way.row = row;
            way.name = QDir(plan.from).filePath(name).toStdString();
            way.target = QDir(plan.to).filePath(QFileInfo(name).completeBaseName() + QLatin1Char('.') + plan.ending);
            way.taken = !targets.insert(way.target).second;
            way.item.name = name.toStdString();
            const bool stands = plan.resume && !way.taken && gpu::isUpToDate(way.target.toStdString(), way.name);
            (stands ? m_before : m_ways).push_back(std::move(way));
        }
    }

    gpu::PictureBatch::Work work() {
        const auto step = [this](void (FolderRun::*done)(Way&, const std::stop_token&)) {
            return [this, done](std::size_t place, const std::stop_token& stop) { (this->*done)(m_ways[place], stop); };
        };
        return {.picture = [this](std::size_t place) -> gpu::BatchPicture& { return m_ways[place]; },
                .computing = static_cast<int>(m_runners.size()),
                .places = m_runners.size() > 1 ? m_plan.devices : std::vector<std::string>(),
                .read = [this](std::size_t place, const std::stop_token& stop) { return read(m_ways[place], stop); },
                .compute = step(&FolderRun::compute),
                .verify = step(&FolderRun::verify),
                .encode = step(&FolderRun::encode)};
    }

    /// Those whose results stand there.
    const std::deque<Way>& before() const { return m_before; }
    std::size_t size() const { return m_ways.size(); }
    Way& way(std::size_t item) { return m_ways[item]; }

    std::vector<gpu::TimelineItem> items() const {
        std::vector<gpu::TimelineItem> items;
        for (const Way& way : m_ways) {
            items.push_back(way.item);
            items.back().bytes = way.bytes;
        }
        return items;
    }

private:
    /// The result, and of regions what is measured of them and their outlines.
    QStringList filesOf(const Way& way) const {
        const QString base = way.target.chopped(m_plan.ending.size() + 1);
        return m_regions ? QStringList{way.target, base + QStringLiteral(".csv"), base + gpu::kOutlinesEnding}
                         : QStringList{way.target};
    }

    void checkTarget(const Way& way) const {
        for (const QString& file : filesOf(way))
            if (way.taken || QFileInfo::exists(file))
                refuse(QFileInfo(file).fileName().toStdString() +
                       " exists already and is not overwritten; choose another folder for the results");
    }

    static void writeRegions(const Way& way, const QStringList& files, const std::stop_token& stop) {
        const io::Grid& labels = *way.record.result.picture;
        const auto measures = gpu::measureRegions(labels, gpu::sameExtents(&labels, way.input.get()), stop);
        io::writeFileAtomically(files[1].toStdString(), gpu::toCsv(gpu::withUnitHeads(measures)));
        const auto outlines = gpu::regionOutlines(
            labels, [](std::int64_t) { return true; }, stop);
        io::writeFileAtomically(files[2].toStdString(), gpu::toImageJ(outlines, labels.shape()));
    }

    std::shared_ptr<const io::Grid> read(const Way& way, const std::stop_token& stop) const {
        checkTarget(way);
        io::ReadOptions options;
        options.stop = stop;
        return std::make_shared<const io::Grid>(io::read(way.name, options));
    }

    void compute(Way& way, const std::stop_token& stop) {
        way.request = m_plan.request;
        way.request.input = way.input;
        way.request.inputName = way.item.name;
        way.request.device = m_plan.devices[static_cast<std::size_t>(way.worker)];
        if (!m_plan.recipe.steps.empty()) return steps(way, stop);
        way.request.verify = false;  // by the next stage, while this one computes the next picture
        const auto begin = gpu::PipelineClock::now();
        const gpu::Comparison comparison = runner(way).run(way.request, stop);
        if (comparison.interrupted || comparison.runs.empty())
            throw gpu::Error(gpu::Error::Kind::cancelled, way.shortName() + ": cancelled");
        way.record = comparison.runs.front();
        way.item.runs.push_back(
            {.run = gpu::timesOf(way.record), .begin = begin, .end = gpu::PipelineClock::now(), .worker = way.worker});
        check(way);
    }

    /// A step's check decides whether the next one runs, so it is part of computing.
    void steps(Way& way, const std::stop_token& stop) {
        auto begin = gpu::PipelineClock::now();
        gpu::recipe::Hooks hooks;
        hooks.read = [this](const std::string& name) {
            const std::lock_guard lock(m_reading);
            auto& known = m_read[name];
            if (known == nullptr) known = std::make_shared<const io::Grid>(io::read(name));
            return known;
        };
        hooks.fused = [](std::size_t, std::size_t) {};  // no picture between two steps is wanted
        hooks.done = [&](std::size_t, const gpu::Comparison& comparison) {
            if (comparison.runs.empty()) return;
            way.record = comparison.runs.front();
            for (const std::string& fact : comparison.facts)
                if (fact.starts_with("only ")) way.lost << QString::fromStdString(fact);
            const auto end = gpu::PipelineClock::now();
            way.item.runs.push_back({.run = gpu::timesOf(way.record),
                                     .begin = std::exchange(begin, end),
                                     .end = end,
                                     .toTheEnd = false,
                                     .worker = way.worker});
        };
        const gpu::recipe::Outcome outcome = gpu::recipe::run(runner(way), m_plan.recipe, way.request, hooks, stop);
        if (outcome.interrupted) throw gpu::Error(gpu::Error::Kind::cancelled, way.shortName() + ": cancelled");
        if (outcome.failed != gpu::recipe::kNoStep)
            refuse(gpu::recipe::placeOf(static_cast<std::size_t>(outcome.failed)) + ": " + way.record.reason);
        check(way);
    }

    void verify(Way& way, const std::stop_token& stop) {
        if (!m_plan.recipe.steps.empty()) return;
        way.record = runner(way).verify(way.request, way.record, stop);
        check(way);
    }

    [[noreturn]] static void refuseChanged(const Way& way) {
        refuse(way.shortName() + " changed while it was being processed; nothing was written, run it again");
    }

    static void check(const Way& way) {
        if (way.record.status != gpu::Status::ok) refuse(way.record.reason);
        if (way.record.result.picture == nullptr) refuse("the result is no picture");
    }

    void encode(Way& way, const std::stop_token& stop) {
        checkTarget(way);
        if (way.changed()) refuseChanged(way);
        QDir().mkpath(m_plan.to);
        const io::Grid& picture = *way.record.result.picture;
        const io::FitOptions fit{io::usualRange(picture, *way.input), m_plan.type};
        io::write(picture, way.target.toStdString(), {.encode = m_plan.encode, .fit = fit, .stop = stop});
        const io::Format& format = *io::formatNamed(m_plan.ending.toStdString());
        if (const auto fits = io::fitFor(format, picture, fit); fits && fits->changes)
            for (const std::string& phrase : io::lostBy(format, picture, *fits, m_plan.encode))
                way.lost << QString::fromStdString(phrase);
        const QStringList files = filesOf(way);
        if (m_regions) writeRegions(way, files, stop);
        if (way.changed()) {
            for (const QString& file : files) QFile::remove(file);  // newer than the file, it would pass for its result
            refuseChanged(way);
        }
        way.item.done = true;
    }

    gpu::Runner& runner(const Way& way) { return *m_runners[static_cast<std::size_t>(way.worker)]; }

    const FolderPlan& m_plan;
    bool m_regions = false;               ///< the results are labels
    std::vector<gpu::Runner*> m_runners;  ///< one a device
    std::vector<std::unique_ptr<gpu::Runner>> m_more;
    std::deque<Way> m_ways, m_before;
    std::mutex m_reading;
    std::map<std::string, std::shared_ptr<const io::Grid>> m_read;  ///< files that steps name
};

}  // namespace

FolderOutcome runFolder(gpu::Runner& runner, const FolderPlan& plan, const JobContext& context,
                        const std::function<void(const FolderRow&)>& tell) {
    using Became = FolderRow::Became;
    FolderRun folder(runner, plan);
    FolderOutcome outcome;
    outcome.before = static_cast<int>(folder.before().size());
    for (const Way& way : folder.before())
        tell({way.row,
              QCoreApplication::translate("BatchWindow", "%1, done before").arg(QFileInfo(way.target).fileName()),
              Became::before});
    gpu::PictureBatch batch(folder.size(), folder.work());
    std::size_t ended = 0;
    const auto say = [&](const Way& way, const QString& said, Became became) {
        tell({way.row, said, became, static_cast<double>(++ended) / static_cast<double>(folder.size())});
    };
    const auto written = [&](const Way& way) {
        const QString said =
            QCoreApplication::translate("BatchWindow", "%1, checked").arg(QFileInfo(way.target).fileName());
        say(way, way.lost.isEmpty() ? said : QStringLiteral("%1; %2").arg(said, way.lost.join(QStringLiteral("; "))),
            Became::done);
    };
    const auto deliver = [&](std::size_t item, const std::exception_ptr& failure) {
        Way& way = folder.way(item);
        if (failure) {
            ++outcome.failed;
            const QString why = failureOf(failure).message.remove(QFileInfo(way.path()).path() + u'/');
            say(way, QCoreApplication::translate("BatchWindow", "failed: %1").arg(why), Became::failed);
        } else {
            written(way);
        }
        way.input.reset();
        way.request = {};
        way.record = {};
    };
    const gpu::PipelineRun run = batch.run(deliver, context.stop());
    // After a stop some may stand there before whose turn it was.
    for (std::size_t item = run.delivered; item < folder.size(); ++item)
        if (folder.way(item).item.done) written(folder.way(item));
    outcome.timeline = gpu::makeTimeline(run, batch.stages(), folder.items());
    return outcome;
}

}  // namespace warplens::gui
