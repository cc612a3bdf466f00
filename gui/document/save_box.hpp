// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/write.hpp"

#include <QString>
#include <functional>
#include <memory>

class QDialog;
class QSettings;
class QWidget;

namespace warplens::gui {

/// A picture that is to be saved.
struct PictureToSave {
    std::shared_ptr<const io::Grid> picture;
    std::shared_ptr<const io::Grid> original;  ///< of which it was made: its type says what is white
    QString name;                              ///< suggested, without ending
    QString folder;                            ///< empty: the usual one
};

/// Asks for format, quality and name, says beside each format how large the file will be (estimated) and what it loses
/// of the picture, and hands over the path with how it is to be written. It does not block, and goes away by itself.
QDialog* makeSaveBox(const PictureToSave& what, QSettings& settings,
                     std::function<void(const QString& path, const io::WriteOptions& how)> take, QWidget* window);

}  // namespace warplens::gui
