// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/results.hpp"
#include "gui/session/snapshots.hpp"
#include "io/write.hpp"

#include <QImage>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gui {

class ViewState;

/// What is done with a result: saved, kept to compare with later.
class ResultFiles : public QObject {
    Q_OBJECT
public:
    ResultFiles(RequestState& request, VisibleVariants& lookedAt, Results& results, Snapshots& snapshots,
                Activity& activity, QObject* parent = nullptr);

    /// The current result when it has a picture and belongs to the present values; else null.
    const gpu::RunRecord* present() const;
    /// The same; without one it says so.
    const gpu::RunRecord* presentPicture();
    /// Keeps the current variant's result, to compare with later.
    void takeSnapshot();
    /// A session's snapshots take the place of those there are; a reference that is gone becomes the input.
    void replaceSnapshots(std::vector<Snapshot> snapshots);
    /// The current variant's picture in full depth, format by the name's ending; of a family whose results are no
    /// pictures, the picture itself.
    void save(const QString& path);
    /// The picture that is open, in full depth.
    void savePicture(const QString& path) { write(m_request.document().grid(), path); }
    /// Any picture, as what is painted.
    void write(const std::shared_ptr<const io::Grid>& picture, const QString& path, const io::WriteOptions& how = {});
    void exportView(const QImage& view, const QString& path);
    /// Puts the current variant's picture on the clipboard in full size, as `view` shows it; without one the picture
    /// that is open.
    void copy(const ViewState& view);
    /// Whether a file can be saved now; it says why not.
    bool ready();

signals:
    /// present() may be another.
    void presentChanged();
    /// A save ended well.
    void saved(const QString& path);

private:
    void start(std::function<Done(const std::stop_token&)> work, const QString& what, const QString& path);

    RequestState& m_request;
    VisibleVariants& m_lookedAt;
    Results& m_results;
    Snapshots& m_snapshots;
    Activity& m_activity;
    JobRunner m_jobs, m_copyJobs;
};

}  // namespace warplens::gui
