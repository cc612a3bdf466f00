// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/jobs/file_jobs.hpp"

#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>

namespace warplens::gui {

/// The picture that is open. Its values never change; opening another one replaces them.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr) : QObject(parent) {}

    /// `input` is the path or "gen:" text it was read from.
    void set(const QString& input, const OpenedPicture& picture);
    bool empty() const {
        return m_picture.grid == nullptr;
    }
    const QString& input() const {
        return m_input;
    }
    /// The file's name alone, or the whole "gen:" text.
    QString name() const;
    std::shared_ptr<const io::Grid> grid() const {
        return m_picture.grid;
    }
    const QImage& thumbnail() const {
        return m_picture.thumbnail;
    }

    /// Lines below the name: extent and channels; type and size; how values are treated; what reading changed.
    QStringList facts() const;
    /// What reading changed, one sentence each.
    QStringList notes() const;

signals:
    void changed();

private:
    QString m_input;
    OpenedPicture m_picture;
};

}  // namespace warplens::gui
