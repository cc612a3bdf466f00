// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/autotune.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gpu/run/statistics.hpp"
#include "gpu/run/timing.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace warplens::gpu {
namespace {

using Steady = std::chrono::steady_clock;

// Of each part of the budget, what may go by before the best take turns.
constexpr double kFirstShare = 0.6, kFirstLaunchShare = 0.8;
// A guess is not followed further.
constexpr double kHopeless = 2;
// Rows that are timed by single launches, and so well from the first; short ones come to be told apart in turns.
constexpr double kHopelessLong = 1.25;
// One sample, then several, are enough to drop a row that takes so much more than the best.
constexpr double kBehindOnce = 1.3, kBehind = 1.1;
// A short row's second launch may record a graph.
constexpr double kGraphMs = 2;
// Loading a kernel's code takes less than that; rows so long need not be launched twice to see that they are behind.
constexpr double kLoadMs = 100;
constexpr int kMostSamples = 9;

struct Row {
    const Guess* guess = nullptr;
    const Variant* variant = nullptr;
    TunableValues tunables{};
    double roughMs = 0;
    std::vector<double> ms{};
    int repeats = 1;
    bool out = false;

    double best() const { return ms.empty() ? roughMs : summarise(ms, Clock::device).medianMs; }
    int samples() const { return std::max<int>(1, static_cast<int>(ms.size())); }
};

class GuessRace {
public:
    GuessRace(const Family& family, const Problem& problem, Device& device, const std::vector<Session*>& sets,
              const AutotuneBudget& budget, const std::stop_token& stop)
        : m_family(family), m_problem(problem), m_device(device), m_sets(sets), m_budget(budget), m_stop(stop) {}

    AutotuneResult run(const std::vector<Guess>& guesses) {
        const auto start = Steady::now();
        for (const Guess& guess : guesses) {
            const bool beyond = m_raced.kernelMs >= kFirstShare * m_budget.ms;
            if (beyond && m_raced.launches >= kFirstLaunchShare * m_budget.launches) break;
            const bool near = guess.relative && *guess.relative <= kHopeless;
            if (!beyond || near || m_rows.empty()) attempt(guess);
        }
        for (Row& row : m_rows) {
            const bool expected = row.guess->relative && *row.guess->relative <= kHopelessLong;
            if (expected && behind(row) && row.roughMs >= kGraphMs && row.roughMs < m_budget.ms) again(row);
        }
        for (Row& row : m_rows) row.out = behind(row);
        takeTurns();
        std::ranges::stable_sort(
            m_rows, [](const Row& a, const Row& b) { return std::pair(a.out, a.best()) < std::pair(b.out, b.best()); });
        for (const Row& row : m_rows)
            m_raced.rows.push_back({.variant = row.variant->id,
                                    .tunables = row.guess->choice.tunables,
                                    .ms = row.best(),
                                    .samples = row.samples(),
                                    .id = RunKey{row.variant->id, changed(row)}.id()});
        m_raced.wallMs = std::chrono::duration<double, std::milli>(Steady::now() - start).count();
        m_device.takeLaunchFacts();
        return std::move(m_raced);
    }

private:
    static TunableValues changed(const Row& row) {
        TunableValues others;
        for (const auto& [id, value] : row.guess->choice.tunables)
            if (std::ranges::none_of(row.variant->tunables, [&, &id = id, &value = value](const Tunable& t) {
                    return t.id == id && t.fallback == value;
                }))
                others[id] = value;
        return others;
    }

    double bestRough() const {
        double best = std::numeric_limits<double>::max();
        for (const Row& row : m_rows) best = std::min(best, row.roughMs);
        return best;
    }

    bool behind(const Row& row) const {
        return row.roughMs > bestRough() * (row.repeats > 1 ? kHopeless : kHopelessLong);
    }

    /// What stands near the best in a table is not dropped for one launch, which something else may have held up.
    void again(Row& row) {
        Session& session = *m_sets.front();
        session.prepare(*row.variant, row.tunables);
        row.roughMs = std::min(row.roughMs, timed([&] { launch(session); }));
        settle(row);
    }

    static void settle(Row& row) {
        row.repeats = repeatsFor(row.roughMs);
        row.ms.clear();
        if (row.repeats == 1) row.ms.push_back(row.roughMs);
    }

    void launch(Session& session) {
        if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        ++m_raced.launches;
        session.launch();
    }

    double timed(const std::function<void()>& work) {
        const double ms = m_device.time(work);
        m_raced.kernelMs += ms;
        return ms;
    }

    void attempt(const Guess& guess) {
        Row row{.guess = &guess, .variant = &variantOf(m_family, guess.choice.variant)};
        try {
            row.tunables = m_problem.resolved(*row.variant, guess.choice.tunables, m_device.info());
            first(row);
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::fault)
                throw Error(Error::Kind::fault, "auto, trying " + row.variant->id + ": " + error.what());
            if (error.kind() == Error::Kind::cancelled) throw;
            return;
        }
        m_rows.push_back(std::move(row));
    }

    void first(Row& row) {
        Session& session = *m_sets.front();
        session.prepare(*row.variant, row.tunables);
        m_device.takeLaunchFacts();  // of launches before; they would even crowd out this row's
        const double best = bestRough();
        const bool known = !m_rows.empty();
        if (known) {
            row.roughMs = m_device.time([&] { launch(session); });
        } else {
            launch(session);
            m_device.synchronize();
        }
        if (known && (row.roughMs > kHopeless * best + kLoadMs || best > kLoadMs)) {
            m_raced.kernelMs += row.roughMs;
        } else {
            row.roughMs = m_device.time([&] { launch(session); });
            if (row.roughMs < kGraphMs)
                row.roughMs = std::min(row.roughMs, timed([&] { launch(session); }));
            else
                m_raced.kernelMs += row.roughMs;
        }
        const auto special = m_device.takeLaunchFacts().special;
        m_raced.provisional = m_raced.provisional || (special && special->pending);
        settle(row);
    }

    bool spent() const { return m_raced.kernelMs >= m_budget.ms && m_raced.launches >= m_budget.launches; }

    void takeTurns() {
        const auto running = [](const Row& row) { return !row.out; };
        for (int round = 0; round < kMostSamples && std::ranges::count_if(m_rows, running) > 1; ++round) {
            for (Row& row : m_rows) {
                if (row.out) continue;
                // What short rows took by themselves is mostly the launch: each has its first turn.
                if (!spent() || row.ms.empty()) sample(row);
            }
            drop();
            if (spent()) return;
        }
    }

    void sample(Row& row) {
        for (Session* session : m_sets) session->prepare(*row.variant, row.tunables);
        // Of further sets code and graphs are still to be made.
        const std::size_t untimed = row.repeats == 1 ? 0 : row.ms.empty() && m_sets.size() > 1 ? 2 : 1;
        for (std::size_t i = 0; i < untimed; ++i)
            for (Session* session : m_sets) launch(*session);
        m_device.synchronize();
        const double ms = timed([&] {
            for (int i = 0; i < row.repeats; ++i) {
                launch(*m_sets[m_next]);
                m_next = (m_next + 1) % m_sets.size();
            }
        });
        row.ms.push_back(ms / row.repeats);
    }

    /// Rows that are clearly behind.
    void drop() {
        const Row* best = nullptr;
        for (const Row& row : m_rows)
            if (!row.out && (best == nullptr || row.best() < best->best())) best = &row;
        const Timing ahead = summarise(best->ms, Clock::device);
        for (Row& row : m_rows) {
            if (row.out || &row == best) continue;
            const Timing time = summarise(row.ms, Clock::device);
            const bool parted = time.samples >= 3 && time.lowMs > ahead.highMs;
            row.out = parted || time.medianMs > ahead.medianMs * (time.samples == 1 ? kBehindOnce : kBehind);
        }
    }

    const Family& m_family;
    const Problem& m_problem;
    Device& m_device;
    const std::vector<Session*>& m_sets;
    const AutotuneBudget m_budget;
    const std::stop_token& m_stop;
    std::vector<Row> m_rows;
    std::size_t m_next = 0;  ///< the set whose turn it is
    AutotuneResult m_raced;
};

}  // namespace

AutotuneResult autotune(const Family& family, const Problem& problem, Device& device, const std::vector<Session*>& sets,
                        const std::vector<Guess>& guesses, const AutotuneBudget& budget, const std::stop_token& stop) {
    return GuessRace(family, problem, device, sets, budget, stop).run(guesses);
}

}  // namespace warplens::gpu
