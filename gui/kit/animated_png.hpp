// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QImage>

namespace warplens::gui {

/// An animated PNG (third edition of the PNG specification: acTL, fcTL, fdAT), frame by frame. Programs that know no
/// animation show the first frame. Qt writes the frames' own data; libpng of most systems knows no animation.
class AnimatedPng {
public:
    /// Of so many frames, each shown for `delayMs`, 1 to 65,535; it begins again without end.
    AnimatedPng(int frames, int delayMs) : m_frames(frames), m_delayMs(delayMs) {}

    /// Adds a frame, of the size of the first; alpha is not kept. Only the box in which it differs from the one before
    /// is stored.
    void add(const QImage& frame);
    /// The file, once all frames were added.
    QByteArray file();

private:
    void beginFrame(const QRect& box);

    int m_frames, m_delayMs;
    quint32 m_sequence = 0;
    QImage m_last;
    QByteArray m_file;
};

}  // namespace warplens::gui
