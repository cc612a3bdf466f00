# SPDX-License-Identifier: Apache-2.0
# What is installed where, and the Debian package made of it. The programs find the rest from where they themselves lie
# (../libexec/warplens, ../share/warplens), so the layout below the prefix is fixed and the whole may be moved.
set(WARPLENS_MAINTAINER "Warplens maintainers <maintainers@warplens.invalid>" CACHE STRING
  "Maintainer of the Debian package: name and address")
set(desktop "${PROJECT_SOURCE_DIR}/resources/desktop")
set(made "${PROJECT_BINARY_DIR}/desktop")
set(pages warplens-cli)

install(TARGETS warplens-cli DESTINATION bin)
if(TARGET warplens-codec)
  install(TARGETS warplens-codec DESTINATION libexec/warplens)
endif()
# It carries the headers that kernels of the user's are compiled against.
if(TARGET warplens-worker)
  install(TARGETS warplens-worker DESTINATION libexec/warplens)
endif()
if(TARGET warplens-trace)
  # As a file, since CPack strips targets and it reads its own symbols; lintian is told why.
  install(PROGRAMS "$<TARGET_FILE:warplens-trace>" DESTINATION libexec/warplens)
  install(FILES "${desktop}/debian/lintian-overrides" DESTINATION share/lintian/overrides RENAME warplens)
endif()
install(DIRECTORY resources/exercises resources/samples resources/schema resources/tuning DESTINATION share/warplens)
install(DIRECTORY resources/recorded DESTINATION share/warplens FILES_MATCHING PATTERN "*.json")
install(DIRECTORY resources/listings DESTINATION share/warplens FILES_MATCHING PATTERN "*.json.gz")
# Of each family what the programs read: presets, bench cases, lessons.
foreach(family IN LISTS WARPLENS_FAMILIES)
  install(DIRECTORY gpu/families/${family} DESTINATION share/warplens/families
    FILES_MATCHING PATTERN "*.json" PATTERN tests EXCLUDE PATTERN kernels EXCLUDE)
endforeach()

install(FILES gpu/families/chapters.json DESTINATION share/warplens/families)

if(TARGET warplens)
  list(APPEND pages warplens)
  install(TARGETS warplens DESTINATION bin)
  install(FILES "${made}/org.warplens.warplens.desktop" DESTINATION share/applications)
  install(FILES "${desktop}/org.warplens.warplens.metainfo.xml" DESTINATION share/metainfo)
  install(FILES "${made}/warplens.xml" DESTINATION share/mime/packages)
  foreach(size 16 22 24 32 48 64 128 256 512)
    install(FILES "${desktop}/icons/warplens-${size}.png" DESTINATION share/icons/hicolor/${size}x${size}/apps
      RENAME warplens.png)
  endforeach()
  install(FILES "${desktop}/icons/warplens.svg" DESTINATION share/icons/hicolor/scalable/apps)
  install(FILES "${desktop}/icons/application-x-warplens-session.svg"
    DESTINATION share/icons/hicolor/scalable/mimetypes)
endif()

# warplens_filled(OUTPUT TEMPLATE): a file of which parts come from the program, as the families' options and the formats.
function(warplens_filled output template)
  add_custom_command(OUTPUT "${made}/${output}"
    COMMAND "${CMAKE_COMMAND}" "-DCLI=$<TARGET_FILE:warplens-cli>" "-DTEMPLATE=${desktop}/${template}"
      "-DOUTPUT=${made}/${output}" "-DPROJECT_VERSION=${PROJECT_VERSION}"
      -P "${PROJECT_SOURCE_DIR}/cmake/fill_template.cmake"
    DEPENDS warplens-cli "${desktop}/${template}" "${PROJECT_SOURCE_DIR}/cmake/fill_template.cmake"
    COMMENT "Writing ${output}" VERBATIM)
endfunction()

find_program(WARPLENS_GZIP gzip REQUIRED)
foreach(page IN LISTS pages)
  warplens_filled(${page}.1 man/${page}.1.in)
  add_custom_command(OUTPUT "${made}/${page}.1.gz" COMMAND "${WARPLENS_GZIP}" -9nkf "${made}/${page}.1"
    DEPENDS "${made}/${page}.1" VERBATIM)
  list(APPEND page_files "${made}/${page}.1.gz")
endforeach()
install(FILES ${page_files} DESTINATION share/man/man1)
set(desktop_files "")
if(TARGET warplens)
  foreach(file org.warplens.warplens.desktop warplens.xml)
    warplens_filled(${file} ${file}.in)
    list(APPEND desktop_files "${made}/${file}")
  endforeach()
endif()
add_custom_target(man_pages ALL DEPENDS ${page_files} ${desktop_files})

# A text as Debian's copyright format wants it: a blank before each line, a dot on empty ones.
function(warplens_as_paragraph result text)
  string(STRIP "${text}" text)
  string(REGEX REPLACE "[ \t]+(\n|$)" "\\1" text "${text}")
  string(REPLACE "\n" "\n " text " ${text}")
  string(REPLACE "\n \n" "\n .\n" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The part of a file that follows a marker.
function(warplens_text_after result file marker)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
  file(READ "${PROJECT_SOURCE_DIR}/${file}" text)
  string(FIND "${text}" "${marker}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file}: no line '${marker}', after which the package's copyright file takes a licence")
  endif()
  string(LENGTH "${marker}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${text}" ${at} -1 text)
  warplens_as_paragraph(text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

warplens_text_after(IRAF_LICENCE resources/samples/README.md "## IRAF licence\n")
warplens_text_after(OFL_LICENCE resources/fonts/OFL-NotoSans.txt "with a FAQ at: https://scripts.sil.org/OFL\n")
set(CUDA_COMMENT "")
if(WARPLENS_HAVE_CUDA)
  set(CUDA_COMMENT
    " The static CUDA runtime\n library is linked into them, under NVIDIA's CUDA Toolkit licence agreement.")
endif()
configure_file("${desktop}/debian/copyright.in" "${made}/copyright" @ONLY)
configure_file("${desktop}/debian/changelog.in" "${made}/changelog" @ONLY)
execute_process(COMMAND "${WARPLENS_GZIP}" -9nkf "${made}/changelog" COMMAND_ERROR_IS_FATAL ANY)
install(FILES "${made}/copyright" "${made}/changelog.gz" DESTINATION share/doc/warplens)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warplens)
set(CPACK_PACKAGE_VENDOR "Warplens")
set(CPACK_PACKAGE_CONTACT "${WARPLENS_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compare the variants of a CUDA kernel on your own picture")
set(CPACK_PACKAGE_DESCRIPTION
"Warplens shows what a CUDA optimisation does to a picture: open an image,
pick a filter, and compare the variants of its kernel, from
the naive one to the one that lives in registers. The results stand side by
side with their times, each number says where it comes from, and a result
that fails verification gets no time at all.
.
Without an NVIDIA GPU the same kernels run on the CPU, and times recorded on
a named GPU stand beside the results.
.
This package holds the window (warplens), the command line (warplens-cli),
sample pictures and recorded runs.")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(TARGET warplens)
  # The window's check marks are SVGs: Qt loads its plugin for them when running, which the linker does not see.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libqt6svg6)
endif()
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS g++)
if(WARPLENS_HAVE_CUDA)
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS ", libcuda1")
endif()
include(CPack)
