// SPDX-License-Identifier: MIT
// Archives for tests: through libarchive's writer, which takes any name, and a
// tar file by hand for the little that it refuses.
#pragma once

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace grader {

struct Item {
  std::string name;
  std::string bytes;  // of a link: where to
  mode_t mode = S_IFREG;
  bool is_hard_link = false;
  std::uint64_t zeros = 0;  // that follow the bytes
};

enum class Packing { zip, stored_zip, tar, gzip, bzip2, xz, bare_gzip };

class ArchiveMaker {
 public:
  // Options as archive_write_set_options has them.
  explicit ArchiveMaker(Packing packing, const std::string& options = "")
      : writer_(archive_write_new(), archive_write_free) {
    set_packing(packing);
    archive_write_set_bytes_in_last_block(writer_.get(), 1);
    if (!options.empty()) {
      check(archive_write_set_options(writer_.get(), options.c_str()));
      check(archive_write_set_passphrase(writer_.get(), "secret"));
    }
    check(archive_write_open(writer_.get(), &bytes_, nullptr, append, nullptr));
  }

  void add(const Item& item) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(
        archive_entry_new(), archive_entry_free);
    archive_entry_copy_pathname(entry.get(), item.name.c_str());
    archive_entry_set_mode(entry.get(), item.mode | 0644);
    const bool has_data = S_ISREG(item.mode) && !item.is_hard_link;
    archive_entry_set_size(
        entry.get(),
        has_data ? static_cast<la_int64_t>(item.bytes.size() + item.zeros) : 0);
    if (item.is_hard_link) {
      archive_entry_copy_hardlink(entry.get(), item.bytes.c_str());
    } else if (S_ISLNK(item.mode)) {
      archive_entry_copy_symlink(entry.get(), item.bytes.c_str());
    }
    check(archive_write_header(writer_.get(), entry.get()));
    if (has_data) {
      write(item);
    }
  }

  std::string finish() {
    check(archive_write_close(writer_.get()));
    return bytes_;
  }

 private:
  static la_ssize_t append(archive* /*writer*/, void* bytes, const void* data,
                           std::size_t size) {
    static_cast<std::string*>(bytes)->append(static_cast<const char*>(data),
                                             size);
    return static_cast<la_ssize_t>(size);
  }

  void set_packing(Packing packing) {
    archive* writer = writer_.get();
    if (packing == Packing::zip || packing == Packing::stored_zip) {
      archive_write_set_format_zip(writer);
      if (packing == Packing::stored_zip) {
        archive_write_zip_set_compression_store(writer);
      }
      return;
    }
    if (packing == Packing::bare_gzip) {
      archive_write_set_format_raw(writer);  // no tar in it
    } else {
      archive_write_set_format_gnutar(writer);  // names are bytes
    }
    if (packing == Packing::gzip || packing == Packing::bare_gzip) {
      archive_write_add_filter_gzip(writer);
    } else if (packing == Packing::bzip2) {
      archive_write_add_filter_bzip2(writer);
    } else if (packing == Packing::xz) {
      archive_write_add_filter_xz(writer);
    }
  }

  void write(const Item& item) {
    archive_write_data(writer_.get(), item.bytes.data(), item.bytes.size());
    static const std::string zeros(std::size_t{1} << 20U, '\0');
    for (std::uint64_t left = item.zeros; left > 0;) {
      const std::uint64_t size = std::min<std::uint64_t>(left, zeros.size());
      archive_write_data(writer_.get(), zeros.data(), size);
      left -= size;
    }
  }

  void check(int status) {
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      throw std::runtime_error(archive_error_string(writer_.get()));
    }
  }

  std::unique_ptr<archive, int (*)(archive*)> writer_;
  std::string bytes_;
};

inline std::string make_archive(Packing packing,
                                const std::vector<Item>& items) {
  ArchiveMaker maker(packing);
  for (const Item& item : items) {
    maker.add(item);
  }
  return maker.finish();
}

// Sets the checksum of a header of tar, which counts itself as spaces.
inline void seal_header(std::string& header) {
  constexpr std::size_t offset = 148;
  header.replace(offset, 8, "        ");
  unsigned sum = 0;
  for (const char c : header) {
    sum += static_cast<unsigned char>(c);
  }
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%06o", sum);
  header.replace(offset, text.size(), text.data(), text.size());
}

// One entry of a tar file, as POSIX has it (ustar), without a check of
// anything.
inline std::string tar_entry(const std::string& name, const std::string& bytes,
                             char type = '0') {
  constexpr std::size_t block = 512;  // bytes
  std::string header(block, '\0');
  const auto put = [&header](std::size_t offset, const std::string& text) {
    header.replace(offset, text.size(), text);
  };
  std::array<char, 12> size{};
  std::snprintf(size.data(), size.size(), "%011zo", bytes.size());
  put(0, name);
  put(100, "0000644");
  put(124, size.data());
  put(156, std::string(1, type));
  put(257, std::string("ustar\00000", 8));
  seal_header(header);
  std::string padded = bytes;
  padded.resize((bytes.size() + block - 1) / block * block);
  return header + padded;
}

inline std::string end_of_tar() {
  return std::string(1024, '\0');
}

}  // namespace grader
