// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/pixel_type.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warplens::io {

/// One of the ways in which a format may be stored.
struct StorageWay {
    const char* id;              ///< "half-zip"
    const char* title;           ///< "16-bit float, ZIP"
    bool halfPrecision = false;  ///< its floats have 16 bits
};

/// What is known of a file format without its library: all that dialogs, batches, documents and desktop files ask.
struct Format {
    const char* id;                         ///< "png"; goes into Metadata::format
    const char* title;                      ///< as in messages: "PNG"
    std::vector<const char*> extensions{};  ///< without the dot; if it writes, it writes these, usually the first
    std::vector<const char*> readAs{};      ///< further extensions, which it reads only
    std::vector<const char*> mimeTypes{};
    /// How files of its MIME type begin, where the package declares the type because Debian 12's database lacks it.
    std::vector<const char*> magic{};
    std::vector<PixelType> writes{};  ///< types it can write; empty: read only
    bool volumes = false;             ///< holds, and if it writes, writes more than one slice
    bool geometry = false;            ///< places a volume in space
    bool exact = false;               ///< what is read from it can be written to it without loss
    bool quality = false;             ///< written with loss, as EncodeOptions::quality says
    int losslessFrom = 0;             ///< quality from which on writing loses nothing; 0: there is none
    std::vector<StorageWay> ways{};   ///< of which EncodeOptions::way chooses; the first is usual; empty: one alone
    bool grey = true;                 ///< if it writes, holds one channel as such; else as three that are alike
    bool alpha = true;                ///< if it writes, holds a fourth channel
    bool byName = false;              ///< its library opens the file itself
    bool coloursInBytes = false;      ///< of several channels it writes u8 alone
    bool table = false;               ///< a table of numbers: opened by its name, but no picture of a folder
    bool inProcess = false;           ///< read and written without warplens-codec
    const char* note = "";            ///< what to know when choosing it, in few words
};

/// How a file is encoded, as far as its format leaves a choice.
struct EncodeOptions {
    static constexpr int kLeastQuality = 1, kMostQuality = 100, kUsualQuality = 92;
    bool compress = true;         ///< NRRD and TIFF can do without; other formats do as they always do
    int quality = kUsualQuality;  ///< kLeastQuality to kMostQuality, of formats that lose by it
    std::string way{};            ///< the id of one of Format::ways; formats that have no such way use their usual one
};

/// Null where the format has one way alone.
const StorageWay* wayOf(const Format& format, const std::string& id);

/// Every format, those of warplens-codec in the order in which they are tried; its rows are io/codecs/formats.inc.
const std::vector<Format>& formats();

/// By id or extension, in lower case and without the dot; null where there is none.
const Format* formatNamed(std::string_view name);

/// Whether the format can be written with this extension, in lower case and without the dot.
bool writesAs(const Format& format, std::string_view extension);

/// Whether the format can be written with these values and extents.
bool holds(const Format& format, const Grid& grid);

/// The usual extensions of all formats that are written: ".png, .tif or .npy".
std::string writtenExtensions();

}  // namespace warplens::io
