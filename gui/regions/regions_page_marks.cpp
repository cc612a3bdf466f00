// SPDX-License-Identifier: Apache-2.0
// The part of RegionsPage that shows: the panes, what is drawn over them, which table stands beside them.
#include "gpu/report/region_measures.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/regions/components_panel.hpp"
#include "gui/regions/counts_strip.hpp"
#include "gui/regions/regions_page.hpp"
#include "gui/session/pane_contents.hpp"
#include "gui/session/visible_variants.hpp"

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr double kSeenRegion = 24;  // screen pixels
constexpr std::int64_t kBand = 3;   // steps that are drawn as the frontier
constexpr double kRounding = 1e-6;  // by which exact results may differ
constexpr QRgb kOutside = 0xff1e1e1e, kDropped = 0xff000000;

/// The least box of what a family reached in a slice.
QRect reachedBox(const io::Grid& steps, std::int64_t slice) {
    const io::Shape& s = steps.shape();
    QRect box;
    for (std::int64_t y = 0; y < s.height; ++y) {
        const std::int32_t* row = steps.as<std::int32_t>() + (slice * s.height + y) * s.width;
        const auto inside = [](std::int32_t step) { return step >= 0; };
        const std::int32_t* first = std::find_if(row, row + s.width, inside);
        if (first == row + s.width) continue;
        const std::int32_t* last = row + s.width - 1;
        while (!inside(*last)) --last;
        box |= QRect(static_cast<int>(first - row), static_cast<int>(y), static_cast<int>(last - first) + 1, 1);
    }
    return box;
}

}  // namespace

const gpu::RunRecord* RegionsPage::record() const { return m_session.results().of(m_session.request().current()); }

PaneContent RegionsPage::resultContent() const {
    const std::string& id = m_session.request().current();
    const gpu::Variant* variant = m_session.variants().variant(id);
    const gpu::RunRecord* found = record();
    const gpu::Family* family = m_session.parameters().family();
    PaneContent pane;
    if (variant == nullptr || family == nullptr) return pane;
    if (found != nullptr) {
        pane = gui::resultPane(*found, *variant, false);
        if (m_session.results().notKept(id)) pane.message = tr("computing its picture again");
        if (m_session.results().stale(id)) {
            pane.state.reset();
            pane.timeMs.reset();
            pane.hint = tr("earlier values");
        }
    } else {
        pane.idea = variant->idea;
        pane.message = m_session.document().empty() ? QString() : tr("not run yet");
    }
    pane.key = QString::fromStdString(id);
    pane.title = regionsOf(pane.tables) != nullptr ? tr("Labels") : QString::fromStdString(family->title());
    pane.detail = QString::fromStdString(id);
    if (pane.picture != nullptr && regionsOf(pane.tables) == nullptr) {
        // Steps and distances: from 0, whatever stands for outside.
        const DisplayRange all = sampledRange(*pane.picture);
        pane.display = OwnDisplay{{0, std::max(1.0, all.high)}, ColourMap::viridis};
        if (const auto kind = resultKindOf(*family, m_session.parameters().values())) pane.legend = kind->values;
    }
    if (m_passed != nullptr) {
        pane.picture = m_passed;
        pane.state.reset();
        pane.timeMs.reset();
        pane.hint = tr("after pass %1").arg(format::integer(m_pass));
        pane.hintOrigin = Origin::counted;
    }
    return pane;
}

void RegionsPage::showResult() {
    m_result->setContent(resultContent());
    m_inspector->setPanes({m_input->content(), m_result->content()});
}

void RegionsPage::refresh() {
    if (!isVisible()) return;
    const gpu::RunRecord* found = record();
    const bool grows = found != nullptr && found->result.picture != nullptr &&
                       found->result.picture->type() == io::PixelType::i32 &&
                       m_session.parameters().findRole(gpu::Parameter::Role::seeds) != nullptr;
    const auto grown = grows ? found->result.picture : nullptr;
    if (grown != m_grown) {
        m_grown = grown;
        selectGrown();
    }
    PaneContent input = gui::inputPane(m_session.document().grid(), m_session.document().name());
    if (m_session.document().empty()) input.message = tr("Open a picture, or drop one here.");
    input.hint.clear();
    m_input->setContent(input);
    showResult();
    m_asMask->setEnabled(m_grown != nullptr);
    refreshSide();
    refreshKept();
    refreshWrong();
    refreshSelection();
}

void RegionsPage::selectGrown() {
    m_grownBox = {};
    m_grownPixels = 0;
    if (m_grown == nullptr) return;
    m_grownBox = reachedBox(*m_grown, std::min<std::int64_t>(m_view.slice(), m_grown->shape().depth - 1));
    const std::int32_t* steps = m_grown->as<std::int32_t>();
    m_grownPixels =
        std::count_if(steps, steps + m_grown->shape().pixels(), [](std::int32_t step) { return step >= 0; });
}

void RegionsPage::refreshMeasures() {
    if (m_final == nullptr) {
        m_measures.forget();
    } else if (isVisible()) {
        // Steps before may have left black and white alone; what the file says is measured, where it is as large.
        const RecipePlace* place = m_session.recipe().place();
        auto picture = place == nullptr ? nullptr : place->origin.picture.grid;
        if (gpu::sameExtents(m_final.get(), picture.get()) == nullptr) picture = m_session.document().grid();
        m_measures.ask({m_final, picture}, [labels = m_final, picture](const JobContext& context) {
            return std::make_shared<const gpu::Table>(
                gpu::measureRegions(*labels, gpu::sameExtents(labels.get(), picture.get()), context.stop()));
        });
    }
    const auto* found = m_measures.value();
    m_components->setMeasures(found == nullptr ? nullptr : *found);
}

void RegionsPage::refreshSide() {
    const gpu::RunRecord* found = record();
    const gpu::Tables tables = found == nullptr ? gpu::Tables{} : found->result.tables;
    const auto regions = regionsOf(tables);
    m_components->setTable(regions);
    const auto labels = regions != nullptr ? found->result.picture : nullptr;
    if (labels != m_final) {
        m_final = labels;
        m_replay.reset();
    }
    refreshMeasures();
    m_counts->setTables(tables);
    m_figures->setTables(regions == nullptr ? tables : gpu::Tables{});
    const bool alone = found != nullptr && tables.empty();
    m_tables->setCurrentWidget(regions != nullptr || found == nullptr ? static_cast<QWidget*>(m_components)
                               : alone                                ? m_told->parentWidget()
                                                                      : m_figures);
    m_told->clear();
    if (!alone || !found->verification) return;
    QString told = QString::fromStdString(found->verification->note);
    if (stateOf(*found) != ResultState::verified)
        told = QString::fromStdString(found->reason);
    else if (told.isEmpty())
        told = tr("Every value that was checked is exact.");
    else if (exactPicture() == nullptr)
        told += tr(".\n\nRun an exact variant as well to see where they lie.");
    m_told->setText(told);
}

std::shared_ptr<const io::Grid> RegionsPage::exactPicture() const {
    const auto picture = m_result->content().picture;
    for (const std::string& variant : m_session.variants().checked()) {
        const gpu::RunRecord* other = m_session.results().present(variant);
        const bool exact = other != nullptr && other->status == gpu::Status::ok && other->verification &&
                           other->verification->note.empty() && other->result.picture != nullptr;
        if (exact && picture != nullptr && other->result.picture->shape() == picture->shape() &&
            variant != m_session.request().current())
            return other->result.picture;
    }
    return nullptr;
}

void RegionsPage::refreshWrong() {
    m_wrong.setRule({});
    const gpu::RunRecord* found = record();
    const bool approximate = found != nullptr && found->result.tables.empty() && found->verification &&
                             !found->verification->note.empty() &&
                             !m_session.results().stale(m_session.request().current());
    const auto exact = approximate ? exactPicture() : nullptr;
    if (exact == nullptr) return;
    m_wrong.setRule([got = m_result->content().picture, exact, ink = colour(Role::wrong).rgb()](
                        std::int64_t x, std::int64_t y, std::int64_t z) {
        const double right = exact->value(x, y, z, 0);
        return got->value(x, y, z, 0) > right + kRounding * right ? ink : QRgb{0};
    });
}

void RegionsPage::refreshKept() {
    m_leftOut.setRule({});
    m_leftOutlines.setRule({});
    const auto picture = m_result->content().picture;
    const ComponentsModel& model = m_components->model();
    if (picture != nullptr && model.table() != nullptr && m_components->kept() < model.rowCount()) {
        // Regions left out by their labels.
        std::vector<bool> out;
        for (int row = 0; row < model.rowCount(); ++row) {
            const auto at = static_cast<std::size_t>(row);
            const auto label = static_cast<std::size_t>(std::max<std::int64_t>(0, model.label(at)));
            if (label >= out.size()) out.resize(std::max(label + 1, 2 * out.size()));
            out[label] = !m_components->keeps(at);
        }
        const auto labels = std::make_shared<const std::vector<bool>>(std::move(out));
        const auto leftOutLabel = [picture, labels](std::int64_t x, std::int64_t y, std::int64_t z) -> std::int64_t {
            const auto label = static_cast<std::int64_t>(picture->value(x, y, z, 0));
            const bool known = label > 0 && label < static_cast<std::int64_t>(labels->size());
            return known && (*labels)[static_cast<std::size_t>(label)] ? label : 0;
        };
        m_leftOut.setRule([leftOutLabel](std::int64_t x, std::int64_t y, std::int64_t z) {
            return leftOutLabel(x, y, z) != 0 ? kDropped : QRgb{0};
        });
        m_leftOutlines.setRule(leftOutLabel);
    } else if (m_grown != nullptr) {
        m_leftOut.setRule([steps = m_grown, last = lastStep()](std::int64_t x, std::int64_t y, std::int64_t z) {
            const auto at = static_cast<std::int64_t>(steps->value(x, y, z, 0));
            return at < 0 || at > last ? kOutside : QRgb{0};
        });
    }
    showChosen();
}

void RegionsPage::refreshSelection() {
    if (!isVisible()) return;
    const Mask& mask = m_session.mask();
    m_frontier.setRule({});
    if (m_grown != nullptr) {
        const std::int64_t last = lastStep();
        m_selected.setRule([steps = m_grown, last](std::int64_t x, std::int64_t y, std::int64_t z) -> std::int64_t {
            const auto at = static_cast<std::int64_t>(steps->value(x, y, z, 0));
            return at >= 0 && at <= last ? 1 : 0;
        });
        const auto step = m_counts->step();
        if (step) {
            m_frontier.setRule([steps = m_grown, last, ink = colour(Role::accent).rgb()](std::int64_t x, std::int64_t y,
                                                                                         std::int64_t z) {
                const auto at = static_cast<std::int64_t>(steps->value(x, y, z, 0));
                return at >= 0 && at <= last && at > last - kBand ? ink : QRgb{0};
            });
        }
        m_selectedTag.set(m_grownBox,
                          step ? tr("flood, step %1: frontier %2 pixels")
                                     .arg(format::integer(*step), format::integer(m_counts->count()))
                               : tr("wand: %1 pixels").arg(format::integer(m_grownPixels)),
                          Origin::counted);
    } else if (!mask.empty() || mask.painting()) {
        m_selected.setRule([&mask](std::int64_t x, std::int64_t y, std::int64_t z) -> std::int64_t {
            return mask.at(x, y, z) ? 1 : 0;
        });
        // A stroke under way is counted when it ends.
        const bool wand = m_session.regions().tool() == RegionTool::wand;
        if (!mask.painting())
            m_selectedTag.set(
                mask.bounds(m_view.slice()),
                (wand ? tr("wand: %1 pixels") : tr("selected: %1 pixels")).arg(format::integer(mask.inside())),
                Origin::counted);
    } else {
        m_selected.setRule({});
        m_selectedTag.set({}, {}, std::nullopt);
    }
    m_input->view()->update();
}

std::optional<RowPlace> RegionsPage::chosenPlace() const {
    const auto row = m_components->chosen();
    const auto& table = m_components->model().table();
    return row && table != nullptr ? placeOf(*table, *row) : std::nullopt;
}

void RegionsPage::showChosen() {
    const auto place = chosenPlace();
    QString text;
    bool here = false;
    if (place) {
        const std::size_t row = *m_components->chosen();
        const gpu::Table& table = *m_components->model().table();
        text = tr("label %1").arg(format::integer(m_components->model().label(row)));
        const gpu::Column *first = table.find("z0"), *last = table.find("z1");
        here = first == nullptr || last == nullptr ||
               (first->number(row) <= m_view.slice() && last->number(row) >= m_view.slice());
    }
    m_chosenTag.set(here ? place->box : QRectF(), text, std::nullopt);
    for (Pane* pane : {m_input, m_result}) pane->view()->update();
}

void RegionsPage::goToChosen() {
    const auto place = chosenPlace();
    if (!place || m_choosing) return;
    if (m_chosenTag.pixels().isEmpty()) m_view.setSlice(place->slice);  // it lies in other slices
    bringIntoView(place->box);
}

void RegionsPage::bringIntoView(const QRectF& box) {
    const ImageView& view = *m_result->view();
    if (box.isEmpty()) return;
    const double extent = std::max(box.width(), box.height());
    const bool small = m_view.zoom() * extent < kSeenRegion;
    if (small) m_view.setZoom(kSeenRegion / extent);
    const QRectF seen(view.toPicture({0, 0}), view.toPicture({1.0 * view.width(), 1.0 * view.height()}));
    if (small || !seen.contains(box)) m_view.setCentre(box.center());
}

void RegionsPage::takeAsMask() {
    if (m_grown == nullptr) return;
    Mask& mask = m_session.mask();
    mask.begin(tr("grown region"), true);
    mask.fill(false);
    mask.pixels(*m_grown, 0, m_view.slice());
    mask.end();
    m_session.activity().note(tr("%1 pixels are the mask now").arg(format::integer(mask.inside())));
}

}  // namespace warplens::gui
