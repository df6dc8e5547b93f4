// SPDX-License-Identifier: MIT
// What may be an entry of a folder or an archive.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "grader/submission/submission.hpp"

namespace grader {

// "NAME: what": an entry that spoils the submission. The name is any bytes.
Problem rejected_entry(std::string_view name, const std::string& what);

// "a symbolic link, not a file: ..." for what st_mode says is no regular file.
std::optional<std::string> why_no_file(mode_t mode);

// Names that are trouble on the way (control characters) or cannot be written
// to a folder (a part over 255 bytes).
std::optional<Problem> check_name(std::string_view name);

// Names that are too long for any use, as they are stored in an archive: those
// of a few thousand entries would fill the memory.
std::optional<Problem> check_length(std::string_view stored);

// The name of an archive's entry, without "." and with "/" as separator, be it
// "\" in the archive (made on Windows); empty for the archive's own folder.
// Nothing that leads out of a folder: no "..", no "/" in front, no drive.
std::variant<std::string, Problem> plain_name(std::string_view stored);

}  // namespace grader
