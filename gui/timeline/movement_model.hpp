// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/transfer_benchmark.hpp"
#include "gui/kit/job_runner.hpp"

#include <QObject>

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;

/// The ways of moving pictures, measured with the picture that is open and the current variant on the chosen device.
class MovementModel : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostPictures = 1024;

    MovementModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent = nullptr);

    /// So many that a GPU is busy for long enough and the host has them: 2 to 16; on a CPU a few, as it takes long.
    int usualPictures() const;
    /// Does nothing while one is under way, or nothing is there to run.
    void start(int pictures);
    bool busy() const { return m_jobs.busy(); }
    bool ready() const;

signals:
    void busyChanged(bool busy);
    /// How many are usual, or whether there is something to run.
    void taskChanged();
    /// One ended; of one that was stopped what was done.
    void measured(const warplens::gpu::TransferBenchmark& movement);

private:
    gpu::MovementRequest request(int pictures) const;
    void finish(JobResult<gpu::TransferBenchmark> result);

    RequestState& m_request;
    RunControl& m_control;
    Activity& m_activity;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
