// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/document.hpp"

#include <QObject>
#include <QString>
#include <functional>

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;

/// Makes another picture of the one that is open: what a family makes of it, checked, or what is computed here;
/// turned and flipped too, of a volume every slice across z.
class FamilyWork : public QObject {
    Q_OBJECT
public:
    FamilyWork(RunControl& control, RequestState& request, Activity& activity, QObject* parent = nullptr);

    /// `done` is what the picture is then: "equalised".
    void take(const gpu::Family& family, const gpu::ParameterValues& values, const QString& done);
    /// The same of `work`, on another thread.
    void take(std::function<io::Grid(const io::Grid& picture)> work, const QString& done);
    /// One of the services that turn and flip; several in a row are done together. Turning back gives the picture that
    /// was opened, not a copy.
    void turn(gpu::Service step);

private:
    struct Made {
        std::shared_ptr<const io::Grid> picture;
        QString by;  ///< what made it, and how long it took
    };
    using Work = std::function<Made(const std::shared_ptr<const io::Grid>& picture, const std::stop_token& stop)>;
    void derive(Work work, const QString& done);
    /// `taken` gets the picture that the work made, and what made it.
    void start(Work work, std::function<void(const OpenedPicture& picture, const QString& by)> taken);

    RunControl& m_control;
    RequestState& m_request;
    Activity& m_activity;
    Orientation m_wanted;  ///< against the document's picture, of turns under way
    JobRunner m_jobs;
};

}  // namespace warplens::gui
