// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "gui/session/orientation.hpp"

#include <QObject>

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;

/// Turns and flips the picture that is open, by the family that does it. Of a volume every slice across z is turned.
class ImageRotator : public QObject {
    Q_OBJECT
public:
    ImageRotator(RunControl& control, RequestState& request, Activity& activity, QObject* parent = nullptr);

    /// One of those that turn and flip; several in a row are done together. Turning back gives the picture that was
    /// opened, not a copy.
    void take(gpu::Service step);

private:
    void start();

    RunControl& m_control;
    RequestState& m_request;
    Activity& m_activity;
    Orientation m_wanted;  ///< against the document's picture
    JobRunner m_jobs;
};

}  // namespace warplens::gui
