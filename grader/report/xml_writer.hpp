// SPDX-License-Identifier: MIT
// Writes XML 1.0 in which every tag is closed and every text is escaped, be it
// what it may: see escape_xml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

// For text and attributes alike: markup is escaped, invalid UTF-8 becomes
// U+FFFD, and the control characters that XML forbids are spelled out.
std::string escape_xml(std::string_view hostile);

class XmlWriter {
 public:
  // Open from its making to the end of its scope. Attributes come first, then
  // either text or further elements.
  class Element {
   public:
    Element(XmlWriter& writer, std::string name);
    ~Element();
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;

    Element& attribute(std::string_view name, std::string_view value);
    Element& text(std::string_view text);

   private:
    XmlWriter& writer_;
    std::string name_;
  };

  XmlWriter() : document_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

  std::string document() const { return document_; }

 private:
  enum class Content { none, text, elements };

  void open(const std::string& name);
  void close(const std::string& name);
  void end_start_tag();
  void indent();

  std::string document_;
  std::vector<Content> open_;  // what each open element holds so far
  bool in_start_tag_ = false;
};

}  // namespace grader
