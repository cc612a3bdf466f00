// SPDX-License-Identifier: Apache-2.0
#pragma once

// What panels, strips and dialogs are built of: the theme's words, the form's, and Qt's widgets.
#include "gui/kit/elided.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QAction>
#include <QActionGroup>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QString>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
