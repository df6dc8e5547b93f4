// SPDX-License-Identifier: MIT
#include "grader/submission/archive_reader.hpp"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cerrno>
#include <locale.h>  // NOLINT: newlocale, which is POSIX, is not in <clocale>
#include <new>
#include <vector>

#include "grader/submission/limits.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

constexpr std::size_t chunk_size = 65536;  // bytes

// What may precede the data of one entry of a tar file: names and attributes.
// libarchive keeps all of it in memory.
constexpr std::uint64_t largest_header = std::uint64_t{4} << 20;  // bytes

struct FreeArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using Handle = std::unique_ptr<archive, FreeArchive>;

Handle new_handle() {
  Handle handle(archive_read_new());
  if (!handle) {
    throw std::bad_alloc();
  }
  return handle;
}

std::string error_text(archive* reader) {
  const char* text = archive_error_string(reader);
  return text == nullptr ? "no reason given" : one_line(text);
}

// libarchive turns names into the characters of the thread's locale, and loses
// those that it has no character for.
class Utf8Locale {
 public:
  Utf8Locale() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{})) {
    if (locale_ != locale_t{}) {
      before_ = uselocale(locale_);
    }
  }
  ~Utf8Locale() {
    if (locale_ != locale_t{}) {
      uselocale(before_);
      freelocale(locale_);
    }
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t locale_;
  locale_t before_{};
};

struct Signature {
  std::string_view bytes;
  std::string_view name;
};

constexpr std::array foreign_formats = {
    Signature{"Rar!", "a RAR"},
    Signature{"7z\xBC\xAF\x27\x1C", "a 7-Zip"},
    Signature{"\x28\xB5\x2F\xFD", "a Zstandard"},
    Signature{"\x1F\x9D", "a compress"},
};

std::string foreign_format(std::string_view archive) {
  const auto* found =
      std::ranges::find_if(foreign_formats, [&](const Signature& format) {
        return archive.starts_with(format.bytes);
      });
  return found == foreign_formats.end() ? "" : std::string(found->name);
}

// The filter that unpacks it, or ARCHIVE_FILTER_NONE.
int filter_of(std::string_view archive) {
  if (archive.starts_with("\x1F\x8B")) {
    return ARCHIVE_FILTER_GZIP;
  }
  if (archive.starts_with("BZh")) {
    return ARCHIVE_FILTER_BZIP2;
  }
  return archive.starts_with(
             "\xFD"
             "7zXZ")
             ? ARCHIVE_FILTER_XZ
             : ARCHIVE_FILTER_NONE;
}

// What a tar file is read from: memory, or a second reader that unpacks it.
// libarchive's own chain would unpack what was packed any number of times, and
// read on while nobody counts.
struct Feed {
  std::string_view rest;
  Handle unpacker;
  std::uint64_t most_unpacked = 0;
  std::uint64_t unpacked = 0;              // bytes
  std::optional<std::uint64_t> of_header;  // likewise, while one is read
  std::string failure;

  std::string_view next() {
    const std::string_view chunk = unpacker ? unpack() : take();
    unpacked += unpacker ? chunk.size() : 0;
    if (unpacked > most_unpacked) {
      failure = "it becomes more than " + size_text(most_unpacked) +
                ", with what is ignored: leave out environments and data";
      return {};
    }
    if (of_header && chunk.size() > *of_header) {
      failure = "the names and attributes of an entry are too long";
      return {};
    }
    if (of_header) {
      *of_header -= chunk.size();
    }
    return chunk;
  }

  std::string_view take() {
    const std::string_view chunk = rest.substr(0, chunk_size);
    rest.remove_prefix(chunk.size());
    return chunk;
  }

  std::string_view unpack() {
    const void* buffer = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status =
        archive_read_data_block(unpacker.get(), &buffer, &size, &offset);
    if (status != ARCHIVE_OK && status != ARCHIVE_EOF) {
      failure = error_text(unpacker.get());
    }
    return status == ARCHIVE_OK
               ? std::string_view(static_cast<const char*>(buffer), size)
               : std::string_view();
  }
};

la_ssize_t feed_tar(archive* reader, void* data, const void** buffer) {
  auto& feed = *static_cast<Feed*>(data);
  const std::string_view chunk = feed.next();
  if (!feed.failure.empty()) {
    archive_set_error(reader, EINVAL, "%s", feed.failure.c_str());
    return ARCHIVE_FATAL;
  }
  *buffer = chunk.data();
  return static_cast<la_ssize_t>(chunk.size());
}

bool is_fine(int status) {
  return status == ARCHIVE_OK || status == ARCHIVE_WARN;
}

// Nothing, if the bytes cannot be unpacked: `why` says it.
Handle make_unpacker(std::string_view archive, int filter, std::string& why) {
  Handle unpacker = new_handle();
  archive_read_support_format_raw(unpacker.get());
  archive_read_support_format_empty(unpacker.get());
  archive_read_append_filter(unpacker.get(), filter);
  archive_entry* entry = nullptr;
  if (!is_fine(archive_read_open_memory(unpacker.get(), archive.data(),
                                        archive.size()))) {
    why = error_text(unpacker.get());
    return nullptr;
  }
  const int status = archive_read_next_header(unpacker.get(), &entry);
  if (status == ARCHIVE_EOF) {  // libarchive may not know which
    why = "nothing comes out of it: it was cut off, or packed without a file";
    return nullptr;
  }
  if (!is_fine(status)) {
    why = error_text(unpacker.get());
    return nullptr;
  }
  return unpacker;
}

// Everybody's zip has these two; the other methods have known the most trouble.
std::string odd_method(archive* reader) {
  if ((archive_format(reader) & ARCHIVE_FORMAT_BASE_MASK) !=
      ARCHIVE_FORMAT_ZIP) {
    return "";
  }
  const std::string format = archive_format_name(reader);
  const bool is_usual =
      format.ends_with("(deflation)") || format.ends_with("(uncompressed)");
  return is_usual ? "" : one_line(format);
}

ArchiveEntry describe(archive* reader, archive_entry* entry) {
  ArchiveEntry described;
  const char* name = archive_entry_pathname(entry);
  if (name == nullptr) {
    name = archive_entry_pathname_utf8(entry);
  }
  if (name != nullptr) {
    described.name = name;
  }
  described.mode = archive_entry_filetype(entry);
  described.is_hard_link = archive_entry_hardlink(entry) != nullptr;
  described.is_encrypted = archive_entry_is_encrypted(entry) != 0;
  described.odd_method = odd_method(reader);
  return described;
}

}  // namespace

struct ArchiveReader::Handles {
  Utf8Locale locale;
  Feed feed;
  Handle reader = new_handle();
  bool is_in_entry = false;
};

ArchiveReader::ArchiveReader(std::string_view archive,
                             std::uint64_t most_unpacked)
    : handles_(std::make_unique<Handles>()) {
  Feed& feed = handles_->feed;
  ::archive* reader = handles_->reader.get();
  const std::string foreign = foreign_format(archive);
  if (!foreign.empty()) {
    problem_ = Problem{ProblemKind::rejected,
                       foreign +
                           " archive is not read. Hand in a .zip or a "
                           ".tar.gz"};
    return;
  }
  archive_read_support_format_empty(reader);
  if (archive.starts_with("PK")) {
    // By the list at its end, as every other program does. The names are those
    // before the data: check_zip_directory has compared them.
    archive_read_support_format_zip_seekable(reader);
    if (!is_fine(
            archive_read_open_memory(reader, archive.data(), archive.size()))) {
      fail(error_text(reader));
    }
    return;
  }
  feed.rest = archive;
  feed.most_unpacked = most_unpacked;
  const int filter = filter_of(archive);
  if (filter != ARCHIVE_FILTER_NONE) {
    std::string why;
    feed.unpacker = make_unpacker(archive, filter, why);
    if (!feed.unpacker) {
      fail(why);
      return;
    }
  }
  archive_read_support_format_tar(reader);
  if (!is_fine(archive_read_open(reader, &feed, nullptr, feed_tar, nullptr))) {
    fail(error_text(reader));
  }
}

ArchiveReader::~ArchiveReader() = default;

std::optional<ArchiveEntry> ArchiveReader::next() {
  ::archive* reader = handles_->reader.get();
  if (problem_) {
    return std::nullopt;
  }
  if (handles_->is_in_entry && !is_fine(archive_read_data_skip(reader))) {
    fail(error_text(reader));
    return std::nullopt;
  }
  archive_entry* entry = nullptr;
  handles_->feed.of_header = largest_header;
  const int status = archive_read_next_header(reader, &entry);
  handles_->feed.of_header.reset();
  handles_->is_in_entry = is_fine(status);
  if (is_fine(status)) {
    return describe(reader, entry);
  }
  if (status != ARCHIVE_EOF) {
    fail(error_text(reader));
  }
  return std::nullopt;
}

std::string ArchiveReader::read(std::uint64_t most) {
  std::string bytes;
  std::vector<char> chunk(chunk_size);
  while (bytes.size() < most) {
    const std::size_t wanted =
        std::min<std::uint64_t>(chunk.size(), most - bytes.size());
    const la_ssize_t count =
        archive_read_data(handles_->reader.get(), chunk.data(), wanted);
    if (count < 0) {
      fail(error_text(handles_->reader.get()));
      break;
    }
    if (count == 0) {
      break;
    }
    bytes.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return bytes;
}

void ArchiveReader::fail(const std::string& libarchive) {
  // Told that there is no more, libarchive complains of a truncated file.
  const std::string& cause = handles_->feed.failure;
  const std::string& why = cause.empty() ? libarchive : cause;
  problem_ =
      Problem{ProblemKind::rejected,
              "cannot be unpacked: " + why + ". Hand in a new .zip or .tar.gz"};
}

}  // namespace grader
