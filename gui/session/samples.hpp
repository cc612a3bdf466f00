// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace warplens::gui {

/// A folder of files shipped with the program, "samples" or "recorded", installed or in the source tree; empty when
/// there is none.
QString resourceFolder(const QString& name);

/// Paths of the pictures shipped with the program, by name. They lie in resources/samples of the source tree or in
/// share/warplens/samples beside the program; empty when neither is there.
QStringList samplePictures();

/// Generated inputs worth looking at, as "gen:" texts.
QStringList generatedSamples();

/// What the window opens by itself: the sample named "camera" or the first one, else a generated picture.
QString defaultSample();

}  // namespace warplens::gui
