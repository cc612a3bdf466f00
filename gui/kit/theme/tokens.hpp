// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <QColor>

namespace warplens::gui {

enum class Scheme { dark, light };

/// What a colour is for. Nothing in the window names a colour by itself.
enum class Role {
    canvas,      ///< around pictures; exactly grey
    dock,        ///< panels
    strip,       ///< header, captions, status bar
    control,     ///< buttons
    field,       ///< spin boxes, source
    line,        ///< dock edges
    hairline,    ///< rows, chart grid
    text1,       ///< values
    text2,       ///< labels; the weakest text allowed on a selection
    text3,       ///< hints
    accent,      ///< interaction only, never data
    accentFill,  ///< behind white text
    selection,
    onAccent,  ///< text on accentFill
    verified,  ///< always with its shape
    wrong,     ///< always with its shape
    keyword,
    type,
    call,
    number,
    comment,  ///< source
    weightPositive,
    weightNegative,  ///< the strongest tint of a filter's cell, under text 1
    bars,            ///< counts of one channel
    channelRed,
    channelGreen,
    channelBlue  ///< of a colour picture, always with a name or a line of their own
};

/// The shape that goes with an idea's colour, so that colour never speaks alone.
enum class Shape {
    disc,
    ring,
    plus,
    square,
    frame,
    triangle,
    diamond,
    wedge,
    chevron,
    bars,
    hexagon,
    cross,
    star,
    target,
    dash
};

/// The scheme in use; dark until Theme::apply() says otherwise.
Scheme scheme();
/// Sets the scheme that colour() answers for. Theme::apply() calls it; widgets hear of it as a palette change.
void setScheme(Scheme scheme);

QColor colour(Role role, Scheme scheme);
QColor colour(Role role);
/// What stands around pictures, and the scheme of the words there: in projector mode dark in either scheme, since a
/// light surround takes the contrast from a picture on a wall.
Scheme surroundScheme();
QColor surroundColour();
/// The colour of an idea: the same in every family, chart and caption, never reassigned by rank or selection.
QColor colour(gpu::Idea idea, Scheme scheme);
QColor colour(gpu::Idea idea);
Shape shapeOf(gpu::Idea idea);

/// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);
/// Black or white, whichever is read better on it.
QColor inkOn(const QColor& ground);

}  // namespace warplens::gui
