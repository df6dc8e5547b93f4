// SPDX-License-Identifier: MIT
#include "grader/lesson/svg_chart.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "grader/lesson/chart_axis.hpp"
#include "grader/report/xml_writer.hpp"

namespace grader {
namespace {

// In the units of the picture, which is scaled to the page.
constexpr double width = 680;
constexpr double height = 340;
constexpr double left = 70;
constexpr double right = 130;  // for the names of the series
constexpr double top = 14;
constexpr double bottom = 46;
constexpr double mark = 4;
constexpr double line_height = 15;

struct Look {
  const char* color;
  const char* dashes;
};
// Of different lightness (Okabe and Ito's palette, told apart by the colour
// blind).
constexpr std::array<Look, 4> looks = {{{"#d55e00", ""},
                                        {"#0072b2", "9 4"},
                                        {"#009e73", "2 4"},
                                        {"#444444", "9 4 2 4"}}};

class Picture {
 public:
  explicit Picture(const Chart& chart) : chart_(chart), axes_(axes_of(chart)) {}

  std::string render() {
    out_ << "<svg viewBox=\"0 0 " << width << ' ' << height
         << "\" role=\"img\" aria-label=\"" << escape_xml(chart_.caption)
         << "\">\n";
    draw_grid();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      draw(chart_.series[i], i);
    }
    name_series();
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  double x_of(double value) const {
    return left + axes_.x.position(value) * (width - left - right);
  }
  double y_of(double value) const {
    return height - bottom - axes_.y.position(value) * (height - top - bottom);
  }

  void line(double x1, double y1, double x2, double y2,
            const std::string& attributes) {
    out_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2
         << "\" y2=\"" << y2 << "\" " << attributes << "/>\n";
  }

  void text(double x, double y, const std::string& anchor,
            const std::string& content, const std::string& attributes = "") {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
         << "\" " << attributes << ">" << escape_xml(content) << "</text>\n";
  }

  void draw_grid() {
    const double floor = height - bottom;
    for (const double tick : axes_.y.ticks()) {
      line(left, y_of(tick), width - right, y_of(tick), "class=\"grid\"");
      text(left - 8, y_of(tick) + 4, "end", tick_text(tick));
    }
    for (const double tick : axes_.x.ticks()) {
      line(x_of(tick), top, x_of(tick), floor, "class=\"grid\"");
      text(x_of(tick), floor + 18, "middle", tick_text(tick));
    }
    line(left, floor, width - right, floor, "class=\"axis\"");
    line(left, top, left, floor, "class=\"axis\"");
    text((left + width - right) / 2, height - 6, "middle", chart_.x.label);
    text(0, 0, "middle", chart_.y.label,
         "transform=\"translate(14 " + number((top + floor) / 2) +
             ") rotate(-90)\"");
  }

  void draw(const Series& series, std::size_t look) {
    const std::string color = looks.at(look).color;
    out_ << "<polyline fill=\"none\" stroke=\"" << color
         << "\" stroke-width=\"2\" stroke-dasharray=\"" << looks.at(look).dashes
         << "\" points=\"";
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      out_ << x_of(series.x[i]) << ',' << y_of(series.y[i]) << ' ';
    }
    out_ << "\"/>\n";
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      draw_spread(series, i, color);
      draw_mark(x_of(series.x[i]), y_of(series.y[i]), look);
    }
  }

  // Cut off at the lower end of the chart, below which a logarithm may not be.
  void draw_spread(const Series& series, std::size_t i,
                   const std::string& color) {
    if (series.spread.empty() || series.spread[i] <= 0) {
      return;
    }
    const double x = x_of(series.x[i]);
    const double low = series.y[i] - series.spread[i];
    const double floor = height - bottom;
    const bool is_below = chart_.y.is_logarithmic && low <= 0;
    line(x, is_below ? floor : std::min(floor, y_of(low)), x,
         std::max(top, y_of(series.y[i] + series.spread[i])),
         "stroke=\"" + color + "\"");
  }

  void draw_mark(double x, double y, std::size_t look) {
    const std::string color =
        std::string("fill=\"") + looks.at(look).color + "\"/>\n";
    if (look == 0) {
      out_ << "<circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"" << mark
           << "\" " << color;
    } else if (look == 1) {
      out_ << "<rect x=\"" << x - mark << "\" y=\"" << y - mark << "\" width=\""
           << 2 * mark << "\" height=\"" << 2 * mark << "\" " << color;
    } else {
      const double tip = look == 2 ? -mark : mark;
      out_ << "<path d=\"M" << x << ' ' << y + tip << " L" << x - mark << ' '
           << y - tip << " L" << x + mark << ' ' << y - tip << " Z\" " << color;
    }
  }

  // At its last point, moved down where another name would be in the way.
  void name_series() {
    std::vector<std::pair<double, std::size_t>> places;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      places.emplace_back(y_of(chart_.series[i].y.back()), i);
    }
    std::ranges::sort(places);
    double free = top;
    for (const auto& [y, i] : places) {
      const double at = std::max(y, free);
      free = at + line_height;
      draw_mark(width - right + 14, at, i);
      text(width - right + 24, at + 4, "start", chart_.series[i].name);
    }
  }

  static std::string number(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
  }

  const Chart& chart_;
  ChartAxes axes_;
  std::ostringstream out_;
};

}  // namespace

std::string render_svg(const Chart& chart) {
  return Picture(chart).render();
}

}  // namespace grader
