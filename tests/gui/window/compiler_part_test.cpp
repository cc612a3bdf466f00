// SPDX-License-Identifier: Apache-2.0
// What the compiler made of a variant, on the page Why: listed by a maker that stands in for NVRTC.
#include "gui/kit/theme/tokens.hpp"
#include "gui/why/source_texts.hpp"
#include "tests/gui/window/why_page_fixture.hpp"

#include <QTableView>
#include <mutex>

namespace warplens::gui::test {
namespace {

using gpu::user::InstructionKind;
using gpu::user::Listings;

class CompilerPartTest : public WhyPageTest {
protected:
    /// As many loads of line 30 as the variant's id has letters, then a store of line 32.
    Listings list(const gpu::Variant& variant, const std::vector<std::string>& kernels, int capability) {
        const std::lock_guard lock(m_mutex);
        m_asked.push_back(variant.id);
        EXPECT_EQ(kernels, std::vector<std::string>{"kernel"}) << "by the counts";
        EXPECT_EQ(capability, 90);
        if (!m_refusal.empty()) throw gpu::Error(gpu::Error::Kind::unsupported, m_refusal);
        Listings all{.kernel = "kernel<float>", .compiler = "NVRTC 13.0", .whyNoSass = "nvdisasm was not found"};
        for (std::size_t i = 0; i < variant.id.size(); ++i)
            all.ptx.instructions.push_back({"10", "ld.global.f32", InstructionKind::globalLoad, 30, -1});
        all.ptx.instructions.push_back({"20", "st.global.f32", InstructionKind::globalStore, 32, -1});
        if (variant.id == "naive")
            all.ptx.instructions.push_back({"30", "bra $L__BB0_1", InstructionKind::branch, 7, -1});
        if (m_ships) {
            all.sass.instructions.push_back({"0000", "EXIT", InstructionKind::other, 0, -1});
            all.shipped = "Recorded with NVRTC 13.0";
            all.whyNoSass.clear();
        }
        return all;
    }
    void show() {
        WhyPageTest::show();
        model().setLister([this](const gpu::Variant& variant, const std::vector<std::string>& kernels, int capability,
                                 std::stop_token) { return list(variant, kernels, capability); });
        session().request().setCurrent("tiled_input");
        ASSERT_TRUE(settled());
    }
    std::vector<std::string> asked() {
        const std::lock_guard lock(m_mutex);
        return m_asked;
    }
    QString said() { return find<QLabel>("compiler-said")->text(); }
    QString figures() { return find<QLabel>("compiler-figures")->text(); }
    QTableView* table() { return find<QTableView>("compiler-listing"); }
    HeatText* source() { return find<HeatText>("compiler-source"); }
    /// As it is painted: at the left edge of the first cell.
    bool marked(int row) {
        const QRect cell = table()->visualRect(table()->model()->index(row, 1));
        const QImage painted = table()->viewport()->grab(cell).toImage();
        return painted.pixelColor(1, painted.height() / 2) == colour(Role::selection);
    }
    void choose(const char* variant) {
        session().request().setCurrent(variant);
        ASSERT_TRUE(QTest::qWaitFor([this] { return page().settled(); }, kPatienceMs));
    }

    std::mutex m_mutex;
    std::vector<std::string> m_asked;
    std::string m_refusal;
    bool m_ships = false;
};

TEST_F(CompilerPartTest, AVariantIsListedBesideItsSourceAndLinkedBothWays) {
    show();
    EXPECT_TRUE(asked().empty()) << "nothing is compiled before it is asked for";
    QTest::keyClick(window.get(), Qt::Key_C);
    ASSERT_EQ(page().part(), WhyPage::Part::compiler);
    ASSERT_TRUE(QTest::qWaitFor([this] { return page().settled(); }, kPatienceMs));
    const int loads = static_cast<int>(std::string("tiled_input").size());
    EXPECT_EQ(table()->model()->rowCount(), loads + 1);
    EXPECT_EQ(said(), "kernel<float> for compute capability 9.0, as no GPU is chosen. By NVRTC 13.0, not run.");
    EXPECT_TRUE(source()->toPlainText().contains("tiled_input"));
    EXPECT_EQ(source()->textOf(30), "line 30, 11; global load: 11");

    // Beside the variant it is compared with.
    model().setComparedVariant("naive");
    ASSERT_TRUE(QTest::qWaitFor([this] { return figures().contains("12 after 7"); }, kPatienceMs))
        << figures().toStdString();
    EXPECT_TRUE(figures().contains("global store: 1, same"));
    EXPECT_EQ(find<QLabel>("compiler-against")->text(), "The whole kernel, after naive");

    // A line marks its instructions, an instruction its line.
    source()->setFocus();
    QTest::keyClick(source(), Qt::Key_Down);
    EXPECT_EQ(source()->chosen(), 30);
    EXPECT_TRUE(marked(0) && marked(loads - 1) && !marked(loads));
    table()->setFocus();
    table()->selectRow(loads);
    EXPECT_EQ(source()->chosen(), 32);
    EXPECT_TRUE(marked(loads) && !marked(0));

    // Both in one column, by signs: five loads of naive stay, a branch went.
    QTest::keyClick(window.get(), Qt::Key_D);
    const auto signs = [this] {
        QString all;
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const QString sign = table()->model()->index(row, 0).data().toString();
            all += sign.isEmpty() ? QStringLiteral("=") : sign;
        }
        return all;
    };
    EXPECT_TRUE(find<QPushButton>("compiler-difference")->isChecked());
    EXPECT_EQ(signs(), QStringLiteral("=====++++++=\u2212"));
    EXPECT_EQ(table()->model()->index(loads + 1, 3).data().toString(), "bra $L__BB0_1");
    source()->setFocus();
    QTest::keyClick(source(), Qt::Key_Up);
    EXPECT_TRUE(marked(0) && marked(loads - 1) && !marked(loads) && !marked(loads + 1));
    QTest::keyClick(window.get(), Qt::Key_D);
    EXPECT_EQ(table()->model()->rowCount(), loads + 1);

    click("compiler-sass");
    EXPECT_EQ(table()->model()->rowCount(), 0);
    EXPECT_TRUE(said().endsWith("nvdisasm was not found")) << said().toStdString();
    click("why-part-picture");
    EXPECT_FALSE(table()->isVisible());
}

TEST_F(CompilerPartTest, WhatWasShippedSaysWhose) {
    m_ships = true;
    show();
    QTest::keyClick(window.get(), Qt::Key_C);
    ASSERT_TRUE(QTest::qWaitFor([this] { return page().settled(); }, kPatienceMs));
    EXPECT_TRUE(said().endsWith("By NVRTC 13.0, not run.")) << "PTX was made here";
    click("compiler-sass");
    EXPECT_EQ(table()->model()->rowCount(), 1);
    EXPECT_TRUE(said().endsWith("Recorded with NVRTC 13.0")) << said().toStdString();
    window->pages()->setCurrent(comparePage());
    EXPECT_FALSE(window->findChild<QAction*>("compiler-difference")->isEnabled());
}

TEST_F(CompilerPartTest, WhatCannotBeListedSaysWhy) {
    m_refusal = "NVRTC was not found: install it";
    show();
    click("why-part-compiler");
    ASSERT_TRUE(QTest::qWaitFor([this] { return page().settled(); }, kPatienceMs));
    EXPECT_EQ(said(), "NVRTC was not found: install it");
    EXPECT_EQ(table()->model()->rowCount(), 0);
    const std::size_t before = asked().size();
    choose("opencv");
    EXPECT_TRUE(said().contains("is no kernel of Warplens in CUDA")) << said().toStdString();
    EXPECT_EQ(source()->toPlainText(), "");
    EXPECT_EQ(asked().size(), before);
}

}  // namespace
}  // namespace warplens::gui::test
