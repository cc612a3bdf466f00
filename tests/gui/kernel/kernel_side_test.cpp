// SPDX-License-Identifier: Apache-2.0
// Beside the text: what changed since a version, and what the compiler made of both.
#include "gui/kernel/kernel_side.hpp"

#include "app/worker/client.hpp"
#include "gui/kernel/kernel_page.hpp"
#include "gui/kernel/kernel_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTableView>
#include <QToolButton>

namespace warplens::gui::test {
namespace {

using gpu::user::InstructionKind;

/// As many loads of line 3 as its text has stars, then a store of line 4.
gpu::user::Listings madeUp(const std::string&, const std::string& text, const gpu::user::ListingTask& task,
                           const std::stop_token&) {
    gpu::user::Listings all{.compiler = "NVRTC 13.0", .whyNoSass = "nvdisasm was not found: install it"};
    for (const char c : text)
        if (c == '*') all.ptx.instructions.push_back({"10", "ld.global.f32", InstructionKind::globalLoad, 3, -1});
    all.ptx.instructions.push_back({"20", "st.global.f32", InstructionKind::globalStore, 4, -1});
    EXPECT_EQ(task.capability, 90);
    EXPECT_EQ(task.family, "convolution");
    return all;
}

const QString kBefore = QStringLiteral("// one\n//\n// *\n// end"), kNow = QStringLiteral("// one\n//\n// **\n// end");

class KernelSideTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page()->side().setMaker(madeUp);
        open("gen:noise:40x32:f32");
        window->pages()->setCurrent(page());
        text()->setPlainText(kBefore);
        page()->file().keep("verified");
        text()->setPlainText(kNow);
        click("kernel-side");
    }
    KernelPage* page() { return find<KernelPage>("page-kernel"); }
    KernelText* text() { return find<KernelText>("kernel-text"); }
    QTableView* table(const char* name) { return find<QTableView>(name); }
    QString figures() { return find<QLabel>("kernel-listing-figures")->text(); }
    /// Once it has its place.
    void click(const char* button) {
        auto* there = find<QAbstractButton>(button);
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return there->isEnabled() && !there->visibleRegion().isEmpty(); }, kPatienceMs))
            << button;
        QTest::qWait(50);  // a strip folds tools once more when its page has its size
        QTest::mouseClick(there, Qt::LeftButton);
    }
    void list(const char* view) {
        click(view);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page()->side().busy(); }, kPatienceMs));
    }
};

TEST_F(KernelSideTest, ShowsWhatChangedSinceAVersionAndTakesItUpAgain) {
    auto* changes = find<QPlainTextEdit>("kernel-changes");
    EXPECT_TRUE(changes->isVisible());
    EXPECT_EQ(changes->toPlainText(), "  // one\n  //\n- // *\n+ // **\n  // end") << "against the newest that differs";
    auto* versions = find<QComboBox>("kernel-against");
    versions->setCurrentIndex(0);
    emit versions->activated(0);
    EXPECT_EQ(changes->toPlainText(), "");
    versions->setCurrentIndex(1);
    emit versions->activated(1);
    click("kernel-restore");
    EXPECT_EQ(text()->toPlainText(), kBefore);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !page()->side().busy(); }, kPatienceMs));
    EXPECT_EQ(find<QLabel>("kernel-listing-said")->text(), "Nothing changed since this version.");
    text()->undo();
    EXPECT_EQ(text()->toPlainText(), kNow);
}

TEST_F(KernelSideTest, ListsBothAndLinksLinesBothWays) {
    list("kernel-view-ptx");
    EXPECT_EQ(table("kernel-listing-now")->model()->rowCount(), 3);
    EXPECT_EQ(table("kernel-listing-then")->model()->rowCount(), 2);
    EXPECT_TRUE(figures().contains("instructions: 3 after 2")) << figures().toStdString();
    EXPECT_TRUE(figures().contains("global load: 2 after 1"));
    EXPECT_TRUE(figures().contains("global store: 1, same"));
    // A line marks its instructions.
    const auto marked = [this](int row) {
        return table("kernel-listing-now")->model()->index(row, 0).data(Qt::BackgroundRole).isValid();
    };
    text()->goToLine(3);
    EXPECT_TRUE(marked(0) && marked(1) && !marked(2));
    text()->goToLine(1);
    EXPECT_FALSE(marked(0) || marked(1) || marked(2));
    // An instruction goes to its line.
    table("kernel-listing-now")->setFocus();
    table("kernel-listing-now")->selectRow(2);
    EXPECT_EQ(text()->line(), 4);
    EXPECT_TRUE(marked(2) && !marked(0));

    list("kernel-view-sass");
    EXPECT_EQ(table("kernel-listing-now")->model()->rowCount(), 0);
    EXPECT_EQ(find<QLabel>("kernel-listing-said")->text(), "nvdisasm was not found: install it");

    // Another text is listed after a pause.
    list("kernel-view-ptx");
    text()->setPlainText(kNow + "*");
    ASSERT_TRUE(QTest::qWaitFor([this] { return table("kernel-listing-now")->model()->rowCount() == 4; }, kPatienceMs));
}

}  // namespace
}  // namespace warplens::gui::test
