// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QString>
#include <QStringList>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gui {

/// The fields of one variant after some steps.
struct KeptFrame {
    std::int64_t step = 0;
    std::string variant;
    std::shared_ptr<const io::Grid> field;
};

/// Frames of an iteration in bounded memory. When they outgrow the bound, every other one is dropped and from then on
/// only half as many are kept, so that what is left is spread over the whole run. The first and the newest are always
/// there, whatever they take.
class FrameStore {
public:
    static constexpr std::size_t kBound = std::size_t{256} << 20;

    explicit FrameStore(std::size_t bound = kBound) : m_bound(bound) {}
    void clear();
    /// A step beyond the newest, or the newest again.
    void add(KeptFrame frame);
    /// By step, ascending.
    const std::vector<KeptFrame>& frames() const { return m_frames; }
    bool empty() const { return m_frames.empty(); }
    /// Index of the frame nearest to a step, the earlier of two; 0 when there is none.
    std::size_t nearest(std::int64_t step) const;
    std::size_t bytes() const;
    std::size_t bound() const { return m_bound; }

private:
    void thin();

    std::size_t m_bound;
    std::int64_t m_apart = 1;  ///< steps between two kept frames, at least; the newest may be nearer
    std::vector<KeptFrame> m_frames;
};

/// Frames to be written as pictures, each drawn on the worker.
struct FrameExport {
    std::vector<std::shared_ptr<const io::Grid>> fields;
    std::function<QImage(const io::Grid&)> draw;
    QString path;  ///< "heat.png" stands for heat-0000.png, heat-0001.png ..., which "series:heat-####.png" reads again
};

/// The files that `count` frames go to: numbers from 0 on, four digits or more.
QStringList seriesNames(const QString& path, std::size_t count);

/// Work for a JobRunner: writes 8-bit PNGs, each atomically, through the codec process. Files that are there already
/// are left alone and refused before the first is written. Stopping leaves those that are done. Throws io::Error, which
/// says how many are. Returns their number.
std::size_t writeFrames(const FrameExport& frames, const JobContext& context);

}  // namespace warplens::gui
