// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme.hpp"

#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <tuple>

namespace warplens::gui {
namespace {

constexpr std::array kIdeas{gpu::Idea::plain,
                            gpu::Idea::cache,
                            gpu::Idea::coarsening,
                            gpu::Idea::sharedTile,
                            gpu::Idea::sharedTileRefined,
                            gpu::Idea::loss,
                            gpu::Idea::registers,
                            gpu::Idea::registersAlone,
                            gpu::Idea::streaming,
                            gpu::Idea::tensorCores,
                            gpu::Idea::workSaved,
                            gpu::Idea::savedAndFused,
                            gpu::Idea::savedAndStreamed,
                            gpu::Idea::savedInRing,
                            gpu::Idea::library};

class InScheme : public testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(Theme, InScheme, testing::Values(Scheme::dark, Scheme::light));

TEST_P(InScheme, TextIsReadable) {
    for (const Role text : {Role::text1, Role::text2, Role::text3, Role::accent}) {
        for (const Role ground : {Role::dock, Role::strip, Role::field}) {
            EXPECT_GE(contrast(colour(text, GetParam()), colour(ground, GetParam())), 4.5) << static_cast<int>(text);
        }
    }
    for (const Role text : {Role::text1, Role::text2}) {
        EXPECT_GE(contrast(colour(text, GetParam()), colour(Role::selection, GetParam())), 4.5);
    }
    for (const Role text : {Role::keyword, Role::type, Role::call, Role::number, Role::comment}) {
        EXPECT_GE(contrast(colour(text, GetParam()), colour(Role::field, GetParam())), 4.5);
    }
    for (const Role mark : {Role::bars, Role::channelRed, Role::channelGreen, Role::channelBlue})
        EXPECT_GE(contrast(colour(mark, GetParam()), colour(Role::dock, GetParam())), 3.0);
    EXPECT_GE(contrast(colour(Role::onAccent, GetParam()), colour(Role::accentFill, GetParam())), 4.5);
    EXPECT_GE(contrast(colour(Role::text1, GetParam()), colour(Role::weightPositive, GetParam())), 4.5);
    EXPECT_GE(contrast(colour(Role::text1, GetParam()), colour(Role::weightNegative, GetParam())), 4.5);
}

TEST_P(InScheme, MarksStandOutAndDiffer) {
    std::set<QRgb> seen;
    for (const gpu::Idea idea : kIdeas) {
        EXPECT_GE(contrast(colour(idea, GetParam()), colour(Role::dock, GetParam())), 3.0) << static_cast<int>(idea);
        EXPECT_TRUE(seen.insert(colour(idea, GetParam()).rgb()).second);
        EXPECT_NE(colour(idea, GetParam()), colour(Role::accent, GetParam()));
    }
}

TEST_P(InScheme, CanvasIsExactlyGrey) {
    const QColor c = colour(Role::canvas, GetParam());
    EXPECT_EQ(c.red(), c.green());
    EXPECT_EQ(c.green(), c.blue());
}

TEST_P(InScheme, AProjectorsPicturesAreSurroundedByDark) {
    const Scheme before = scheme();
    setScheme(GetParam());
    EXPECT_EQ(surroundColour(), colour(Role::canvas));
    setProjectorMetrics(kProjectorType);
    EXPECT_EQ(surroundColour(), colour(Role::canvas, Scheme::dark));
    EXPECT_GE(contrast(colour(Role::text2, surroundScheme()), surroundColour()), 4.5) << "words in place of a picture";
    setProjectorMetrics(1);
    setScheme(before);
}

TEST_P(InScheme, NoTokenIsLeftInTheStyleSheet) { EXPECT_FALSE(Theme::styleSheet(GetParam()).contains(u'@')); }

TEST_P(InScheme, DesktopPaletteTellsTheScheme) { EXPECT_EQ(Theme::schemeOf(Theme::palette(GetParam())), GetParam()); }

TEST(Theme, EveryIdeaHasAShapeOfItsOwn) {
    std::set<Shape> shapes;
    for (const gpu::Idea idea : kIdeas) shapes.insert(shapeOf(idea));
    EXPECT_EQ(shapes.size(), kIdeas.size());
}

TEST(Theme, ShippedFontsLoadAndDigitsHaveOneWidth) {
    ASSERT_TRUE(loadFonts());
    EXPECT_EQ(QFontInfo(textFont(TextSize::body)).family(), QStringLiteral("Noto Sans"));
    EXPECT_EQ(QFontInfo(sourceFont()).family(), QStringLiteral("JetBrains Mono"));
    for (const QFont& f : {textFont(TextSize::body), boldFont(TextSize::body), sourceFont()}) {
        const QFontMetricsF metrics(f);
        for (char digit = '1'; digit <= '9'; ++digit) {
            EXPECT_EQ(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('0')));
        }
    }
}

TEST(Theme, ApplyingAChoiceChangesPaletteAndScheme) {
    Theme::apply(SchemeChoice::light);
    EXPECT_EQ(scheme(), Scheme::light);
    EXPECT_EQ(qApp->palette().color(QPalette::Window), colour(Role::dock, Scheme::light));
    Theme::apply(SchemeChoice::dark);
    EXPECT_EQ(scheme(), Scheme::dark);
    EXPECT_EQ(qApp->palette().color(QPalette::Window), colour(Role::dock, Scheme::dark));
}

TEST(Format, ThreeSignificantDigits) {
    const std::tuple<double, const char*> cases[] = {
        {0.1494, "0.149"}, {0.15, "0.150"}, {1.3, "1.30"},  {26.9, "26.9"},         {803, "803"}, {1234.4, "1,234"},
        {0.9996, "1.00"},  {9.996, "10.0"}, {99.96, "100"}, {0.00126, "0.00126"},   {0, "0"},     {1e6, "1,000,000"},
        {0.1, "0.100"},    {1, "1.00"},     {10, "10.0"},   {0.00099951, "0.00100"}};
    for (const auto& [value, text] : cases) EXPECT_EQ(format::significant(value).toStdString(), text) << value;
    EXPECT_EQ(format::significant(-2.5), QString::fromUtf8("−2.50"));
    EXPECT_EQ(format::significant(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("NaN"));
    EXPECT_EQ(format::significant(-std::numeric_limits<double>::infinity()), QString::fromUtf8("−∞"));
}

TEST(Format, OtherNumbers) {
    EXPECT_EQ(format::integer(8192), QStringLiteral("8,192"));
    EXPECT_EQ(format::integer(-1234567), QString::fromUtf8("−1,234,567"));
    EXPECT_EQ(format::integer(999), QStringLiteral("999"));
    EXPECT_EQ(format::signedInteger(7), QStringLiteral("+7"));
    EXPECT_EQ(format::signedInteger(0), QStringLiteral("0"));
    EXPECT_EQ(format::ratio(3.789), QString::fromUtf8("3.79×"));
    EXPECT_EQ(format::percent(0.84), QStringLiteral("84 %"));
    EXPECT_EQ(format::percent(0.027), QStringLiteral("2.7 %"));
    EXPECT_EQ(format::percent(2), QStringLiteral("200 %"));
    EXPECT_EQ(format::date("2026-11-21T08:09:10Z"), QStringLiteral("21 Nov 2026"));
    EXPECT_EQ(format::date("unknown"), QStringLiteral("unknown"));
    EXPECT_EQ(format::bytes(0), QStringLiteral("0"));
    EXPECT_EQ(format::bytes(512), QStringLiteral("512 B"));
    EXPECT_EQ(format::bytes(13926), QStringLiteral("13.6 KiB"));
    EXPECT_EQ(format::bytes(256LL << 20), QStringLiteral("256 MiB"));
    EXPECT_EQ(format::extent(8192, 1), QString::fromUtf8("8,192 × 1"));
}

TEST(Format, ExactReadsBackAsTheSameFloat) {
    EXPECT_EQ(format::exact(30.435518F), QStringLiteral("30.435518"));
    EXPECT_EQ(format::exact(25), QStringLiteral("25"));
    EXPECT_EQ(format::exact(-0.5F), QString::fromUtf8("−0.5"));
    EXPECT_EQ(format::exact(12345.5F), QStringLiteral("12,345.5"));
    EXPECT_EQ(format::exact(1e-20F), QString::fromUtf8("1e−20"));
    for (const float value : {0.1F, 1.0F / 3, 16777215.0F, 3.4e38F, 1e-45F, 190.69F}) {
        QString text = format::exact(value);
        EXPECT_EQ(text.remove(u',').replace(QChar(0x2212), u'-').toFloat(), value);
    }
}

TEST(Glyphs, StateFollowsStatusAndVerification) {
    gpu::RunRecord r;
    EXPECT_EQ(stateOf(r), ResultState::unverified);
    r.verification.emplace();
    EXPECT_EQ(stateOf(r), ResultState::unverified) << "the check reached no value";
    r.verification->checkedShare = 0.1;
    EXPECT_EQ(stateOf(r), ResultState::verified);
    r.status = gpu::Status::wrong;
    EXPECT_EQ(stateOf(r), ResultState::wrong);
    r.status = gpu::Status::failed;
    EXPECT_EQ(stateOf(r), ResultState::failed);
    r.status = gpu::Status::unsupported;
    EXPECT_EQ(stateOf(r), ResultState::unsupported);
}

/// How much ink a glyph leaves, and that all of them differ.
template <class Draw>
QImage drawn(Draw draw) {
    QImage image(28, 28, QImage::Format_RGB32);
    image.fill(colour(Role::dock));
    QPainter painter(&image);
    draw(painter, QRectF(0, 0, 28, 28));
    return image;
}

TEST(Glyphs, AllDifferAndStayInTheirBox) {
    Theme::apply(SchemeChoice::dark);
    std::vector<QImage> images;
    for (const gpu::Idea idea : kIdeas) {
        // In one colour, so that only the shape can tell them apart.
        images.push_back(drawn([&](QPainter& p, const QRectF& box) { drawShape(p, box, shapeOf(idea), Qt::white); }));
    }
    for (const Origin o : kOrigins)
        images.push_back(drawn([&](QPainter& p, const QRectF& box) { drawOriginGlyph(p, box, o); }));
    for (const auto s : {ResultState::verified, ResultState::unverified, ResultState::wrong, ResultState::unsupported,
                         ResultState::failed}) {
        images.push_back(drawn([&](QPainter& p, const QRectF& box) { drawStatusGlyph(p, box, s); }));
    }
    for (std::size_t i = 0; i < images.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(images[i], images[j]) << i << ' ' << j;
        EXPECT_EQ(images[i].pixelColor(0, 0), colour(Role::dock)) << i;
    }
}

TEST(Glyphs, IconsAreDrawnAtAnySize) {
    for (const int side : {14, 28, 100}) {
        const QImage image = ideaIcon(gpu::Idea::plain).pixmap(side, side).toImage();
        EXPECT_EQ(image.width(), side);
        EXPECT_EQ(image.pixelColor(side / 2, side / 2), colour(gpu::Idea::plain));
    }
}

}  // namespace
}  // namespace warplens::gui
