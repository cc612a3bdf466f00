// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/timeline.hpp"
#include "gpu/run/runner.hpp"
#include "gui/kit/job_runner.hpp"

#include <QString>
#include <QStringList>
#include <functional>

namespace warplens::gui {

/// One variant over the pictures of a folder, into another folder.
struct FolderPlan {
    gpu::Request request;  ///< of one variant, without input
    QString from, to, ending;
    QStringList files;  ///< names below `from`, in order
};

struct FolderOutcome {
    int failed = 0;
    gpu::Timeline timeline;  ///< `done` of it are the pictures that came through
};

/// Work for a JobRunner: the pictures through decode, compute, verify and encode, several at once. One that fails keeps
/// no other from being done; nothing is written over, and no result of a file that changes meanwhile is written. `tell`
/// hears of each picture, in their order, on the job's thread. A stop ends codecs at once.
FolderOutcome runFolder(gpu::Runner& runner, const FolderPlan& plan, const JobContext& context,
                        const std::function<void(int row, const QString& said, bool failed)>& tell);

}  // namespace warplens::gui
