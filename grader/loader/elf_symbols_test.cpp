// SPDX-License-Identifier: MIT
#include "grader/loader/elf_symbols.hpp"

#include <cstring>
#include <elf.h>

#include "tests/catch.hpp"

namespace grader {
namespace {

using Words = std::vector<std::string>;

// A library of nothing but a symbol table: header, three sections (none,
// .dynsym, its names), the symbols, the names.
struct Library {
  Elf64_Ehdr header{};
  std::vector<Elf64_Shdr> sections{3};
  std::vector<Elf64_Sym> symbols;
  std::string names = std::string(1, '\0');

  Library() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_DYN;
#if defined(__aarch64__)
    header.e_machine = EM_AARCH64;
#else
    header.e_machine = EM_X86_64;
#endif
    header.e_shoff = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 3;
    sections[1].sh_type = SHT_DYNSYM;
    sections[1].sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
  }

  Elf64_Sym& add(const std::string& name) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(names.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 7;
    names += name + '\0';
    symbols.push_back(symbol);
    return symbols.back();
  }

  std::string bytes() const {
    auto placed = sections;
    const std::size_t table = sizeof header + 3 * sizeof(Elf64_Shdr);
    placed[1].sh_offset += table;
    placed[1].sh_size += symbols.size() * sizeof(Elf64_Sym);
    placed[2].sh_offset += table + symbols.size() * sizeof(Elf64_Sym);
    placed[2].sh_size += names.size();
    std::string result;
    const auto append = [&](const void* data, std::size_t size) {
      result.append(static_cast<const char*>(data), size);
    };
    append(&header, sizeof header);
    append(placed.data(), placed.size() * sizeof(Elf64_Shdr));
    append(symbols.data(), symbols.size() * sizeof(Elf64_Sym));
    return result + names;
  }
};

TEST_CASE("exported functions are listed, nothing else", "[elf_symbols]") {
  Library library;
  library.add("attention");
  library.add("imported").st_shndx = SHN_UNDEF;
  library.add("variable").st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
  library.add("local").st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
  library.add("hidden").st_other = STV_HIDDEN;
  library.add("weak").st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
  library.add("");
  CHECK(library_problem(library.bytes()).empty());
  CHECK(exported_functions(library.bytes()) == Words{"attention", "weak"});
}

TEST_CASE("files that are no library say what they are", "[elf_symbols]") {
  const auto ends = [](const std::string& bytes, const std::string& what) {
    const std::string problem = library_problem(bytes);
    INFO(problem);
    CHECK(problem.find("not a shared library for this machine (ELF 64-bit") ==
          0);
    CHECK(problem.ends_with("); " + what));
    CHECK(exported_functions(bytes).empty());
  };
  ends("", "it begins with \"\"");
  ends("MZ\x90", "it begins with \"MZ\xef\xbf\xbd\"");
  ends("!<arch>\nfoo", "it begins with \"!<arch> \"");
  Library library;
  library.header.e_type = ET_REL;
  ends(library.bytes(), "it is an object file: link it with -shared");
  library.header.e_type = ET_EXEC;
  ends(library.bytes(), "it is a program, no library");
  library.header.e_machine = EM_RISCV;
  ends(library.bytes(), "it is for another machine (ELF number 243)");
  library.header.e_ident[EI_DATA] = ELFDATA2MSB;
  ends(library.bytes(), "it is big-endian");
  library.header.e_ident[EI_CLASS] = ELFCLASS32;
  ends(library.bytes(), "it is a 32-bit file");
}

TEST_CASE("every truncation of a library is read to its end or not at all",
          "[elf_symbols]") {
  Library library;
  library.add("attention");
  library.add("masked_attention");
  const std::string bytes = library.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK(exported_functions(bytes.substr(0, size)).size() <= 2);
  }
}

TEST_CASE("every byte of a library may be wrong", "[elf_symbols]") {
  Library library;
  library.add("attention");
  library.add("masked_attention");
  const std::string bytes = library.bytes();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string broken = bytes;
      broken[at] = value;
      CHECK(exported_functions(broken).size() <= 3);
    }
  }
}

TEST_CASE("hostile tables end the reading", "[elf_symbols]") {
  Library far;
  far.add("attention");
  far.sections[1].sh_offset = ~std::uint64_t{0} - 8;
  CHECK(exported_functions(far.bytes()).empty());
  Library endless;
  endless.add("attention");
  endless.sections[1].sh_size = ~std::uint64_t{0} - 64;
  CHECK(exported_functions(endless.bytes()).empty());
  Library self;
  self.add("attention");
  self.sections[1].sh_link = 0xffffffffU;
  CHECK(exported_functions(self.bytes()).empty());
  Library nameless;
  nameless.add("attention").st_name = 0xffffffffU;
  CHECK(exported_functions(nameless.bytes()).empty());
  Library unended;
  unended.add("attention");
  unended.names.pop_back();
  CHECK(exported_functions(unended.bytes()).empty());
  Library last;
  last.header.e_shoff = ~std::uint64_t{0};
  CHECK(exported_functions(last.bytes()).empty());
}

TEST_CASE("names and their number are bounded", "[elf_symbols]") {
  Library library;
  library.add(std::string(1024, 'a'));
  library.add(std::string(1025, 'b'));
  CHECK(exported_functions(library.bytes()) == Words{std::string(1024, 'a')});
  Library many;
  many.add("f");
  many.symbols.resize(20000, many.symbols[0]);
  CHECK(exported_functions(many.bytes()).size() == 10000);
}

}  // namespace
}  // namespace grader
