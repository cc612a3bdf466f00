// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/task.hpp"

namespace warplens::gpu::scan {

const BoundParameters<ScanOptions>& parameters() {
    using Type = Parameter::Type;
    Parameter alpha = alphaParameter("processed");
    alpha.help += " A mask of u16 or f32 is opaque instead.";
    alpha.visibleWhen = "task";
    alpha.visibleWhenIn = {"box", "threshold", "equalise", "clahe"};
    static const BoundParameters<ScanOptions> all{
        {{.id = "task",
          .title = "Task",
          .type = Type::choice,
          .fallback = std::string("sums"),
          .choices = {"sums", "integral", "box", "threshold", "equalise", "clahe", "compact"},
          .help = "Running sums and their uses: integral sums each slice over rows and columns; box is the mean "
                  "around each pixel, threshold 255 where a value is above it; equalise and clahe spread grey values, "
                  "over a slice or tile by tile; compact lists the values above a threshold."},
         &ScanOptions::task},
        {{.id = "along",
          .title = "Along",
          .type = Type::choice,
          .fallback = std::string("values"),
          .choices = {"values", "rows", "columns"},
          .help = "values: all of a channel in memory order; rows or columns: each starts from zero.",
          .visibleWhen = "task",
          .visibleWhenIn = {"sums"}},
         &ScanOptions::along},
        {{.id = "kind",
          .title = "Kind",
          .type = Type::choice,
          .fallback = std::string("inclusive"),
          .choices = {"inclusive", "exclusive"},
          .help = "Whether a value is part of its own sum. Sums of integers are u32 modulo 2^32.",
          .visibleWhen = "task",
          .visibleWhenIn = {"sums"}},
         &ScanOptions::kind},
        {{.id = "radius",
          .title = "Radius",
          .type = Type::integer,
          .fallback = std::int64_t{15},
          .minimum = 1,
          .maximum = 1023,
          .unit = "px",
          .help = "Half the side of the window, which ends where the picture does. What is no number, infinite or very "
                  "large reaches the windows that hold it and no others.",
          .visibleWhen = "task",
          .visibleWhenIn = {"box", "threshold"}},
         &ScanOptions::radius},
        {{.id = "offset",
          .title = "Offset",
          .type = Type::real,
          .fallback = 0.0,
          .minimum = -1e6,
          .maximum = 1e6,
          .help = "Subtracted from the mean before a value is compared with it; a value that equals it is not above.",
          .visibleWhen = "task",
          .visibleWhenIn = {"threshold"}},
         &ScanOptions::offset},
        {{.id = "clip",
          .title = "Clip limit",
          .type = Type::real,
          .fallback = 40.0,
          .minimum = 0,
          .maximum = 1e4,
          .help = "Most counts per bin, as a multiple of the mean of all bins, like OpenCV's clipLimit; 0: no limit.",
          .visibleWhen = "task",
          .visibleWhenIn = {"clahe"}},
         &ScanOptions::clip},
        {{.id = "tiles",
          .title = "Tiles",
          .type = Type::integer,
          .fallback = std::int64_t{8},
          .minimum = 1,
          .maximum = 64,
          .help = "Tiles along each side of a slice, like OpenCV's tileGridSize.",
          .visibleWhen = "task",
          .visibleWhenIn = {"clahe"}},
         &ScanOptions::tiles},
        {{.id = "level",
          .title = "Level",
          .role = Parameter::Role::level,
          .type = Type::real,
          .fallback = 0.5,
          .minimum = -3e38,
          .maximum = 3e38,
          .help = "Values above it are kept, in raster order, channel by channel of a pixel.",
          .visibleWhen = "task",
          .visibleWhenIn = {"compact"}},
         &ScanOptions::level},
        {alpha, &ScanOptions::alpha},
    };
    return all;
}

io::PixelType outputTypeOf(const ScanOptions& asked, io::PixelType input) {
    if (asked.sums()) return input == io::PixelType::f32 ? io::PixelType::f32 : io::PixelType::u32;
    if (asked.task == Task::compact) return io::PixelType::u32;
    return asked.task == Task::threshold ? io::PixelType::u8 : input;
}

}  // namespace warplens::gpu::scan
