// SPDX-License-Identifier: MIT
#include "grader/report/xml_writer.hpp"

#include "tests/catch.hpp"

using grader::escape_xml;
using grader::XmlWriter;

TEST_CASE("every element is closed", "[xml_writer]") {
  XmlWriter xml;
  {
    XmlWriter::Element outer(xml, "a");
    outer.attribute("x", "1").attribute("y", "\"<&>\"");
    { const XmlWriter::Element empty(xml, "b"); }
    XmlWriter::Element(xml, "c").text("one").text(" & two");
  }
  CHECK(xml.document() ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<a x=\"1\" y=\"&quot;&lt;&amp;&gt;&quot;\">\n"
        "  <b/>\n"
        "  <c>one &amp; two</c>\n"
        "</a>\n");
}

TEST_CASE("what XML forbids is spelled out or replaced", "[xml_writer]") {
  CHECK(escape_xml("a\x01z") == "a\\x01z");
  CHECK(escape_xml("\xFF") == "\xEF\xBF\xBD");
  CHECK(escape_xml("\xEF\xBF\xBF!") == "\xEF\xBF\xBD!");
  CHECK(escape_xml("\xED\xA0\x80").find('\xED') == std::string::npos);
  CHECK(escape_xml("]]>") == "]]&gt;");
  CHECK(escape_xml("").empty());
  CHECK(escape_xml("q·kᵀ\n\t") == "q·kᵀ\n\t");
}
