// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme/tokens.hpp"

#include "gui/kit/theme/metrics.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

Scheme current = Scheme::dark;

struct Pair {
    QRgb dark = 0, light = 0;
};

constexpr Pair pairOf(Role role) {
    switch (role) {
        case Role::canvas: return {0x2e2e2e, 0xd2d2d2};
        case Role::dock: return {0x333333, 0xececec};
        case Role::strip: return {0x383838, 0xe2e2e2};
        case Role::control: return {0x404040, 0xf8f8f8};
        case Role::field: return {0x292929, 0xffffff};
        case Role::line: return {0x4c4c4c, 0xbdbdbd};
        case Role::hairline: return {0x414141, 0xd4d4d4};
        case Role::text1: return {0xececec, 0x1a1a1a};
        case Role::text2: return {0xc0c0c0, 0x434343};
        case Role::text3: return {0xa1a1a1, 0x5c5c5c};  // 4.5 : 1 on a strip, which a0a0a0 misses
        case Role::accent: return {0x7ab8ff, 0x0a5fb4};
        case Role::accentFill: return {0x2f6db5, 0x0a5fb4};
        case Role::selection: return {0x3b4b5e, 0xcde0f4};
        case Role::onAccent: return {0xffffff, 0xffffff};
        case Role::verified: return {0x4fc79a, 0x00704a};
        case Role::wrong: return {0xef7f52, 0xb03a08};
        case Role::keyword: return {0xc9a6f5, 0x7a2fb0};
        case Role::type: return {0x7cc7e0, 0x006d8a};
        case Role::call: return {0x9fc3ff, 0x1d4fa0};
        case Role::number: return {0xe3c38a, 0x7d5300};
        case Role::comment: return {0x9aa58f, 0x57653f};
        case Role::weightPositive: return {0x4a6a8f, 0x9cc4ec};
        case Role::weightNegative: return {0x86562f, 0xf0bf94};
        case Role::bars: return {0x8f8f8f, 0x808080};
        case Role::channelRed: return {0xff7a6b, 0xc02a1e};
        case Role::channelGreen: return {0x6fcf6f, 0x1c7a2c};
        case Role::channelBlue: return {0x9c90ff, 0x4540c8};
    }
    return {};
}

constexpr Pair pairOf(gpu::Idea idea) {
    switch (idea) {
        case gpu::Idea::plain: return {0xc8c8c8, 0x4a4a4a};
        case gpu::Idea::cache: return {0x7fe9f6, 0x008cb3};
        case gpu::Idea::coarsening: return {0xcc86b8, 0xa0528a};
        case gpu::Idea::sharedTile: return {0xe0a21a, 0xbd7618};
        case gpu::Idea::sharedTileRefined: return {0xfae27e, 0x7d6c00};
        case gpu::Idea::loss: return {0xc9784c, 0x8b2600};
        case gpu::Idea::registers: return {0x0fc48c, 0x13683f};
        case gpu::Idea::registersAlone: return {0x8ed63a, 0x5a8f00};
        case gpu::Idea::streaming: return {0xff5c7a, 0xe0443c};
        case gpu::Idea::tensorCores: return {0xf4c6d8, 0x8a4a66};
        case gpu::Idea::workSaved: return {0x9fb4ff, 0x3b6fe6};
        case gpu::Idea::savedAndFused: return {0x5b78f0, 0x2a2f9c};
        case gpu::Idea::savedAndStreamed: return {0xb860e4, 0x7a3fd6};
        case gpu::Idea::savedInRing: return {0xd94fd0, 0xa3138f};
        case gpu::Idea::library: return {0x8f8f8f, 0x808080};
    }
    return {};
}

/// More contrast for a projector: text at its strongest, lines that show.
Pair projected(Role role) {
    switch (role) {
        case Role::canvas: return {0x242424, 0xd2d2d2};
        case Role::dock: return {0x2a2a2a, 0xf4f4f4};
        case Role::strip: return {0x2a2a2a, 0xececec};
        case Role::field: return {0x1c1c1c, 0xffffff};
        case Role::line: return {0x8a8a8a, 0x6a6a6a};
        case Role::hairline: return {0x5c5c5c, 0xa0a0a0};
        case Role::text1: return {0xffffff, 0x000000};
        case Role::text2: return {0xececec, 0x1e1e1e};
        case Role::text3: return {0xd6d6d6, 0x303030};
        case Role::accent: return {0x9cccff, 0x00489a};
        default: return pairOf(role);
    }
}

QColor of(Pair pair, Scheme scheme) { return QColor::fromRgb(scheme == Scheme::dark ? pair.dark : pair.light); }

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

}  // namespace

Scheme scheme() { return current; }

void setScheme(Scheme scheme) { current = scheme; }

QColor colour(Role role, Scheme scheme) { return of(projector() ? projected(role) : pairOf(role), scheme); }

QColor colour(Role role) { return colour(role, current); }

Scheme surroundScheme() { return projector() ? Scheme::dark : current; }

QColor surroundColour() { return colour(Role::canvas, surroundScheme()); }

QColor colour(gpu::Idea idea, Scheme scheme) { return of(pairOf(idea), scheme); }

QColor colour(gpu::Idea idea) { return of(pairOf(idea), current); }

Shape shapeOf(gpu::Idea idea) {
    switch (idea) {
        case gpu::Idea::plain: return Shape::disc;
        case gpu::Idea::cache: return Shape::ring;
        case gpu::Idea::coarsening: return Shape::plus;
        case gpu::Idea::sharedTile: return Shape::square;
        case gpu::Idea::sharedTileRefined: return Shape::frame;
        case gpu::Idea::loss: return Shape::triangle;
        case gpu::Idea::registers: return Shape::diamond;
        case gpu::Idea::registersAlone: return Shape::wedge;
        case gpu::Idea::streaming: return Shape::chevron;
        case gpu::Idea::tensorCores: return Shape::star;
        case gpu::Idea::workSaved: return Shape::bars;
        case gpu::Idea::savedAndFused: return Shape::hexagon;
        case gpu::Idea::savedAndStreamed: return Shape::cross;
        case gpu::Idea::savedInRing: return Shape::target;
        case gpu::Idea::library: return Shape::dash;
    }
    return Shape::disc;
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor inkOn(const QColor& ground) {
    return contrast(ground, Qt::black) >= contrast(ground, Qt::white) ? Qt::black : Qt::white;
}

}  // namespace warplens::gui
