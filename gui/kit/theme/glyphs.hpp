// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/origin.hpp"
#include "gpu/core/record.hpp"
#include "gpu/core/variant.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QIcon>
#include <QPainter>
#include <QString>
#include <array>

namespace warplens::gui {

/// Where a number comes from. Square = this run, round = from elsewhere; filled = a clock, outlined = no clock.
using gpu::Origin;
inline constexpr std::array kOrigins{Origin::measured, Origin::counted, Origin::modelled, Origin::reported,
                                     Origin::recorded};

QString originName(Origin origin);         ///< "measured"
QString originExplanation(Origin origin);  ///< one sentence, for a tooltip

/// What became of a result.
enum class ResultState { verified, unverified, wrong, unsupported, failed };

/// ok with a verification is verified, ok without is unverified.
ResultState stateOf(const gpu::RunRecord& record);
QString stateName(ResultState state);  ///< "verified"

/// The idea's shape in its colour, centred in `box` (14 px; scales with it).
void drawShape(QPainter& painter, const QRectF& box, gpu::Idea idea);
void drawShape(QPainter& painter, const QRectF& box, Shape shape, const QColor& colour);
/// M, C, R, m or r in its square or circle. `background` is what the glyph stands on.
void drawOriginGlyph(QPainter& painter, const QRectF& box, Origin origin, Role ink = Role::text2,
                     Role background = Role::dock);
/// Disc with tick, dashed ring, octagon with cross, box with bar, triangle with mark.
void drawStatusGlyph(QPainter& painter, const QRectF& box, ResultState state);
/// A round i: calm information.
void drawInfoGlyph(QPainter& painter, const QRectF& box, const QColor& ink);

/// The same as icons, drawn as vectors at any size and in the scheme of the moment; for item models and buttons.
QIcon ideaIcon(gpu::Idea idea);
QIcon originIcon(Origin origin);
QIcon statusIcon(ResultState state);

/// What a button does to something that plays.
enum class Transport { start, play, pause, step };
QIcon transportIcon(Transport transport);

}  // namespace warplens::gui
