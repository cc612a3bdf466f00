// SPDX-License-Identifier: Apache-2.0
#include "gui/document/folder_run.hpp"

#include "gpu/core/error.hpp"
#include "gpu/run/picture_batch.hpp"
#include "io/file_version.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <deque>
#include <optional>
#include <set>
#include <utility>

namespace warplens::gui {

namespace {

/// A picture on its way.
struct Way {
    QString path, target;
    bool taken = false;  ///< another picture's result has that name
    std::optional<io::FileVersion> version{};
    std::shared_ptr<const io::Grid> input{};
    gpu::Request request{};
    gpu::RunRecord record{};
    gpu::TimelineItem item{};

    std::string name() const { return QFileInfo(path).fileName().toStdString(); }
};

[[noreturn]] void refuse(const std::string& why) { throw gpu::Error(gpu::Error::Kind::argument, why); }

class FolderRun {
public:
    FolderRun(gpu::Runner& runner, const FolderPlan& plan) : m_runner(runner), m_plan(plan) {
        std::set<QString> targets;
        for (const QString& name : plan.files) {
            Way& way = m_ways.emplace_back();
            way.path = QDir(plan.from).filePath(name);
            way.target = QDir(plan.to).filePath(QFileInfo(name).completeBaseName() + QLatin1Char('.') + plan.ending);
            way.taken = !targets.insert(way.target).second;
            way.item.name = name.toStdString();
        }
    }

    std::vector<gpu::PipelineStage> stages() {
        const int codecs = gpu::codecsFor(m_ways.size());
        const auto stage = [this](const char* name, int workers,
                                  void (FolderRun::*work)(Way&, const std::stop_token&)) {
            return gpu::PipelineStage{name, workers, [this, work](std::size_t item, const std::stop_token& stop) {
                                          (this->*work)(m_ways[item], stop);
                                      }};
        };
        return {stage("decode", codecs, &FolderRun::decode), stage("compute", 1, &FolderRun::compute),
                stage("verify", 1, &FolderRun::verify), stage("encode", codecs, &FolderRun::encode)};
    }

    Way& way(std::size_t item) { return m_ways[item]; }
    std::int64_t weight(std::size_t item) const { return m_weights.of(m_ways[item].input.get()); }

    std::vector<gpu::TimelineItem> items() const {
        std::vector<gpu::TimelineItem> items;
        for (const Way& way : m_ways) items.push_back(way.item);
        return items;
    }

private:
    static void checkTarget(const Way& way) {
        if (way.taken || QFileInfo::exists(way.target))
            refuse(QFileInfo(way.target).fileName().toStdString() + " is there already; nothing is written over");
    }

    void decode(Way& way, const std::stop_token& stop) {
        checkTarget(way);
        way.version = io::versionOf(way.path.toStdString());
        io::ReadOptions options;
        options.stop = stop;
        way.input = std::make_shared<const io::Grid>(io::read(way.path.toStdString(), options));
        way.item.bytes = static_cast<std::int64_t>(way.input->bytes());
        m_weights.decoded(*way.input);
    }

    void compute(Way& way, const std::stop_token& stop) {
        way.request = m_plan.request;
        way.request.input = way.input;
        way.request.inputName = way.item.name;
        way.request.verify = false;  // by the next stage, while this one computes the next picture
        const auto begin = gpu::PipelineClock::now();
        const gpu::Comparison comparison = m_runner.run(way.request, stop);
        if (comparison.interrupted || comparison.runs.empty())
            throw gpu::Error(gpu::Error::Kind::cancelled, way.name() + ": cancelled");
        way.record = comparison.runs.front();
        way.item.runs.push_back({gpu::timesOf(way.record), begin, gpu::PipelineClock::now()});
        check(way);
    }

    void verify(Way& way, const std::stop_token& stop) {
        way.record = m_runner.verify(way.request, way.record, stop);
        check(way);
    }

    static void check(const Way& way) {
        if (way.record.status != gpu::Status::ok) refuse(way.record.reason);
        if (way.record.result.picture == nullptr) refuse("the result is no picture");
    }

    void encode(Way& way, const std::stop_token& stop) {
        checkTarget(way);
        if (way.version && io::versionOf(way.path.toStdString()) != way.version)
            refuse(way.name() + " changed while it was worked on, nothing was written; run it again");
        QDir().mkpath(m_plan.to);
        io::write(*way.record.result.picture, way.target.toStdString(), {.stop = stop});
        way.item.done = true;
    }

    gpu::Runner& m_runner;
    const FolderPlan& m_plan;
    std::deque<Way> m_ways;
    gpu::PictureWeights m_weights;
};

}  // namespace

FolderOutcome runFolder(gpu::Runner& runner, const FolderPlan& plan, const JobContext& context,
                        const std::function<void(int row, const QString& said, bool failed)>& tell) {
    FolderRun folder(runner, plan);
    FolderOutcome outcome;
    const auto stages = folder.stages();
    const auto written = [&](std::size_t item) {
        const QString name = QFileInfo(folder.way(item).target).fileName();
        tell(static_cast<int>(item), QCoreApplication::translate("BatchWindow", "%1, checked").arg(name), false);
    };
    const auto deliver = [&](std::size_t item, const std::exception_ptr& failure) {
        Way& way = folder.way(item);
        if (failure) {
            ++outcome.failed;
            tell(static_cast<int>(item),
                 QCoreApplication::translate("BatchWindow", "failed: %1").arg(failureOf(failure).message), true);
        } else {
            written(item);
        }
        way.input.reset();
        way.request = {};
        way.record = {};
    };
    const gpu::PipelineRun run =
        gpu::runPipeline(static_cast<std::size_t>(plan.files.size()), stages,
                         gpu::PictureWeights::bounds(stages, [&](std::size_t item) { return folder.weight(item); }),
                         deliver, context.stop());
    // After a stop some may stand there before whose turn it was.
    for (std::size_t item = run.delivered; item < static_cast<std::size_t>(plan.files.size()); ++item)
        if (folder.way(item).item.done) written(item);
    outcome.timeline = gpu::makeTimeline(run, stages, folder.items());
    return outcome;
}

}  // namespace warplens::gui
