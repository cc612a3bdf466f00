// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"
#include "gpu/report/timeline.hpp"
#include "gpu/run/runner.hpp"
#include "gui/kit/job_runner.hpp"
#include "io/format.hpp"

#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// One variant or a recipe over the pictures of a folder, into another folder. Beside labels of regions lies what is
/// measured of them as .csv, values those of the pictures themselves, and their outlines as ImageJ's RoiSet.
struct FolderPlan {
    gpu::Request request;              ///< of one variant, without input
    gpu::recipe::Recipe recipe;        ///< done instead, where it has steps
    std::vector<std::string> devices;  ///< that share the pictures, each taking the next one when it is free; at least
                                       ///< one
    QString from, to, ending;
    io::EncodeOptions encode{};
    std::optional<io::PixelType> type{};  ///< of the results' values; none: as each picture needs
    QStringList files;                    ///< names below `from`, in order
    bool resume = false;                  ///< results that stand there are of the same work, and are left as they are
};

/// What became of a picture.
struct FolderRow {
    enum class Became { done, before, failed };
    int row = 0;  ///< of FolderPlan::files
    QString said{};
    Became became = Became::done;
    double fraction = 0;  ///< of this run's work, 0 to 1, that has ended
};

struct FolderOutcome {
    int failed = 0;
    int before = 0;          ///< stood there already, not older than their pictures
    gpu::Timeline timeline;  ///< `done` of it are the pictures that came through
};

/// Work for a JobRunner: the pictures through decode, compute, verify and encode, several at once. One that fails keeps
/// no other from being done; nothing is written over, and no result of a file that changes meanwhile is kept. `tell`
/// hears of each picture on the job's thread: of those that stand there first, then of the others in their order. A
/// stop ends codecs at once.
FolderOutcome runFolder(gpu::Runner& runner, const FolderPlan& plan, const JobContext& context,
                        const std::function<void(const FolderRow&)>& tell);

}  // namespace warplens::gui
