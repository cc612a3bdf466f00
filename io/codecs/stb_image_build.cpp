// SPDX-License-Identifier: Apache-2.0
// The one place where stb_image is compiled, with nothing in it but the three formats it reads for us.
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS (1 << 20)
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
