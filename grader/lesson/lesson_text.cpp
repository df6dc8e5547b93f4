// SPDX-License-Identifier: MIT
#include "grader/lesson/lesson_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/lesson/chart_axis.hpp"
#include "grader/report/layout.hpp"

namespace grader {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t indent = 2;
constexpr std::size_t gap = 2;  // between columns

constexpr std::array<char, 4> marks = {'o', 'x', '+', '#'};
constexpr std::size_t plot_width = 60;
constexpr std::size_t plot_height = 14;
constexpr std::size_t label_width = 9;

std::string margin() {
  return std::string(indent, ' ');
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string paragraph(const std::string& text) {
  std::string lines;
  for (const std::string& line : wrap(text, page_width - indent)) {
    lines += margin() + line + "\n";
  }
  return lines;
}

std::vector<std::size_t> column_widths(const Table& table) {
  std::vector<std::size_t> widths(table.head.size());
  const auto widen = [&widths](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  };
  widen(table.head);
  std::ranges::for_each(table.rows, widen);
  return widths;
}

// Names to the left, numbers to the right.
std::string row_text(const std::vector<std::string>& row,
                     const std::vector<std::size_t>& widths) {
  std::string line = margin() + pad_right(row.front(), widths.front());
  for (std::size_t i = 1; i < row.size(); ++i) {
    line += std::string(gap, ' ') + pad_left(row[i], widths[i]);
  }
  return without_trailing_spaces(line);
}

class Plot {
 public:
  explicit Plot(const Chart& chart) : chart_(chart), axes_(axes_of(chart)) {}

  std::string render() {
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      draw(chart_.series[i], marks.at(i));
    }
    label_rows();
    std::string text;
    for (std::size_t row = 0; row < plot_height; ++row) {
      text += without_trailing_spaces(margin() +
                                      pad_left(labels_.at(row), label_width) +
                                      " |" + lines_.at(row));
    }
    return text + foot();
  }

 private:
  static std::size_t cell(double position, std::size_t count) {
    const double last = static_cast<double>(count) - 1.0;
    return static_cast<std::size_t>(
        std::lround(std::clamp(position, 0.0, 1.0) * last));
  }

  std::size_t row_of(double y) const {
    return plot_height - 1 - cell(axes_.y.position(y), plot_height);
  }

  void draw(const Series& series, char mark) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      lines_.at(row_of(
          series.y[i]))[cell(axes_.x.position(series.x[i]), plot_width)] = mark;
    }
  }

  void label_rows() {
    for (const double tick : axes_.y.ticks()) {
      labels_.at(row_of(tick)) = tick_text(tick);
    }
  }

  // The line of the x axis, its numbers, and what the marks mean.
  std::string foot() const {
    std::string line(plot_width, '-');
    std::string numbers(plot_width + label_width, ' ');
    for (const double tick : axes_.x.ticks()) {
      const std::size_t column = cell(axes_.x.position(tick), plot_width);
      line[column] = '+';
      const std::string text = tick_text(tick);
      numbers.replace(column, text.size(), text);
    }
    std::string meaning = chart_.x.label + "   ";
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      meaning += std::string("   ") + marks.at(i) + " " + chart_.series[i].name;
    }
    const std::string left(indent + label_width + 1, ' ');
    return without_trailing_spaces(left + "+" + line) +
           without_trailing_spaces(left + " " + numbers) +
           without_trailing_spaces(left + " " + meaning);
  }

  const Chart& chart_;
  ChartAxes axes_;
  std::array<std::string, plot_height> labels_;
  std::vector<std::string> lines_ =
      std::vector<std::string>(plot_height, std::string(plot_width, ' '));
};

std::string render_block(const Block& block) {
  if (const auto* text = std::get_if<std::string>(&block)) {
    return paragraph(*text);
  }
  if (const auto* table = std::get_if<Table>(&block)) {
    return render_text(*table);
  }
  return render_text(std::get<Chart>(block));
}

}  // namespace

std::string render_text(const Table& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  std::string text = table.caption.empty() ? "" : paragraph(table.caption);
  text += row_text(table.head, widths);
  for (const std::vector<std::string>& row : table.rows) {
    text += row_text(row, widths);
  }
  return text;
}

std::string render_text(const Chart& chart) {
  return paragraph(chart.caption) + Plot(chart).render();
}

std::string render_text(const Lesson& lesson) {
  std::string text = lesson.title + "\n";
  for (const Section& section : lesson.sections) {
    text += "\n" + section.heading + "\n";
    for (const Block& block : section.blocks) {
      text += "\n" + render_block(block);
    }
  }
  return text;
}

}  // namespace grader
