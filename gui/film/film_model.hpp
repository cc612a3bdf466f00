// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/trace/film.hpp"
#include "gui/kit/derived.hpp"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

/// The film of one block of the current variant, and the step that is shown of it.
class FilmModel : public QObject {
    Q_OBJECT
public:
    explicit FilmModel(QObject* parent = nullptr);

    /// Who makes films; empty until it was handed in.
    void setMaker(gpu::FilmMaker maker) { m_maker = std::move(maker); }
    /// What is filmed: the task with the variant alone. Nothing: `why` says so.
    void setTask(std::optional<gpu::Request> request, const gpu::Variant* variant, const QString& why = {});
    /// Whether it is of a kernel of the user's.
    bool own() const { return m_request && !m_request->kernels.empty(); }
    /// Films a launch of one of the variant's kernels, from 0; no kernel: the first.
    void setLaunch(const std::string& kernel, int launch);
    /// Films the block that has to do with a pixel.
    void pick(std::int64_t x, std::int64_t y, std::int64_t z);

    /// Null while there is none: problem() says why, or it is being made.
    const gpu::Film* film() const { return m_asked.value(); }
    const gpu::Variant* variant() const { return m_variant; }
    const io::Grid* picture() const { return m_request ? m_request->input.get() : nullptr; }
    QString problem() const { return m_why.isEmpty() ? m_asked.problem() : m_why; }
    bool busy() const { return m_asked.busy(); }

    /// The step that is shown: those before it are done. From 0 to the number of steps less one.
    int at() const { return m_at; }
    int steps() const { return film() == nullptr ? 0 : static_cast<int>(film()->steps.size()); }
    const gpu::FilmStep* step() const;
    /// What is done once the step shown is done as well.
    const gpu::FilmState& state() const { return *m_state; }
    /// What a warp does while the step shown is made.
    gpu::FilmState::Warp doing(int warp) const {
        return m_over ? gpu::FilmState::Warp::ended : m_state->warp(warp, m_at);
    }
    const std::vector<gpu::FilmPhase>& phases() const { return m_phases; }
    const gpu::FilmPhase* phase() const;
    /// The column in which a step stands: that of its request among those of all warps between two barriers.
    int columnOf(int step) const { return m_columns[static_cast<std::size_t>(step)]; }
    int columns() const { return m_columns.empty() ? 0 : m_columns.back() + 1; }
    /// The picture's values that the step touches, or that lie in the cells it touches, numbered through its planes.
    std::vector<std::int64_t> pixels() const;
    /// Where the step is made: in the variant's own source, else in the nearest file of kernels. Before there is a
    /// step, and of what the compiler made, line 0 of the variant's.
    struct Place {
        std::string file;
        int line = 0;
    };
    Place place() const { return step() == nullptr ? Place{m_variant->source} : placeOf(*step()); }
    int line() const { return m_variant == nullptr ? 0 : place().line; }

    void goTo(int step);
    /// By so many phases that have steps.
    void goByPhase(int by);
    /// To the step of another warp in the same column, or the next one of it.
    void chooseWarp(int warp, int column);
    void goToLine(int line);
    /// Beside a longer film: it has ended, and its last step stays.
    void setOver(bool over);
    bool over() const { return m_over; }

signals:
    /// Another film, or none.
    void filmChanged();
    void stepChanged();

private:
    void ask();
    void take();
    Place placeOf(const gpu::FilmStep& step) const;

    struct Key {
        std::weak_ptr<const io::Grid> input;
        std::string family, variant;
        gpu::ParameterValues parameters;
        gpu::FilmQuery query;
        bool operator==(const Key& other) const {
            return input.lock() == other.input.lock() && family == other.family && variant == other.variant &&
                   parameters == other.parameters && query == other.query;
        }
    };
    static constexpr std::size_t kKept = 4;

    gpu::FilmMaker m_maker;
    std::optional<gpu::Request> m_request;
    const gpu::Variant* m_variant = nullptr;
    gpu::FilmQuery m_query;
    QString m_why;
    std::unique_ptr<gpu::FilmState> m_state;
    std::vector<gpu::FilmPhase> m_phases;
    std::vector<int> m_columns;
    int m_at = 0;
    bool m_over = false;
    Derived<Key, gpu::Film> m_asked{[this] { take(); }, kKept};
};

}  // namespace warplens::gui
