// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/block_probe.hpp"
#include "gpu/trace/film.hpp"
#include "gpu/trace/picture_places.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu::trace {

/// Writes down the life of one block. Launches before it are run; once it is there, the work that launches is left by
/// throwing Done.
class FilmRecorder final : public BlockProbe {
public:
    struct Done {};
    /// So many steps are kept.
    static constexpr std::size_t kMostSteps = 20'000;

    FilmRecorder(const FilmQuery& query, PicturePlaces places);

    std::vector<uint3> blocks(const LaunchView& launch) override;
    bool follows() const override { return true; }
    void keep(const Recorder& recorder) override { m_recorder = &recorder; }
    bool look(const LaunchView& launch, uint3 index, std::span<const LaneLog> threads, const FlowGraph& graph) override;

    /// The block's film. Throws Error(argument) when none of the launches had it: which kernels there were.
    Film take();

private:
    bool asked(const LaunchView& launch);
    void addWarp(const LaunchView& launch, int warp, std::span<const LaneLog> lanes, const FlowGraph& graph,
                 RequestWriter& writer);
    void addBarriers();
    int arrayOf(const LaunchView& launch, const LoggedAccess& access);

    FilmQuery m_query;
    PicturePlaces m_places;
    const Recorder* m_recorder = nullptr;
    std::vector<std::string> m_kernels;  ///< launched so far
    int m_launches = 0;                  ///< of the asked kernel
    std::string m_refusal;
    std::vector<std::uint16_t> m_arrays;  ///< numbers in the trace, in the film's order
    std::optional<Film> m_film;
};

}  // namespace warplens::gpu::trace
