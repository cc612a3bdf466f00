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
    /// As it is painted: at the left edge of a cell that says nothing.
    bool marked(int row) {
        const QRect cell = table()->visualRect(table()->model()->index(row, 0));
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
    ASSERT_TRUE(QTest::qWaitFor([this] { return figures().contains("12 after 6"); }, kPatienceMs))
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

    click("compiler-sass");
    EXPECT_EQ(table()->model()->rowCount(), 0);
    EXPECT_TRUE(said().endsWith("nvdisasm was not found")) << said().toStdString();
    click("why-part-picture");
    EXPECT_FALSE(table()->isVisible());
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
