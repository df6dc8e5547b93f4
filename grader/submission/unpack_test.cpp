// SPDX-License-Identifier: MIT
#include "grader/submission/unpack.hpp"

#include <array>
#include <sys/resource.h>

#include "grader/submission/archive_maker.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

using Files = std::vector<SourceFile>;
using Names = std::vector<std::string>;

constexpr std::array every_packing = {Packing::zip,   Packing::stored_zip,
                                      Packing::tar,   Packing::gzip,
                                      Packing::bzip2, Packing::xz};

Item file(const std::string& name, const std::string& bytes = "x = 1\n") {
  return {.name = name, .bytes = bytes};
}

Item folder(const std::string& name) {
  return {.name = name, .bytes = "", .mode = S_IFDIR};
}

Item link(const std::string& name, const std::string& target) {
  return {.name = name, .bytes = target, .mode = S_IFLNK};
}

Names names(const FilesOrProblem& unpacked) {
  if (const auto* problem = std::get_if<Problem>(&unpacked)) {
    return {"problem: " + problem->detail};
  }
  Names found;
  for (const SourceFile& source : std::get<Files>(unpacked)) {
    found.push_back(source.name);
  }
  return found;
}

std::string complaint(const FilesOrProblem& unpacked,
                      ProblemKind kind = ProblemKind::rejected) {
  if (std::holds_alternative<Files>(unpacked)) {
    return "no problem";
  }
  CHECK(std::get<Problem>(unpacked).kind == kind);
  return std::get<Problem>(unpacked).detail;
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

// Of the same length, wherever it is.
std::string with(std::string archive, const std::string& what,
                 const std::string& instead) {
  REQUIRE(what.size() == instead.size());
  for (std::size_t at = archive.find(what); at != std::string::npos;
       at = archive.find(what, at)) {
    archive.replace(at, what.size(), instead);
  }
  return archive;
}

TEST_CASE("every packing gives the same files, by the bytes of their names",
          "[unpack]") {
  const std::string bytes("a\0b\r\n\xff", 6);
  for (const Packing packing : every_packing) {
    const auto unpacked = unpack(make_archive(
        packing, {file("b.py", bytes), folder("sub"), file("sub/helper.py", ""),
                  file("C.py"), file("tests/test_b.py"), folder("hollow")}));
    CHECK(names(unpacked) ==
          Names{"C.py", "b.py", "sub/helper.py", "tests/test_b.py"});
    CHECK(std::get<Files>(unpacked)[1].bytes == bytes);
    CHECK(std::get<Files>(unpacked)[2].bytes.empty());
  }
}

TEST_CASE("a large file comes through unchanged", "[unpack]") {
  std::string bytes;
  for (unsigned i = 0; bytes.size() < 3000000; ++i) {
    bytes += std::to_string(i * 2654435761U);
  }
  for (const Packing packing : every_packing) {
    const auto unpacked = unpack(make_archive(packing, {file("a.py", bytes)}));
    REQUIRE(names(unpacked) == Names{"a.py"});
    CHECK(std::get<Files>(unpacked)[0].bytes == bytes);
  }
}

TEST_CASE("one folder that all are in is left off", "[unpack]") {
  for (const Packing packing : every_packing) {
    CHECK(names(unpack(make_archive(
              packing, {folder("ana"), file("ana/a.py"), file("ana/sub/b.py"),
                        file("__MACOSX/ana/._a.py"), file(".DS_Store")}))) ==
          Names{"a.py", "sub/b.py"});
  }
  CHECK(names(unpack(make_archive(Packing::tar,
                                  {file("./ana/a.py"), file("./ana/b.py")}))) ==
        Names{"a.py", "b.py"});
  CHECK(names(unpack(make_archive(Packing::zip, {file("build/a.py")}))) ==
        Names{"a.py"});
}

TEST_CASE("a folder that only some are in stays", "[unpack]") {
  CHECK(names(unpack(
            make_archive(Packing::zip, {file("ana/a.py"), file("b.py")}))) ==
        Names{"ana/a.py", "b.py"});
  CHECK(names(unpack(make_archive(Packing::zip,
                                  {file("ana/a.py"), file("ben/a.py")}))) ==
        Names{"ana/a.py", "ben/a.py"});
  CHECK(names(unpack(make_archive(Packing::zip, {file("a/b/c.py")}))) ==
        Names{"b/c.py"});
}

TEST_CASE("clutter is passed over, with the links in it", "[unpack]") {
  for (const Packing packing : {Packing::zip, Packing::gzip}) {
    CHECK(names(unpack(make_archive(
              packing, {file("ana/.git/config"), file("ana/__pycache__/a.pyc"),
                        link("ana/mine/bin/python", "/usr/bin/python3"),
                        file("ana/mine/pyvenv.cfg"),
                        link("ana/.venv/python", "/"), file("ana/a.py"),
                        file("ana/.cache/old.zip"), file("ana/._a.py")}))) ==
          Names{"a.py"});
  }
}

TEST_CASE("an archive without files says so", "[unpack]") {
  for (const Packing packing : every_packing) {
    CHECK(complaint(unpack(make_archive(packing, {})), ProblemKind::empty) ==
          "holds no file");
    CHECK(complaint(unpack(make_archive(packing, {folder("ana")})),
                    ProblemKind::empty) == "holds no file");
    CHECK(complaint(unpack(make_archive(packing, {file(".git/config")})),
                    ProblemKind::empty) ==
          "holds no file, apart from what is ignored (.git/config)");
  }
  CHECK(complaint(unpack(""), ProblemKind::empty) == "holds no file");
}

TEST_CASE("a name that leads elsewhere is rejected, in clutter too",
          "[unpack]") {
  for (const Packing packing : {Packing::zip, Packing::tar, Packing::gzip}) {
    for (const char* name :
         {"../x.py", "ana/../../x.py", ".git/../../x", "/etc/cron.d/x",
          "..\\x.py", "C:\\x.py", "C:/x.py", "//server/share/x.py", ".."}) {
      INFO(name);
      const std::string text =
          complaint(unpack(make_archive(packing, {file("a.py"), file(name)})));
      CHECK((text.find("leads out of the folder") != std::string::npos ||
             text.find("an absolute name") != std::string::npos));
    }
  }
  CHECK(
      complaint(unpack(make_archive(Packing::zip, {file("../x.py")}))) ==
      "../x.py: \"..\" leads out of the folder. Make the archive anew, inside "
      "of the folder that you hand in");
}

TEST_CASE("folders of an archive made on Windows are folders", "[unpack]") {
  CHECK(names(unpack(make_archive(
            Packing::zip, {file("ana\\a.py"), file("ana\\sub\\b.py")}))) ==
        Names{"a.py", "sub/b.py"});
}

TEST_CASE("a link is rejected", "[unpack]") {
  for (const Packing packing : {Packing::zip, Packing::tar, Packing::xz}) {
    CHECK(complaint(unpack(make_archive(
              packing, {file("a.py"), link("b.py", "/etc/passwd")}))) ==
          "b.py: a symbolic link, not a file: hand in the file itself");
  }
  CHECK(complaint(unpack(make_archive(
            Packing::tar,
            {file("a.py"),
             {.name = "b.py", .bytes = "a.py", .is_hard_link = true}}))) ==
        "b.py: a hard link, not a file: hand in the file itself (tar "
        "--hard-dereference)");
}

TEST_CASE("a device or a pipe is rejected", "[unpack]") {
  const auto with_mode = [](mode_t mode) {
    return complaint(unpack(make_archive(
        Packing::tar, {{.name = "b.py", .bytes = "", .mode = mode}})));
  };
  CHECK(with_mode(S_IFIFO) == "b.py: a named pipe, not a file: leave it out");
  CHECK(with_mode(S_IFCHR) == "b.py: a device, not a file: leave it out");
  CHECK(with_mode(S_IFBLK) == "b.py: a device, not a file: leave it out");
}

TEST_CASE("an archive in the archive is rejected", "[unpack]") {
  for (const char* name : {"b.zip", "sub/B.TAR.GZ", "b.7z", "b.whl"}) {
    INFO(name);
    CHECK(complaint(
              unpack(make_archive(Packing::zip, {file("a.py"), file(name)}))) ==
          std::string(name) +
              ": an archive in the archive: hand in its files themselves");
  }
}

TEST_CASE("an archive packed twice is not unpacked twice", "[unpack]") {
  const std::string once = make_archive(Packing::gzip, {file("a.py")});
  CHECK(names(unpack(once)) == Names{"a.py"});
  const std::string twice = make_archive(Packing::bare_gzip, {file("", once)});
  CHECK(complaint(unpack(twice)) ==
        "cannot be unpacked: Unrecognized archive format. Hand in a new .zip "
        "or .tar.gz");
}

TEST_CASE("nothing, packed, says so", "[unpack]") {
  const std::string bzip2("BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0", 14);
  for (const std::string& nothing :
       {make_archive(Packing::bare_gzip, {file("", "")}), bzip2,
        bzip2.substr(0, 9)}) {
    CHECK(complaint(unpack(nothing)) ==
          "cannot be unpacked: nothing comes out of it: it was cut off, or "
          "packed without a file. Hand in a new .zip or .tar.gz");
  }
}

TEST_CASE("an archive with a password is rejected", "[unpack]") {
  for (const char* options :
       {"zip:encryption=zipcrypt", "zip:encryption=aes256"}) {
    ArchiveMaker maker(Packing::zip, options);
    maker.add(file("a.py"));
    CHECK(complaint(unpack(maker.finish())) ==
          "the archive is encrypted: hand in one without a password");
  }
}

TEST_CASE("a name that comes twice is rejected", "[unpack]") {
  for (const Packing packing : {Packing::zip, Packing::tar}) {
    for (const char* name : {"a.py", "./a.py", ".//a.py"}) {
      CHECK(complaint(
                unpack(make_archive(packing, {file("a.py"), file(name)}))) ==
            "a.py: it is in the archive twice. Make the archive anew");
    }
    CHECK(complaint(unpack(make_archive(
              packing, {file("x.py"), file("a"), file("a/b.py")}))) ==
          "a: a file and a folder of one name. Make the archive anew");
    CHECK(names(unpack(make_archive(
              packing, {folder("sub"), folder("sub"), file("sub/a.py"),
                        file("b.py")}))) == Names{"b.py", "sub/a.py"});
  }
  CHECK(complaint(unpack(tar_entry("a.py", "") + tar_entry("a.py/", "", '5') +
                         end_of_tar())) ==
        "a.py: a file and a folder of one name. Make the archive anew");
}

TEST_CASE("names are bytes, whatever the locale", "[unpack]") {
  const Names strange = {"caf\xe9.py", "na\xc3\xafve.py", "\xf0\x9f\x8d\x8c.c"};
  for (const Packing packing : {Packing::tar, Packing::gzip, Packing::zip}) {
    CHECK(
        names(unpack(make_archive(packing, {file(strange[0]), file(strange[1]),
                                            file(strange[2])}))) == strange);
  }
  // The same in a zip that says of its names that they are UTF-8.
  const std::string zip = make_archive(
      Packing::stored_zip, {file("naXXve.py", ""), file("other.py", "")});
  std::string flagged = with(zip, "naXXve", "na\xc3\xafve");
  for (const std::string& mark :
       {std::string("PK\3\4"), std::string("PK\1\2")}) {
    const std::size_t flags = mark == "PK\3\4" ? 7 : 9;
    for (std::size_t at = flagged.find(mark); at != std::string::npos;
         at = flagged.find(mark, at + 1)) {
      flagged[at + flags] = static_cast<char>(flagged[at + flags] | 0x08);
    }
  }
  CHECK(names(unpack(flagged)) == Names{"na\xc3\xafve.py", "other.py"});
  CHECK(complaint(unpack(with(flagged, "na\xc3\xafve", "na\xff\xffve"))) ==
        "entry 1: its name cannot be made out. Rename it and make the archive "
        "anew");
}

TEST_CASE("a name with NUL or a control character is rejected", "[unpack]") {
  for (const Packing packing : {Packing::zip, Packing::tar}) {
    CHECK(complaint(unpack(
              make_archive(packing, {file("a.py"), file("b\x1b[31m.py")}))) ==
          "b\\x1b[31m.py: a control character in the name: rename it and hand "
          "in again");
  }
  const std::string zip =
      make_archive(Packing::zip, {file("a.pyX.txt"), file("b.py")});
  CHECK(
      complaint(unpack(with(zip, "a.pyX.txt", std::string("a.py\0.txt", 9)))) ==
      "a.py\\x00.txt: a NUL in the name. Make the archive anew");
}

TEST_CASE("a zip archive that calls a file two names is rejected", "[unpack]") {
  const std::string zip =
      make_archive(Packing::zip, {file("notes.txt"), file("b.py")});
  std::string other = zip;
  other.replace(zip.find("notes.txt"), 9, "aaaaaa.py");
  CHECK(complaint(unpack(other)) ==
        "notes.txt: the archive's list calls it so, its own header aaaaaa.py. "
        "Make the archive anew");
  std::string nameless = zip;
  nameless[nameless.rfind("PK\1\2") + 28] = 0;
  nameless[nameless.rfind("PK\1\2") + 30] =
      static_cast<char>(nameless[nameless.rfind("PK\1\2") + 30] + 4);
  CHECK(starts_with(complaint(unpack(nameless)),
                    "a file without a name: the archive's list calls it so, "
                    "its own header b.py. "));
  std::string longer = zip;
  longer[zip.find("PK\3\4") + 26] = 8;  // "notes.tx"
  CHECK(complaint(unpack(longer)).find("its own header notes.tx.") !=
        std::string::npos);
}

std::string two_bytes(std::size_t number) {
  return {static_cast<char>(number & 0xFFU),
          static_cast<char>((number >> 8U) & 0xFFU)};
}

// A zip archive of one empty file, with extra fields in its two headers.
std::string zip_with_fields(const std::string& name, const std::string& own,
                            const std::string& listed) {
  const std::string header = two_bytes(20) + std::string(20, '\0');
  const std::string local = "PK\3\4" + header + two_bytes(name.size()) +
                            two_bytes(own.size()) + name + own;
  const std::string entry = "PK\1\2" + two_bytes(20) + header +
                            two_bytes(name.size()) + two_bytes(listed.size()) +
                            std::string(14, '\0') + name + listed;
  return local + entry + "PK\5\6" + std::string(4, '\0') + two_bytes(1) +
         two_bytes(1) + two_bytes(entry.size()) + two_bytes(0) +
         two_bytes(local.size()) + std::string(4, '\0');
}

TEST_CASE("a name in Unicode is the same in both headers of a zip archive",
          "[unpack]") {
  // Version 1, CRC-32 of "caf\x82.py", which is of code page 437.
  const std::string field =
      std::string("up") + two_bytes(13) + "\1 r\x8d\x81" + "caf\xc3\xa9.py";
  const std::string other =
      std::string("up") + two_bytes(13) + "\1 r\x8d\x81" + "other.py";
  const auto unpacked = [&](const std::string& own, const std::string& listed) {
    return names(unpack(zip_with_fields("caf\x82.py", own, listed)));
  };
  CHECK(unpacked("", "").size() == 1);
  const std::string text =
      "problem: caf\xef\xbf\xbd.py: its own header has another name in "
      "Unicode. Make "
      "the archive anew";
  CHECK(unpacked(field, field) == Names{"caf\xc3\xa9.py"});
  CHECK(unpacked(field, "") == Names{text});
  CHECK(unpacked(field + other, field) == Names{text});
}

TEST_CASE("a zip archive whose list leads astray is rejected", "[unpack]") {
  const std::string zip =
      make_archive(Packing::stored_zip, {file("a.py"), file("b.py")});
  const auto with_offset = [&](const std::string& offset) {
    std::string changed = zip;
    changed.replace(zip.rfind("PK\1\2") + 42, 4, offset);
    return complaint(unpack(changed));
  };
  const std::string astray =
      "b.py: the archive's list leads to no file. Make the archive anew";
  CHECK(with_offset(std::string("\1\0\0\0", 4)) == astray);
  CHECK(with_offset("\xfe\xff\xff\xff") == astray);
  const std::size_t end = zip.rfind("PK\5\6");
  CHECK(with_offset(two_bytes(end - 4) + two_bytes(0)) == astray);
  CHECK(with_offset("\xff\xff\xff\xff") ==
        "b.py: packed as only archives over 4 GiB must be (zip64). Make a "
        "plain .zip anew");
  CHECK(complaint(unpack(with(zip, "PK\3\4", "PK\3\5"))) ==
        "a.py: the archive's list leads to no file. Make the archive anew");
  std::string locator(20, '\0');
  locator.replace(0, 4, "PK\6\7");
  CHECK(complaint(unpack(std::string(zip).insert(end, locator)))
            .find("the zip archive is packed as only archives over 4 GiB") ==
        0);
  for (const std::size_t size : {std::size_t{1}, end + 1}) {
    std::string changed = zip;
    changed.replace(end + 12, 2, two_bytes(size));
    CHECK(starts_with(complaint(unpack(changed)),
                      "the zip archive's list of its files is damaged"));
  }
}

TEST_CASE("a program in front of a zip archive is passed over", "[unpack]") {
  const std::string zip =
      make_archive(Packing::zip, {file("a.py"), file("b.py", "")});
  CHECK(names(unpack("PKSFX, as it were" + zip)) == Names{"a.py", "b.py"});
}

TEST_CASE("a damaged archive is rejected with the reason", "[unpack]") {
  std::string bytes;
  for (unsigned i = 0; bytes.size() < 30000; ++i) {
    bytes += std::to_string(i * 2654435761U);
  }
  for (const Packing packing : every_packing) {
    const std::string whole =
        make_archive(packing, {file("a.py"), file("b.py", bytes)});
    for (const std::size_t part : {4U, 10U, 20U, 40U, 60U, 80U, 90U}) {
      INFO(static_cast<int>(packing) << " " << part);
      const std::string text =
          complaint(unpack(whole.substr(0, whole.size() * part / 100)));
      CHECK((starts_with(text, "cannot be unpacked: ") ||
             starts_with(text, "the zip archive has no list")));
    }
  }
  std::string zip = make_archive(Packing::stored_zip, {file("a.py", bytes)});
  zip[zip.size() / 2] = static_cast<char>(zip[zip.size() / 2] ^ 1);
  CHECK(starts_with(complaint(unpack(zip)), "cannot be unpacked: ZIP bad CRC"));
}

TEST_CASE("what is no archive, or another kind of one, says so", "[unpack]") {
  CHECK(complaint(unpack("def attention(q, k, v):\n")) ==
        "cannot be unpacked: Unrecognized archive format. Hand in a new .zip "
        "or .tar.gz");
  CHECK(complaint(unpack("Rar!\x1a\x07")) ==
        "a RAR archive is not read. Hand in a .zip or a .tar.gz");
  CHECK(starts_with(complaint(unpack("PK")), "the zip archive has no list"));
  CHECK(starts_with(complaint(unpack("\x1f\x8b")), "cannot be unpacked: "));
}

TEST_CASE("an unusual method of packing is rejected", "[unpack]") {
  std::string zip = make_archive(Packing::stored_zip, {file("a.py")});
  const std::string lzma("\x0e", 1);
  zip.replace(zip.find("PK\3\4") + 8, 1, lzma);
  zip.replace(zip.find("PK\1\2") + 10, 1, lzma);
  CHECK(complaint(unpack(zip)) ==
        "a.py: packed in an unusual way (ZIP 1.0 (lzma)). Make a plain .zip "
        "anew");
}

TEST_CASE("the limits of an archive are those of a folder", "[unpack]") {
  for (const Packing packing : {Packing::zip, Packing::gzip}) {
    const std::string archive = make_archive(
        packing, {file("a.py", std::string(100, 'x')),
                  file("b.so", std::string(200, 'x')), file(".git/x")});
    CHECK(names(unpack(archive, {.source = 100,
                                 .library = 200,
                                 .total = 300,
                                 .files = 2,
                                 .entries = 3}))
              .size() == 2);
    CHECK(complaint(unpack(archive, {.source = 99})) ==
          "a.py: more than 99 bytes, the limit for a source file. Make it "
          "smaller");
    CHECK(starts_with(complaint(unpack(archive, {.library = 199})),
                      "b.so: more than 199 bytes"));
    CHECK(starts_with(complaint(unpack(archive, {.total = 299})),
                      "b.so: with it the files are more than 299 bytes"));
    CHECK(starts_with(complaint(unpack(archive, {.files = 1})),
                      "b.so: more than 1 files"));
    CHECK(complaint(unpack(archive, {.entries = 2}))
              .find("more than 2 files and folders") != std::string::npos);
    CHECK(names(unpack(
              make_archive(packing, {file("t/1/2/3/4/5/6/7/8/a.py")}))) ==
          Names{"1/2/3/4/5/6/7/8/a.py"});
    CHECK(complaint(
              unpack(make_archive(packing, {file("t/1/2/3/4/5/6/7/8/9/a.py")})))
              .find("more than 8 folders deep") != std::string::npos);
  }
}

TEST_CASE("ten thousand files of an archive are rejected", "[unpack]") {
  for (const Packing packing : {Packing::stored_zip, Packing::gzip}) {
    ArchiveMaker maker(packing);
    for (int i = 0; i < 10000; ++i) {
      maker.add(file(std::to_string(i) + ".py", ""));
    }
    const std::string text = complaint(unpack(maker.finish()));
    CHECK(text.find("more than 1000 files") != std::string::npos);
  }
}

TEST_CASE("too many entries are rejected, clutter or not", "[unpack]") {
  for (const Packing packing : {Packing::stored_zip, Packing::gzip}) {
    ArchiveMaker maker(packing);
    for (int i = 0; i < 20001; ++i) {
      maker.add(file(".git/" + std::to_string(i), ""));
    }
    CHECK(complaint(unpack(maker.finish()))
              .find("more than 20000 files and folders") != std::string::npos);
  }
}

TEST_CASE("an archive of too many entries without names is named itself",
          "[unpack]") {
  std::string archive;
  // libarchive gives up on the first five hundred, and goes on.
  for (int i = 0; i < 2000; ++i) {
    archive += tar_entry("label", "", 'V');
  }
  CHECK(complaint(unpack(archive + end_of_tar(), {.entries = 2})) ==
        "the archive: more than 2 files and folders. Hand in the code only");
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;  // bytes
}

TEST_CASE("a name over the limit is rejected before the next one is read",
          "[unpack]") {
  const std::string archive =
      make_archive(Packing::tar, {file(std::string(1025, 'x')), file("a.py")});
  for (const std::size_t cut_off : {std::size_t{0}, std::size_t{1000}}) {
    CHECK(complaint(unpack(archive.substr(0, archive.size() - cut_off)))
              .find("a name of more than 1024 bytes: rename it") !=
          std::string::npos);
  }
}

TEST_CASE("a zip bomb is noticed while it is unpacked", "[unpack]") {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  for (const Packing packing : {Packing::zip, Packing::gzip, Packing::xz}) {
    ArchiveMaker maker(packing);
    for (int i = 0; i < 4; ++i) {
      // Libraries, which have the largest limit.
      maker.add({.name = std::to_string(i) + ".so",
                 .bytes = "",
                 .zeros = 60 * mebibyte});
    }
    const std::string bomb = maker.finish();
    CHECK(bomb.size() < 2 * mebibyte);
    const std::uint64_t before = peak_memory();
    CHECK(starts_with(complaint(unpack(bomb)),
                      "1.so: with it the files are more than 64 MiB"));
    CHECK(peak_memory() - before < 200 * mebibyte);
  }
}

TEST_CASE("a bomb in what is ignored is noticed as well", "[unpack]") {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  const std::vector<Item> items = {
      file("a.py"), {.name = ".git/x", .bytes = "", .zeros = 300 * mebibyte}};
  const std::uint64_t before = peak_memory();
  CHECK(complaint(unpack(make_archive(Packing::gzip, items))) ==
        "cannot be unpacked: it becomes more than 256 MiB, with what is "
        "ignored: leave out environments and data. Hand in a new .zip or "
        ".tar.gz");
  // A zip can be read without unpacking what is ignored.
  CHECK(names(unpack(make_archive(Packing::zip, items))) == Names{"a.py"});
  CHECK(peak_memory() - before < 100 * mebibyte);
}

TEST_CASE("what goes before an entry of a tar file is bounded", "[unpack]") {
  // Extensions of a sparse file, each of which announces another: libarchive
  // keeps a list of all.
  std::string header = tar_entry("a.py", "", 'S');
  header.replace(257, 8, std::string("ustar  \0", 8));  // GNU
  header.replace(386, 23, "00000000001 00000000001");
  header[482] = 1;  // another one follows
  seal_header(header);
  std::string extension(512, '\0');
  for (std::size_t i = 0; i < 504; i += 12) {
    extension.replace(i, 11, "00000000001");  // offset or length
  }
  extension[504] = 1;
  std::string archive = header;
  for (std::size_t i = 0; i < 20000; ++i) {
    archive += extension;
  }
  CHECK(
      complaint(unpack(archive)) ==
      "cannot be unpacked: the names and attributes of an entry are too long. "
      "Hand in a new .zip or .tar.gz");
}

}  // namespace
}  // namespace grader
