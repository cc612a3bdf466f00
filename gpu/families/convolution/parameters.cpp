// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/parameters.hpp"

#include "gpu/families/convolution/filter.hpp"

namespace warplens::gpu::convolution {

namespace {

/// OpenCV's rule, as the parameter's help says.
Parameter::Value sigmaOfRadius(const ParameterValues& values) {
    const auto radius = static_cast<double>(integerOf(parameters().list(), values, "radius"));
    return 0.3 * (radius - 1) + 0.8;
}

double reachOfRadius(const ParameterValues& values) {
    return textOf(parameters().list(), values, "dimensions") == "3" ? kMaxVolumeRadius : (kMaxFilterSide - 1) / 2;
}

}  // namespace

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "filter",
          .title = "Filter",
          .role = Parameter::Role::filter,
          .type = Type::choice,
          .fallback = std::string("gaussian"),
          .choices = filterNames(),
          .open = true,
          .help =
              "What to convolve with: a named filter, or a text or CSV file with a matrix. As in image processing, the "
              "weights are not mirrored (a correlation, like OpenCV's filter2D); scipy.ndimage.convolve mirrors them."},
         &Chosen::filter},
        {{.id = "matrix",
          .title = "Matrix",
          .type = Type::text,
          .fallback = std::string("0 0 0; 0 1 0; 0 0 0"),
          .help = "Weights of the custom filter: rows by semicolon or line, values by comma or space; odd sides, 1 to "
                  "63. In three "
                  "dimensions a blank line or ';;' begins the next slice; sides 1 to 11.",
          .visibleWhen = "filter",
          .visibleWhenIn = {"custom"}},
         &Chosen::matrix},
        {{.id = "radius",
          .title = "Radius",
          .type = Type::integer,
          .fallback = std::int64_t{2},
          .minimum = 0,
          .maximum = kMaxVolumeRadius,
          .unit = "px",
          .help =
              "Pixels to each side of the centre; the filter is 2r + 1 wide and high. 0 to 31; with 3 dimensions up "
              "to 63.",
          .visibleWhen = "filter",
          .visibleWhenIn = {"identity", "box", "gaussian", "unsharp", "log", "motion"},
          .reaches = &reachOfRadius},
         &Chosen::radius},
        {{.id = "sigma",
          .title = "Sigma",
          .type = Type::real,
          .fallback = 0.0,
          .minimum = 0,
          .maximum = 64,
          .step = 0.1,
          .unit = "px",
          .help =
              "Standard deviation of the Gaussian. 0: automatic, from the radius as in OpenCV, 0.3 ((2r + 1 - 1) / 2 "
              "- 1) + 0.8.",
          .visibleWhen = "filter",
          .visibleWhenIn = {"gaussian", "unsharp", "log"},
          .follows = &sigmaOfRadius},
         &Chosen::sigma},
        {{.id = "amount",
          .title = "Amount",
          .type = Type::real,
          .fallback = 1.0,
          .minimum = 0,
          .maximum = 10,
          .step = 0.1,
          .help = "Strength of sharpening: 0 leaves the picture as it is.",
          .visibleWhen = "filter",
          .visibleWhenIn = {"sharpen", "unsharp"}},
         &Chosen::amount},
        {{.id = "angle",
          .title = "Angle",
          .type = Type::real,
          .fallback = 0.0,
          .minimum = -360,
          .maximum = 360,
          .step = 5,
          .unit = "degrees",
          .help = "Direction of the motion, counter-clockwise from the x axis.",
          .visibleWhen = "filter",
          .visibleWhenIn = {"motion"}},
         &Chosen::angle},
        {dimensionsParameter(": identity, box, gaussian, laplacian or custom."), &Chosen::dimensions},
        {{.id = "sigma-unit",
          .title = "Sigma in",
          .type = Type::choice,
          .fallback = std::string("voxels"),
          .choices = {"voxels", "mm"},
          .help = "For a Gaussian in 3 dimensions: with mm, sigma is divided by the spacing of each axis. The radius "
                  "counts "
                  "voxels along the finest axis; the other axes get as many voxels as reach equally far.",
          .visibleWhen = "dimensions",
          .visibleWhenIn = {"3"},
          .advanced = true},
         &Chosen::sigmaUnit},
        {{.id = "normalise",
          .title = "Normalise",
          .type = Type::flag,
          .fallback = false,
          .help = "Divide the weights by their sum; a filter whose sum is 0 is left as it is.",
          .advanced = true},
         &Chosen::normalise},
        {borderParameter(Border::zero), &Chosen::border},
        {{.id = "output-type",
          .title = "Output type",
          .role = Parameter::Role::outputType,
          .type = Type::choice,
          .fallback = std::string("auto"),
          .choices = {"auto", "same", "f32"},
          .help = "Type of the result; auto is the input's own, but f32 for integer pictures with negative weights "
                  "and no offset.",
          .advanced = true},
         &Chosen::outputType},
        {{.id = "offset",
          .title = "Offset",
          .type = Type::real,
          .fallback = 0.0,
          .minimum = -65536,
          .maximum = 65536,
          .help = "Added to every result before it is stored, so that negative values fit an integer picture.",
          .advanced = true},
         &Chosen::offset},
        {alphaParameter("filtered"), &Chosen::alpha},
    };
    return all;
}

}  // namespace warplens::gpu::convolution
