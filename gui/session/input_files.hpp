// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/activity.hpp"
#include "gui/session/request_state.hpp"

#include <QObject>
#include <QString>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

/// Values in the order in which they are taken.
using NewValues = std::vector<std::pair<std::string, gpu::Parameter::Value>>;
/// Work for a JobRunner: throws gpu::Error or io::Error.
using ReadValues = std::function<NewValues(const QString& path)>;

/// Brings the picture and values of parameters: from files, or computed. A failure leaves everything as it was, with a
/// notice.
class InputFiles : public QObject {
    Q_OBJECT
public:
    InputFiles(RequestState& request, Activity& activity, QObject* parent = nullptr);

    /// Asked before another picture takes the place of the one that is open; it goes on by `then`, or not at all.
    using Guard = std::function<void(const std::function<void()>& then)>;
    void setGuard(Guard guard) { m_guard = std::move(guard); }
    void open(const QString& input);
    /// As open(), of what was open before: nothing is lost.
    void openAgain(const QString& input) { read(input, {}); }
    /// Reads the input that is open once more, with the same choices: its file may have changed.
    void reload();
    /// Reads another frame or series of the input that is open.
    void readAgain(const ReadChoice& choice);
    /// As open(), of a session: `name` is what a picture that was computed is called, or empty; `then` follows success.
    void openAs(const QString& input, const ReadChoice& choice, const QString& name, std::function<void()> then);
    /// Computes a picture on another thread and makes it the input, called `name`; `what` is said when it is done.
    void derive(const QString& name, const QString& what, std::function<io::Grid(const std::stop_token&)> work);
    /// The same with a picture that is there.
    void use(const QString& name, const QString& what, const std::shared_ptr<const io::Grid>& picture);
    /// Makes the picture's values f32. One that was read stays the same input, read with that choice; one that was
    /// computed becomes another.
    void convertToFloat();
    /// Goes back to the picture that the present one was computed from; a step of its own.
    void undoPicture();
    /// Makes a picture that was open before the input again.
    void restorePicture(const Document::State& state);
    /// Reads values of the family's parameters from a file.
    void openValues(const QString& path, ReadValues read);
    /// Reads a file and makes it the value of a parameter that takes a picture.
    void openParameter(const std::string& id, const QString& path);
    /// Reads a picture that stands beside the input and hands it over.
    void readAside(const QString& path, std::function<void(const io::Grid& picture)> take);

signals:
    /// A file was read; for recent files.
    void opened(const QString& input);
    /// What open() or openAs() was given cannot be read; the notice says so as well.
    void refused(const warplens::gui::JobFailure& failure);

private:
    void ask(const std::function<void()>& then) { m_guard ? m_guard(then) : then(); }
    void refuse(const JobFailure& failure);
    void read(const QString& input, const ReadChoice& choice);
    void startDeriving(const QString& name, const QString& what,
                       std::function<std::shared_ptr<const io::Grid>(const std::stop_token&)> work);

    Document& m_document;
    ParameterState& m_parameters;
    Activity& m_activity;
    Guard m_guard;
    JobRunner m_openJobs, m_parameterJobs, m_asideJobs;
};

}  // namespace warplens::gui
