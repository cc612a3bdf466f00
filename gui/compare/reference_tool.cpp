// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/tools.hpp"
#include "gui/kit/keys.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/tool_strip.hpp"
#include "gui/picture/page.hpp"
#include "gui/picture/page_tool.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/pane_contents.hpp"

namespace warplens::gui {

namespace {

class ReferenceTool : public PageTool {
public:
    ReferenceTool(Page& page, PaneGrid& panes, CompareSession& session) : PageTool(page, panes), m_session(session) {
        makeSwitch({.id = "double-reference",
                    .text = tr("Pane of the dou&ble reference"),
                    .key = Qt::Key_G,
                    .tip = tr("What the check compares the current result with, computed in double precision."),
                    .sessionKey = "double_reference"});
        connect(action(), &QAction::toggled, this, &PageTool::paneChanged);
        makeCommand("reference-double", tr("Reference double reference"), Qt::SHIFT | Qt::Key_G,
                    [this] { m_session.lookedAt().setReference(kExactKey.toStdString()); });
        connect(new ShiftKey(&page), &ShiftKey::held, &panes, &PaneGrid::setFlipped);
        connect(&session.lookedAt(), &VisibleVariants::referenceChanged, this, &PageTool::contentsWanted);
        connect(&session.exact(), &ReferenceModel::changed, this, &PageTool::changed);
    }

    /// The button that flips while it is held.
    void addTo(ToolStrip& strip) override {
        auto* flip = new KeyButton(tr("Flip"), tr("Shift"), &strip);
        setWidgetText(flip,
                      {.id = "flip", .tip = tr("While held, every pane shows the reference. Shift+1 … 9 choose it.")});
        connect(flip, &QPushButton::pressed, &panes(), [this] { panes().setFlipped(true); });
        connect(flip, &QPushButton::released, &panes(), [this] { panes().setFlipped(false); });
        auto* toggle = new QAction(tr("Flip"), this);
        toggle->setCheckable(true);
        connect(toggle, &QAction::toggled, &panes(), &PaneGrid::setFlipped);
        strip.addTool(flip, toggle);
    }

    int panesNeeded() const override { return on() ? 2 : 0; }

    PaneContent pane() const override {
        const ReferenceModel& exact = m_session.exact();
        PaneContent pane;
        pane.key = kExactKey;
        pane.title = tr("Double reference");
        pane.picture = exact.picture();
        if (pane.picture == nullptr) {
            const gpu::RunRecord* record = m_session.results().present(m_session.request().current());
            const bool none = record != nullptr && record->status == gpu::Status::ok &&
                              record->result.picture == nullptr &&
                              !m_session.results().notKept(m_session.request().current());
            pane.message = !exact.problem().isEmpty() ? exact.problem()
                           : none                     ? tr("There is no picture of this result to check.")
                           : exact.busy()             ? tr("computing …")
                                                      : tr("once the result is checked");
            return pane;
        }
        pane.detail = tr("what the check compares with");
        if (exact.share() < 1) pane.detail = tr("where the check looks: %1").arg(format::percent(exact.share()));
        pane.hint = tr("Shift+G");
        showKind(m_session, pane);
        return pane;
    }

    bool inLayout() const override { return true; }

    void prepare() override {
        m_session.exact().setWanted(this, on() || m_session.lookedAt().reference() == kExactKey.toStdString());
        panes().setReference(reference());
    }

    void decorate(PaneContent& pane) const override {
        const std::string key = pane.key.toStdString();
        const bool reference = key == m_session.lookedAt().reference();
        if (pane.key == kInputKey) {
            pane.hint = reference ? tr("reference  Shift+1") : tr("Shift+1");
        } else if (reference && m_session.variants().variant(key) != nullptr) {
            if (!pane.detail.isEmpty()) pane.detail += QStringLiteral(", ");
            pane.detail += tr("reference");
        }
    }

private:
    PaneContent reference() const {
        const std::string& key = m_session.lookedAt().reference();
        if (key == kExactKey.toStdString()) return pane();
        if (const Snapshot* snapshot = m_session.snapshots().find(key)) {
            const gpu::Variant* variant = m_session.variants().variant(snapshot->record.variant);
            PaneContent pane;
            if (variant != nullptr) pane = resultPane(snapshot->record, *variant, false);
            pane.key = snapshot->key;
            pane.title = snapshot->title;
            pane.detail = snapshot->detail;
            pane.idea = snapshot->idea;
            pane.picture = snapshot->record.result.picture;
            return pane;
        }
        const bool variant = m_session.variants().variant(key) != nullptr;
        PaneContent pane = variant ? variantContent(m_session, key) : inputContent(m_session);
        // Earlier values are no measure of the present ones.
        if (variant && m_session.results().stale(key)) pane.picture.reset();
        decorate(pane);
        return pane;
    }

    CompareSession& m_session;
};

}  // namespace

PageTool* makeReferenceTool(Page& page, PaneGrid& panes, CompareSession& session) {
    return new ReferenceTool(page, panes, session);
}

}  // namespace warplens::gui
