// SPDX-License-Identifier: MIT
// Layout: System V ABI, chapter 4 (generic) and elf(5).
#include "grader/loader/elf_symbols.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>

#include "grader/system/text.hpp"

namespace grader {

namespace {

constexpr std::size_t max_functions = 10000;
constexpr std::size_t max_name = 1024;  // bytes

#if defined(__x86_64__)
constexpr Elf64_Half own_machine = EM_X86_64;
constexpr const char* own_name = "ELF 64-bit x86-64";
#elif defined(__aarch64__)
constexpr Elf64_Half own_machine = EM_AARCH64;
constexpr const char* own_name = "ELF 64-bit AArch64";
#else
constexpr Elf64_Half own_machine = EM_NONE;
constexpr const char* own_name = "ELF 64-bit";
#endif

// The structure at an offset, copied out because nothing aligns it.
template <typename Structure>
std::optional<Structure> read_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Structure)) {
    return std::nullopt;
  }
  Structure structure;
  std::memcpy(&structure, bytes.data() + offset, sizeof(Structure));
  return structure;
}

std::string_view part(std::string_view bytes, std::uint64_t offset,
                      std::uint64_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) {
    return {};
  }
  return bytes.substr(offset, size);
}

std::string other_kind(const Elf64_Ehdr& header) {
  if (header.e_ident[EI_CLASS] != ELFCLASS64) {
    return "it is a 32-bit file";
  }
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return "it is big-endian";
  }
  if (own_machine != EM_NONE && header.e_machine != own_machine) {
    return "it is for another machine (ELF number " +
           std::to_string(header.e_machine) + ")";
  }
  if (header.e_type == ET_REL) {
    return "it is an object file: link it with -shared";
  }
  return header.e_type == ET_DYN ? "" : "it is a program, no library";
}

std::optional<Elf64_Shdr> section(std::string_view bytes,
                                  const Elf64_Ehdr& header,
                                  std::uint64_t index) {
  if (header.e_shentsize != sizeof(Elf64_Shdr) ||
      header.e_shoff > bytes.size()) {
    return std::nullopt;
  }
  return read_at<Elf64_Shdr>(bytes,
                             header.e_shoff + index * sizeof(Elf64_Shdr));
}

bool is_exported_function(const Elf64_Sym& symbol) {
  const auto type = ELF64_ST_TYPE(symbol.st_info);
  const auto binding = ELF64_ST_BIND(symbol.st_info);
  const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
         (binding == STB_GLOBAL || binding == STB_WEAK) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED) &&
         symbol.st_shndx != SHN_UNDEF;
}

std::vector<std::string> read_names(std::string_view symbols,
                                    std::string_view names) {
  std::vector<std::string> found;
  for (std::uint64_t offset = 0; found.size() < max_functions;
       offset += sizeof(Elf64_Sym)) {
    const auto symbol = read_at<Elf64_Sym>(symbols, offset);
    if (!symbol) {
      break;
    }
    if (!is_exported_function(*symbol) || symbol->st_name >= names.size()) {
      continue;
    }
    const std::string_view rest = names.substr(symbol->st_name, max_name + 1);
    const std::size_t length = rest.find('\0');
    if (length != 0 && length != std::string_view::npos) {
      found.emplace_back(rest.substr(0, length));
    }
  }
  return found;
}

}  // namespace

std::string library_problem(std::string_view bytes) {
  std::string what = "not a shared library for this machine (";
  what += own_name;
  what += "); ";
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!bytes.starts_with(ELFMAG) || !header) {
    return what + "it begins with \"" + one_line(bytes.substr(0, 8)) + "\"";
  }
  const std::string other = other_kind(*header);
  return other.empty() ? "" : what + other;
}

std::vector<std::string> exported_functions(std::string_view bytes) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || !library_problem(bytes).empty()) {
    return {};
  }
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto symbols = section(bytes, *header, i);
    if (!symbols || symbols->sh_type != SHT_DYNSYM) {
      continue;
    }
    const auto names = section(bytes, *header, symbols->sh_link);
    if (!names) {
      break;
    }
    return read_names(part(bytes, symbols->sh_offset, symbols->sh_size),
                      part(bytes, names->sh_offset, names->sh_size));
  }
  return {};
}

}  // namespace grader
