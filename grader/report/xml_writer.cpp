// SPDX-License-Identifier: MIT
#include "grader/report/xml_writer.hpp"

#include <utility>

#include "grader/system/text.hpp"

namespace grader {
namespace {

std::string_view escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    default:  // of all characters, not of an enumeration
      return {};
  }
}

}  // namespace

std::string escape_xml(std::string_view hostile) {
  // U+FFFE and U+FFFF are valid UTF-8 and no XML characters.
  constexpr std::string_view noncharacter_start = "\xEF\xBF";
  const std::string text = printable(hostile);
  std::string escaped_text;
  escaped_text.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_noncharacter =
        text.compare(i, 2, noncharacter_start) == 0 && i + 2 < text.size() &&
        (text[i + 2] == '\xBE' || text[i + 2] == '\xBF');
    if (is_noncharacter) {
      escaped_text += "\xEF\xBF\xBD";
      i += 2;
      continue;
    }
    const std::string_view entity = escaped(text[i]);
    if (entity.empty()) {
      escaped_text += text[i];
    } else {
      escaped_text += entity;
    }
  }
  return escaped_text;
}

XmlWriter::Element::Element(XmlWriter& writer, std::string name)
    : writer_(writer), name_(std::move(name)) {
  writer_.open(name_);
}

XmlWriter::Element::~Element() {
  writer_.close(name_);
}

XmlWriter::Element& XmlWriter::Element::attribute(std::string_view name,
                                                  std::string_view value) {
  // Newlines and tabs in attributes are normalised to spaces by XML readers.
  writer_.document_ +=
      " " + std::string(name) + "=\"" + escape_xml(value) + "\"";
  return *this;
}

XmlWriter::Element& XmlWriter::Element::text(std::string_view text) {
  writer_.end_start_tag();
  writer_.open_.back() = Content::text;
  writer_.document_ += escape_xml(text);
  return *this;
}

void XmlWriter::open(const std::string& name) {
  end_start_tag();
  if (!open_.empty()) {
    open_.back() = Content::elements;
  }
  indent();
  document_ += "<" + name;
  open_.push_back(Content::none);
  in_start_tag_ = true;
}

void XmlWriter::close(const std::string& name) {
  const Content content = open_.back();
  open_.pop_back();
  if (content == Content::none) {
    document_ += "/>\n";
    in_start_tag_ = false;
    return;
  }
  if (content == Content::elements) {
    indent();
  }
  document_ += "</" + name + ">\n";
}

void XmlWriter::end_start_tag() {
  if (!in_start_tag_) {
    return;
  }
  in_start_tag_ = false;
  document_ += ">";
}

void XmlWriter::indent() {
  if (document_.back() != '\n') {
    document_ += '\n';
  }
  document_.append(2 * open_.size(), ' ');
}

}  // namespace grader
