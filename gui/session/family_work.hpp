// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/kit/job_runner.hpp"

#include <QObject>
#include <QString>
#include <functional>

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;

/// Makes another picture of the one that is open: what a family makes of it, checked, or what is computed here.
class FamilyWork : public QObject {
    Q_OBJECT
public:
    FamilyWork(RunControl& control, RequestState& request, Activity& activity, QObject* parent = nullptr);

    /// `done` is what the picture is then: "equalised".
    void take(const gpu::Family& family, const gpu::ParameterValues& values, const QString& done);
    /// The same of `work`, on another thread.
    void take(std::function<io::Grid(const io::Grid& picture)> work, const QString& done);

private:
    struct Made {
        std::shared_ptr<const io::Grid> picture;
        QString by;  ///< what made it, and how long it took
    };
    void start(std::function<Made(const std::shared_ptr<const io::Grid>& picture, const std::stop_token& stop)> work,
               const QString& done);

    RunControl& m_control;
    RequestState& m_request;
    Activity& m_activity;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
