// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/call_files.hpp"
#include "app/cli/computation.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/tell.hpp"
#include "gpu/report/timeline.hpp"
#include "gpu/run/picture_batch.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::cli {

/// --resume, --codecs and --timeline.
struct BatchOptions {
    explicit BatchOptions(CLI::App& command);

    /// Throws ArgumentError where there is no place to look for results.
    void check(const std::string& output) const;

    bool resume = false;
    int codecs = 0;  ///< how many pictures are decoded at once, and encoded; 0: by the processors
    std::string timeline;
};

/// One input on its way, and what is written and said of it. A failure comes after its acts.
struct Picture : gpu::BatchPicture {
    /// Files are written while others compute; what is said waits for the picture's turn, and for its file.
    struct Act {
        std::function<void(const std::stop_token&)> write{};
        RunMessages said{};
        std::string json{};
    };
    std::string stem{};
    gpu::Request request{};
    Computed computed{};
    std::vector<gpu::TimedRun> timed{};
    std::vector<Act> acts{};
    std::size_t done = 0;  ///< of the acts, by now
    int status = 0;
    bool interrupted = false;        ///< its acts say so
    std::filesystem::path there{};   ///< its result, when an earlier call wrote it
    std::filesystem::path result{};  ///< where its result goes
    std::string otherFormat{};       ///< why that is not in the input's format; empty: it is
    bool written = false;            ///< nothing is left to do but to say so
    bool fine = false;               ///< it came through
};

/// The inputs of `run` as a batch; files, messages and statuses are those of one input after the other.
class Batch {
public:
    /// What is done with a decoded picture.
    struct Work {
        int computing = 1;                  ///< threads that call `compute`, each for another picture (Picture::worker)
        std::vector<std::string> places{};  ///< the device of each, where there are several
        /// Each takes the next picture when it is free.
        std::function<void(Picture&, const std::stop_token&)> compute{};
        /// Called for one picture at a time, in the order of the inputs.
        std::function<void(Picture&, const std::stop_token&)> verify{};  ///< empty: compute does it
    };

    /// `toFolder`: -o names a folder. `files` refuses what would be written over an input, or twice, the timeline among
    /// it; throws ArgumentError and io::Error.
    Batch(const BatchOptions& options, const RequestOptions& request, const Inputs& inputs, bool toFolder,
          CallFiles& files);

    /// With --resume: inputs of which a result of this family stands there and is not older are left out.
    void leaveOutDone(const gpu::Family& family);
    /// Before `path` is written: CallFiles::writes(), from any thread.
    void claim(const std::string& option, const std::filesystem::path& path);
    /// Where the picture's result goes. Throws ArgumentError when that is an input or another one's result.
    std::filesystem::path resultName(Picture& picture, const gpu::Result& result);
    /// The status of all inputs.
    int run(const Work& work, const std::stop_token& stop);
    /// Shows how far the picture at work is, on a terminal; from any thread.
    void show(const Picture& picture, double fraction, const std::string& what);

private:
    gpu::PictureBatch::Work workOf(const Work& work);
    std::vector<std::filesystem::path> resultsOf(const Picture& picture, const gpu::Family& family) const;
    void deliver(Picture& picture, const std::exception_ptr& failure);
    void tellOutOfTurn(std::size_t delivered);
    void endInterrupted(std::size_t delivered);
    void tellSkipped(std::size_t before);
    void summarise(const gpu::PipelineRun& run, const std::vector<gpu::PipelineStage>& stages);

    const BatchOptions& m_options;
    const RequestOptions& m_request;
    CallFiles& m_files;
    bool m_batch, m_toFolder;
    std::deque<Picture> m_pictures;   ///< of all inputs
    std::vector<std::size_t> m_todo;  ///< those that go through
    std::size_t m_told = 0;           ///< so many of all inputs
    std::size_t m_fine = 0;
    std::map<std::string, std::size_t> m_otherFormats;  ///< results by why they are not in their inputs' format
    int m_status = 0;
    std::mutex m_terminal, m_claims;
    Progress m_progress;
};

}  // namespace warplens::cli
