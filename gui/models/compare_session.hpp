// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"
#include "gpu/run/runner.hpp"
#include "gpu/trace/tracer.hpp"
#include "gui/jobs/job_runner.hpp"
#include "gui/jobs/live_frames.hpp"
#include "gui/models/document.hpp"
#include "gui/models/live_policy.hpp"
#include "gui/models/parameter_state.hpp"
#include "gui/models/run_table_model.hpp"
#include "gui/models/shown_variants.hpp"
#include "gui/models/snapshots.hpp"
#include "gui/models/variant_list_model.hpp"

#include <QElapsedTimer>
#include <QImage>
#include <QObject>
#include <QTimer>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

class History;

/// The task at hand: a picture, a family's parameters, a device, variants, and what came out. It starts every job and
/// takes every result; views show it and ask it for things. Nothing here blocks.
class CompareSession : public QObject {
    Q_OBJECT
public:
    explicit CompareSession(QObject* parent = nullptr);
    ~CompareSession() override;

    Document& document() { return m_document; }
    ParameterState& parameters() { return m_parameters; }
    VariantListModel& variants() { return m_variants; }
    RunTableModel& runs() { return m_runs; }

    /// Asks for the devices; `wanted` (an id or UUID) is taken when it is there.
    void listDevices(const std::string& wanted = {});
    const gpu::DeviceList& devices() const { return m_devices; }
    /// The chosen device; null until the list has come.
    const gpu::DeviceInfo* device() const;
    void setDevice(const std::string& id);
    /// Whether times on the chosen device rank kernels.
    bool ranking() const;
    /// Measured ceilings of the chosen device, once a comparison has read them.
    const std::optional<gpu::Limits>& limits() const { return m_limits; }

    /// Takes up the family where it was left: its values, checked variants, results.
    void setFamily(const gpu::Family& family);
    /// The variant that live filtering, the source and saving are about.
    void setCurrent(const std::string& variant);
    const std::string& current() const { return m_current; }
    const gpu::Variant* variant(const std::string& id) const;
    void setBaseline(const std::string& variant);
    /// The picture to flip to and to wipe against: "input", a variant's id or a snapshot's key. It is computed when it
    /// lacks.
    void setReference(const std::string& key);
    const std::string& reference() const { return m_reference; }
    /// Whether the baseline's picture is looked at though it has no pane; it is computed when it lacks.
    void setBaselineWanted(bool wanted);

    /// Reads and then filters; a failure leaves everything as it was, with a notice.
    void open(const QString& input);
    /// Reads another frame or series of the input that is open.
    void readAgain(const ReadChoice& choice);
    /// As open(), of a session: `name` is what a picture that was computed is called, or empty; `then` follows success.
    void openAs(const QString& input, const ReadChoice& choice, const QString& name, std::function<void()> then);
    /// Computes a picture on another thread and makes it the input, called `name`; `what` is said when it is done.
    void derive(const QString& name, const QString& what, std::function<io::Grid(const std::stop_token&)> work);
    /// Goes back to the picture that the present one was computed from; a step of its own.
    void undoPicture();
    /// Makes a picture that was open before the input again.
    void restorePicture(const Document::State& state);
    /// The current variant's result becomes the input.
    void useResult();
    /// Keeps the current variant's result, to compare with later.
    void takeSnapshot();
    const Snapshots& snapshots() const { return m_snapshots; }
    /// A session's snapshots take the place of those there are; a reference that is gone becomes the input.
    void replaceSnapshots(std::vector<Snapshot> snapshots);
    /// Undo and redo of parameters and inputs.
    History& history() { return *m_history; }
    /// Runs all checked variants, as soon as there is a picture and a device.
    void compare();
    /// Stops what is under way; what is done so far stays.
    void cancel();
    /// Gives up what is being filtered live, for something that needs the device more; the next change filters again.
    void dropLive();
    /// The current variant's picture in full depth, format by the name's ending; of a family whose results are no
    /// pictures, the picture itself.
    void saveResult(const QString& path);
    /// Values in the order in which they are taken.
    using NewValues = std::vector<std::pair<std::string, gpu::Parameter::Value>>;
    /// Work for a JobRunner: throws gpu::Error or io::Error.
    using ReadValues = std::function<NewValues(const QString& path)>;
    /// Reads values of the family's parameters from a file.
    void openValues(const QString& path, ReadValues read);
    /// Reads a file and makes it the value of a parameter that takes a picture.
    void openParameter(const std::string& id, const QString& path);
    void exportView(const QImage& view, const QString& path);
    /// Empty when no command says the same: the picture was computed here and not saved yet.
    QString command() const;

    /// What is asked for now, of some variants; `live`: once, unverified. A family and a picture are there.
    gpu::Request request(const std::vector<std::string>& variants, bool live) const;

    /// The one runner of the program: work on a device is done one after the other.
    gpu::Runner& runner() { return m_runner; }
    /// Who counts; null until it was handed in: then nothing can be counted.
    void setTracer(std::shared_ptr<gpu::Tracer> tracer) { m_tracer = std::move(tracer); }
    const std::shared_ptr<gpu::Tracer>& tracer() const { return m_tracer; }

    /// The result of a variant, with its picture; null when there is none.
    const gpu::RunRecord* result(const std::string& variant) const;
    /// Whether result() belongs to values that have changed since.
    bool stale(const std::string& variant) const;
    /// Whether result() came out well and its picture, which nobody looked at then, was not kept; it is computed again
    /// as soon as it is looked at.
    bool notKept(const std::string& variant) const;
    /// The largest picture that is kept of a result without a pane.
    void setKeptBytes(std::size_t bytes) { m_keptBytes = bytes; }
    /// Frames of the current variant's result, drawn on the device while a slider moves.
    LiveFrames& frames() { return m_frames; }
    /// Whether such a frame stands for the current variant's result, which has not come yet.
    bool previewed() const { return m_previewed; }
    /// To be told by who paints a frame, and in how many milliseconds (measured).
    void noteFramePainted(double ms);
    /// Kernel, transfer and display of one run apart; empty until its result was verified, and where another run's
    /// result has taken its place.
    QString frameTimes() const;
    /// Panes for results (the input has its own).
    void setPlaces(std::size_t places);
    const std::vector<std::string>& shown() const { return m_shown.ids(); }

    bool busy() const;
    /// Whether a comparison is under way.
    bool comparing() const { return m_comparing; }
    /// What is wrong, or what must be known; may hold <b>. Empty: nothing.
    QString notice() const;
    /// The comparison whose numbers are shown, without its pictures; null when there is none, or values changed since.
    const gpu::Report* lastReport() const { return m_report ? &*m_report : nullptr; }
    /// Says what was done, where the last job stands.
    void noteDone(const QString& what) { note(what); }
    /// Says one sentence that is not about a job.
    void report(const QString& sentence) { setError(sentence); }
    /// Says what a job of somebody else's did; in the status line.
    void tell(const QString& job) { note(job); }
    void dismissNotice();
    /// Whether notice() is about something that went wrong.
    bool noticeIsError() const { return !m_error.isEmpty(); }
    /// What the last job was and took: "Compared 9 variants in 4.1 s".
    const QString& lastJob() const { return m_lastJob; }
    /// Tells of a job that was done elsewhere; `ofRun`: no longer, once something else is asked for.
    void note(const QString& job, bool ofRun = false);
    /// First and last edge of the present histograms; absent when there is none, or when they belong to earlier values.
    std::optional<std::pair<double, double>> countedRange() const;
    /// Throughput of the current variant's verified run, or empty.
    QString rate() const;

signals:
    void devicesChanged();
    void deviceChanged();
    void currentChanged();
    void referenceChanged();
    /// A pane may have something new to show.
    void resultsChanged();
    /// A frame of new values, or of a new view, is in its pane.
    void framePainted(double ms);
    /// No frame is valid any more: the result has come, or will not.
    void framesEnded();
    void noticeChanged();
    void lastJobChanged();
    void busyChanged();
    void progress(double fraction, const QString& what);
    /// A file was read, or a save ended well; for recent files.
    void opened(const QString& input);
    void saved(const QString& path);
    /// A comparison ended, interrupted or not.
    void compared();

private:
    bool ready() const;
    void read(const QString& input, const ReadChoice& choice);
    void parametersChanged();
    void takePicture(const std::function<void()>& change);
    void dropRuns();
    void discardRuns();
    void resetResults();
    void refilter();
    /// Asks for a frame of the present values; false when there will be none.
    bool preview();
    void takeFrame(const LiveFrame& frame);
    void endFrames();
    void startLive();
    /// Verifies `first`, if there is one; then runs and verifies each of `others`.
    void startChecks(const gpu::Request& request, const std::optional<gpu::RunRecord>& first,
                     const std::vector<std::string>& others);
    /// What is looked at and lacks.
    std::vector<std::string> lookedAtAndLacking() const;
    /// Computes again what is looked at and was not kept.
    void fetch();
    /// `run` is the m_run that it was asked for in.
    void take(const gpu::RunRecord& record, std::uint64_t run, bool stale = false);
    /// What is asked for has changed: what was said about earlier runs no longer holds.
    void beginRun();
    struct Compared {
        gpu::Comparison comparison;
        gpu::Report report;
    };
    /// Makes the variant that `auto` took the current one.
    void followChoice(const gpu::RunRecord& record);
    void finishComparison(JobResult<Compared> result, int asked);
    void updateShown();
    /// Variants without a pane whose pictures are looked at all the same.
    std::vector<std::string> wantedUnseen() const;
    /// Whether there is no present result of a variant that one could look at.
    bool lacks(const std::string& variant) const;
    void chooseWinner();
    /// Puts the recorded run of the same work on another GPU beside the present one.
    void showRecorded();
    /// The current result when it has a picture and belongs to the present values; else null, and a notice.
    const gpu::RunRecord* presentPicture();
    void fail(const JobFailure& failure);
    void setError(const QString& message);

    Document m_document;
    ParameterState m_parameters;
    VariantListModel m_variants;
    RunTableModel m_runs;
    Snapshots m_snapshots;
    std::unique_ptr<History> m_history;
    ShownVariants m_shown;
    std::size_t m_places = 3;

    gpu::DeviceList m_devices;
    std::string m_device;
    std::optional<gpu::Limits> m_limits;
    std::string m_current;
    std::string m_reference = "input";
    bool m_baselineWanted = false;
    bool m_currentChosen = false;  ///< by the user; until then `auto` chooses

    struct Result {
        gpu::RunRecord record;
        bool stale = false;
        std::uint64_t run = 0;
    };
    std::map<std::string, Result> m_results;
    std::uint64_t m_run = 0;  ///< counts what was asked for: figures of one number belong to one run
    std::size_t m_keptBytes = std::size_t{64} << 20;
    QTimer m_fetch;

    /// What a family is left with and found with again.
    struct Left {
        std::string current, baseline;
        bool currentChosen = false;
        std::map<std::string, Result> results;
        gpu::Work work;
        std::optional<gpu::ClockState> clocks;
        std::optional<gpu::Report> report;
    };
    void leaveFamily();
    void takeUp(Left left);
    std::map<const gpu::Family*, Left> m_left;
    gpu::Work m_work;  ///< of the last comparison, as are the clocks
    std::optional<gpu::ClockState> m_clocks;

    std::optional<gpu::Report> m_report;
    bool m_compareAsked = false;
    bool m_comparing = false;
    QString m_error;
    bool m_deviceNoticeDismissed = false;
    QString m_lastJob;
    bool m_lastJobOfRun = false;  ///< it holds for what was asked for then
    QElapsedTimer m_clock;
    LivePolicy m_live;
    bool m_previewed = false;
    /// Of the last frame, milliseconds.
    struct FrameTimes {
        std::uint64_t run = 0;
        std::string variant;
        double transfer = 0, colour = 0, paint = 0;
    };
    std::optional<FrameTimes> m_frameTimes;

    std::shared_ptr<gpu::Tracer> m_tracer;
    gpu::Runner m_runner;  ///< outlives the jobs below
    LiveFrames m_frames{m_runner};
    JobRunner m_deviceJobs, m_openJobs, m_parameterJobs, m_saveJobs, m_computeJobs;
};

}  // namespace warplens::gui
