// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/playback.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/families/stencil/stencil.hpp"
#include "gpu/kernels/transfer.hpp"

#include <algorithm>
#include <limits>

namespace warplens::gpu::stencil {

/// A variant that takes part.
struct Playback::Entrant {
    const Variant* variant;
    std::string id;
    std::size_t player;  ///< in the state's list
    Stepper stepper;
};

Playback::Playback(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
                   const std::vector<std::string>& variants, const TunableValues& tunables, const std::string& device)
    : m_problem(std::make_unique<StencilProblem>(std::move(input), values)), m_device(openDevice(device)) {
    keepResident(*m_device, m_problem->inputPointer(), m_resident);
    std::string why = "no variant was chosen";
    for (const std::string& id : variants) {
        const AskedRun run = askedRun(family(), id);
        const Variant& variant = *run.variant;
        Player player{.variant = id, .refusal = {}, .msPerStep = 0, .gcellsPerSecond = 0};
        const TunableValues chosen = resolve(variant, run.over(tunables));
        player.refusal = variant.kind == Variant::Kind::library ? "a library, which is not stepped"
                                                                : m_problem->refusal(variant, chosen, m_device->info());
        if (player.refusal.empty()) {
            m_entrants.push_back(std::make_unique<Entrant>(Entrant{
                &variant, id, m_state.players.size(), Stepper(*m_device, m_problem->extent(), m_problem->op())}));
            m_entrants.back()->stepper.load(m_resident.planes, m_problem->input().type());
            m_entrants.back()->stepper.prepare(variant, chosen);
        } else {
            why = id + ": " + player.refusal;
        }
        m_state.players.push_back(std::move(player));
    }
    if (m_entrants.empty()) throw Error(Error::Kind::unsupported, "nothing to play: " + why);
    const auto single = std::find_if(m_entrants.begin(), m_entrants.end(),
                                     [](const auto& entrant) { return entrant->variant->id != "fused"; });
    m_leader = single == m_entrants.end() ? 0 : static_cast<std::size_t>(single - m_entrants.begin());
    restart();
}

Playback::~Playback() = default;

const PlaybackState& Playback::restart() {
    for (const auto& entrant : m_entrants) entrant->stepper.restart();
    m_state.step = 0;
    m_state.change = std::numeric_limits<double>::quiet_NaN();
    return m_state;
}

bool Playback::even() const {
    return std::ranges::all_of(m_entrants,
                               [&](const auto& entrant) { return entrant->stepper.step() == m_state.step; });
}

const PlaybackState& Playback::advance(std::int64_t steps, std::stop_token stop) {
    m_device->setStop(stop);
    // After a stop some are ahead: everybody goes beyond the foremost, so that the last step is one that all of them
    // take.
    std::int64_t target = m_state.step + steps;
    if (!even())
        for (const auto& entrant : m_entrants) target = std::max(target, entrant->stepper.step() + 1);
    const Extent extent = m_problem->extent();
    const double cells = static_cast<double>(extent.cells()) * extent.stepped;
    for (std::size_t i = 0; i < m_entrants.size(); ++i) {
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        Stepper& stepper = m_entrants[i]->stepper;
        const std::int64_t left = target - stepper.step();
        const double ms = m_device->time([&] {
            // The change of a step needs that step by itself.
            if (i == m_leader && left > 1) stepper.advance(left - 1);
            stepper.advance(i == m_leader ? 1 : left);
        });
        Player& player = m_state.players[m_entrants[i]->player];
        player.msPerStep = ms / static_cast<double>(left);
        player.gcellsPerSecond = ms > 0 ? cells * static_cast<double>(left) / ms * 1e-6 : 0;
    }
    const double change = m_entrants[m_leader]->stepper.change();
    m_state.step = target;
    m_state.change = change;
    return m_state;
}

Playback::Entrant& Playback::entrantOf(const std::string& id) {
    const auto found = std::ranges::find_if(m_entrants, [&](const auto& entrant) { return entrant->id == id; });
    if (found == m_entrants.end()) throw Error(Error::Kind::argument, id + " does not take part in this playback");
    return **found;
}

std::shared_ptr<const io::Grid> Playback::frame(const std::string& variant) {
    io::Grid field(m_problem->input().shape(), io::PixelType::f32);
    double layoutMs = 0, downloadMs = 0;
    downloadPlanes(*m_device, entrantOf(variant).stepper.current(), field, layoutMs, downloadMs);
    return m_problem->finish(std::move(field));
}

Verification Playback::verify(const std::string& variant, std::stop_token stop) {
    const Evolution evolution{entrantOf(variant).stepper.step(), "iterations", {}};
    return m_problem->verify({.picture = frame(variant), .tables = tablesOf(evolution)}, *entrantOf(variant).variant,
                             std::move(stop));
}

}  // namespace warplens::gpu::stencil
