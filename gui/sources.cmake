# SPDX-License-Identifier: Apache-2.0
# Every kernel's own file and what it includes, shown by the window, as Qt resources under :/warplens/gpu/.
file(GLOB kernel_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/gpu/families/*/*.cuh"
  "${PROJECT_SOURCE_DIR}/gpu/families/*/kernels/*.cuh" "${PROJECT_SOURCE_DIR}/gpu/*/*.cuh"
  "${PROJECT_SOURCE_DIR}/gpu/families/*/opencl/*.cl" "${PROJECT_SOURCE_DIR}/gpu/*/*.cl"
  "${PROJECT_SOURCE_DIR}/gpu/families/*/openacc/*.cpp")
set(kernel_rows "")
foreach(kernel IN LISTS kernel_files)
  string(APPEND kernel_rows "    <file alias=\"${kernel}\">${PROJECT_SOURCE_DIR}/${kernel}</file>\n")
endforeach()
set(kernel_qrc "${CMAKE_CURRENT_BINARY_DIR}/kernel_sources.qrc")
file(CONFIGURE OUTPUT "${kernel_qrc}"
  CONTENT "<RCC>\n  <qresource prefix=\"/warplens\">\n${kernel_rows}  </qresource>\n</RCC>\n" @ONLY)
target_sources(warplens_gui_session PRIVATE "${kernel_qrc}")
