// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run/tuning.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A way to bring pictures from the host through a kernel and back.
struct TransferStrategy {
    std::string id{}, title{};
    std::string idea{};  ///< one clause
};
/// From the slowest of the textbooks on; those at the end copy nothing themselves.
const std::vector<TransferStrategy>& movementWays();

/// The same work for every way: so many pictures of one size through one variant.
struct MovementRequest {
    std::shared_ptr<const io::Grid> input;  ///< the others are this one, its rows moved on
    std::string inputName, family;
    ParameterValues parameters;
    std::string variant = "auto";  ///< a run id, or what the tuning chooses
    TunableValues tunables;
    std::size_t pictures = 16;
    int samples = 5;                ///< after one that does not count
    std::vector<std::string> ways;  ///< empty: all
    std::int64_t memoryCap = 0;     ///< bytes that may be allocated on the device; 0: whatever it has
};

enum class MovementEngine { upload, kernel, download, graph, hostReads };
const char* nameOf(MovementEngine engine);  ///< "upload", "kernel", "download", "graph", "host reads"

/// What an engine did when, in seconds since the way began, by the device's clock (host reads: the host's). Of two
/// that an engine had at once the later one begins where the earlier one ends.
struct MovementSpan {
    std::size_t item = 0;
    MovementEngine engine = MovementEngine::kernel;
    int lane = 0;
    double begin = 0, end = 0;
};

/// What moves at once: a picture, a band of one, or several.
struct MovementItem {
    std::string name;
    std::int64_t bytes = 0;  ///< sent
};

/// A way's run: immutable once made.
struct MovementRow {
    std::string way{};
    Status status = Status::ok;
    std::string reason{};      ///< of wrong, failed and unsupported
    std::vector<double> ms{};  ///< each sample, from the first call until all is on the host; steady clock
    double medianMs = 0;       ///< measured; 0 unless status is ok
    std::vector<MovementItem> items{};
    std::vector<MovementSpan> spans{};  ///< of a further sample, whose clocks take time as well
    double seconds = 0;                 ///< of that sample
};

/// One comparison of ways.
struct TransferBenchmark {
    DeviceInfo device{};
    Environment environment{};
    std::string inputName{}, family{}, variant{};
    ParameterValues parameters{};  ///< defaults included
    TunableValues tunables{};
    std::optional<Choice> choice{};
    std::size_t pictures = 0;
    std::int64_t sentBytes = 0, madeBytes = 0;  ///< of a picture
    Verification verification{};                ///< of the first picture
    std::vector<MovementRow> rows{};
    bool interrupted = false;

    double gigabytes(std::int64_t bytes) const {
        return static_cast<double>(bytes) * static_cast<double>(pictures) * 1e-9;
    }
};

/// The fastest copy of each direction over pinned memory with nothing beside it, in GB/s; 0: none was timed.
struct LinkRates {
    double up = 0, down = 0;
};
LinkRates linkOf(const TransferBenchmark& movement);
/// Milliseconds that the busier direction takes at its fastest (modelled): no way that copies is faster. 0: not known.
double floorOf(const TransferBenchmark& movement);

/// Runs the ways one after the other. Every picture of every way has the bits of that picture moved alone, or the row
/// is wrong. Throws Error for what makes all of it impossible; a stop returns what is done, with `interrupted` set.
TransferBenchmark measureMovement(const MovementRequest& request, const Tuning& tuning, Device& device,
                                  std::stop_token stop,
                                  const std::function<void(double fraction, const std::string& what)>& progress = {});

}  // namespace warplens::gpu
