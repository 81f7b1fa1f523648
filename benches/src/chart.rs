//! Charts as SVG: lines over a logarithmic or linear axis, bars, and spans of one request. Plain shapes and the reader's
//! own sans-serif font, on a white ground, so that they look the same everywhere.
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// Told apart by people with any colour vision (Okabe and Ito's set).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999"];
const WIDTH: f64 = 760.0;
const LEFT: f64 = 78.0;
const TOP: f64 = 44.0;

/// How numbers lie on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scale {
    /// Evenly.
    Linear,
    /// Evenly by factor; values must be above 0.
    Log,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Axis {
    /// With its unit.
    pub(crate) label: String,
    /// How numbers lie on it.
    pub(crate) scale: Scale,
}

impl Axis {
    /// Even steps.
    pub(crate) fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Linear }
    }

    /// Even factors.
    pub(crate) fn log(label: &str) -> Self {
        Self { label: label.to_owned(), scale: Scale::Log }
    }
}

/// A named row of points or values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Series {
    /// For the legend.
    pub(crate) name: String,
    /// `(x, y)`, ascending in x. What is not finite, or not above 0 on a logarithmic axis, is left out.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A picture. It is kept as data in the record, and the SVG is a function of it alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Chart {
    /// Lines with points.
    Lines {
        /// Of the file.
        name: String,
        /// Above the picture.
        title: String,
        /// Across.
        x: Axis,
        /// Up.
        y: Axis,
        /// At most eight.
        series: Vec<Series>,
    },
    /// Bars from the left, one for each label.
    Bars {
        /// Of the file.
        name: String,
        /// Above the picture.
        title: String,
        /// Of the values, with the unit.
        x: Axis,
        /// Label and value.
        bars: Vec<(String, f64)>,
    },
    /// When each stage of one request ran.
    Spans {
        /// Of the file.
        name: String,
        /// Above the picture.
        title: String,
        /// `ms` or `µs`.
        unit: String,
        /// Label, start and end.
        spans: Vec<(String, f64, f64)>,
    },
    /// Where samples of a process were: callers below what they call.
    Flame {
        /// Of the file.
        name: String,
        /// Above the picture.
        title: String,
        /// Callers before what they call.
        frames: Vec<Frame>,
    },
}

/// A frame of a flame graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Frame {
    /// Function.
    pub(crate) label: String,
    /// Callers below it.
    pub(crate) depth: usize,
    /// Where it begins, as a share of the width.
    pub(crate) start: f64,
    /// Its share of all samples.
    pub(crate) share: f64,
}

impl Chart {
    /// Of its file.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Lines { name, .. }
            | Self::Bars { name, .. }
            | Self::Spans { name, .. }
            | Self::Flame { name, .. } => name,
        }
    }

    /// Its title.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Lines { title, .. }
            | Self::Bars { title, .. }
            | Self::Spans { title, .. }
            | Self::Flame { title, .. } => title,
        }
    }

    /// The picture.
    pub(crate) fn svg(&self) -> String {
        match self {
            Self::Lines { title, x, y, series, .. } => lines(title, x, y, series),
            Self::Bars { title, x, bars, .. } => {
                let spans = bars.iter().map(|(label, value)| (label.clone(), None, *value));
                rows(title, &x.label, x.scale, &spans.collect::<Vec<_>>())
            }
            Self::Spans { title, unit, spans, .. } => {
                let spans =
                    spans.iter().map(|(label, start, end)| (label.clone(), Some(*start), *end));
                rows(title, unit, Scale::Linear, &spans.collect::<Vec<_>>())
            }
            Self::Flame { title, frames, .. } => flame(title, frames),
        }
    }
}

/// A mapping of numbers to a stretch of the picture.
struct Map {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Map {
    fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let usable = |value: &f64| value.is_finite() && (scale == Scale::Linear || *value > 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(usable) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        match scale {
            Scale::Linear => {
                low = low.min(0.0);
                high = if high > low { high } else { low + 1.0 };
            }
            Scale::Log => {
                low = 10_f64.powf(low.log10().floor());
                high = 10_f64.powf(high.log10().ceil()).max(low * 10.0);
            }
        }
        Self { scale, low, high, from, to }
    }

    fn at(&self, value: f64) -> Option<f64> {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log if value > 0.0 => (value / self.low).ln() / (self.high / self.low).ln(),
            Scale::Log => return None,
        };
        share.is_finite().then(|| self.from + share.clamp(0.0, 1.0) * (self.to - self.from))
    }

    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Log => {
                let mut tick = self.low;
                let mut ticks = Vec::new();
                while tick <= self.high * 1.001 && ticks.len() < 20 {
                    ticks.push(tick);
                    tick *= 10.0;
                }
                ticks
            }
            Scale::Linear => {
                let raw = (self.high - self.low) / 5.0;
                let power = 10_f64.powf(raw.log10().floor());
                let factors = [1.0, 2.0, 5.0, 10.0].into_iter();
                let step =
                    factors.map(|factor| factor * power).find(|step| *step >= raw).unwrap_or(raw);
                let mut ticks = Vec::new();
                let mut tick = (self.low / step).ceil() * step;
                while tick <= self.high + step * 1e-9 && ticks.len() < 20 {
                    ticks.push(tick);
                    tick += step;
                }
                ticks
            }
        }
    }
}

fn number(value: f64) -> String {
    let short = |value: f64, unit: &str| {
        let text = format!("{value:.1}");
        format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
    };
    match value.abs() {
        size if size >= 1e6 => short(value / 1e6, "M"),
        size if size >= 1e4 => short(value / 1e3, "k"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 1.0 => short(value, ""),
        0.0 => "0".to_owned(),
        _ => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn open(title: &str, height: f64) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
    );
    let title = escape(title);
    let _ = writeln!(svg, "<title>{title}</title>");
    let _ = writeln!(svg, "<rect width=\"{WIDTH:.0}\" height=\"{height:.0}\" fill=\"#fff\"/>");
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{title}</text>"
    );
    svg
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = escape(words);
    let _ =
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

fn rule(svg: &mut String, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>"
    );
}

fn colour(index: usize) -> &'static str {
    COLOURS.get(index % COLOURS.len()).copied().unwrap_or("#000")
}

fn lines(title: &str, x: &Axis, y: &Axis, series: &[Series]) -> String {
    const RIGHT: f64 = 540.0;
    const BOTTOM: f64 = 360.0;
    let points = || series.iter().flat_map(|series| series.points.iter());
    let across = Map::new(x.scale, points().map(|point| point.0), LEFT, RIGHT);
    let up = Map::new(y.scale, points().map(|point| point.1), BOTTOM, TOP);
    let mut svg = open(title, BOTTOM + 56.0);
    for tick in up.ticks() {
        let Some(at) = up.at(tick) else { continue };
        rule(&mut svg, (LEFT, at), (RIGHT, at));
        text(&mut svg, LEFT - 8.0, at + 4.0, "end", &number(tick));
    }
    for tick in across.ticks() {
        let Some(at) = across.at(tick) else { continue };
        rule(&mut svg, (at, TOP), (at, BOTTOM));
        text(&mut svg, at, BOTTOM + 18.0, "middle", &number(tick));
    }
    text(&mut svg, f64::midpoint(LEFT, RIGHT), BOTTOM + 42.0, "middle", &x.label);
    let _ = writeln!(
        svg,
        "<text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        f64::midpoint(TOP, BOTTOM),
        escape(&y.label)
    );
    let mut legend = TOP + 8.0;
    for (index, series) in series.iter().enumerate() {
        let place = |(x, y): &(f64, f64)| Some((across.at(*x)?, up.at(*y)?));
        let placed: Vec<(f64, f64)> = series.points.iter().filter_map(place).collect();
        let colour = colour(index);
        let path: Vec<String> = placed.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for (x, y) in placed {
            let _ =
                writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{colour}\"/>");
        }
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"14\" height=\"4\" fill=\"{colour}\"/>",
            RIGHT + 14.0,
            legend - 6.0
        );
        text(&mut svg, RIGHT + 34.0, legend, "start", &series.name);
        legend += 20.0;
    }
    svg.push_str("</svg>\n");
    svg
}

/// Bars and spans: a label at the left, a shape at the right. Without a start a bar begins at the axis.
fn rows(title: &str, unit: &str, scale: Scale, rows: &[(String, Option<f64>, f64)]) -> String {
    const LABELS: f64 = 250.0;
    const ROW: f64 = 26.0;
    const RIGHT: f64 = 670.0;
    let bottom = rows.iter().fold(TOP, |bottom, _| bottom + ROW);
    let across = Map::new(scale, rows.iter().map(|row| row.2), LABELS, RIGHT);
    let mut svg = open(title, bottom + 50.0);
    for tick in across.ticks() {
        let Some(at) = across.at(tick) else { continue };
        rule(&mut svg, (at, TOP - 4.0), (at, bottom));
        text(&mut svg, at, bottom + 16.0, "middle", &number(tick));
    }
    text(&mut svg, f64::midpoint(LABELS, RIGHT), bottom + 38.0, "middle", unit);
    let mut top = TOP;
    for (index, (label, start, end)) in rows.iter().enumerate() {
        text(&mut svg, LABELS - 8.0, top + 16.0, "end", label);
        let begin = start.map_or(Some(LABELS), |start| across.at(start));
        let shown = start.map_or(*end, |start| end - start);
        if let (Some(begin), Some(end)) = (begin, across.at(*end)) {
            let width = (end - begin).max(1.0);
            let colour = colour(if start.is_some() { index } else { 0 });
            let _ = writeln!(
                svg,
                "<rect x=\"{begin:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"18\" fill=\"{colour}\"/>",
                top + 3.0
            );
            text(&mut svg, begin + width + 6.0, top + 16.0, "start", &number(shown));
        }
        top += ROW;
    }
    svg.push_str("</svg>\n");
    svg
}

/// A flame graph, callers at the bottom. The whole name of a frame shows when pointed at.
fn flame(title: &str, frames: &[Frame]) -> String {
    const ROW: f64 = 17.0;
    /// Of a character, about.
    const LETTER: f64 = 6.2;
    const EDGE: f64 = 10.0;
    const SHADES: [&str; 5] = ["#f5c06a", "#f0a860", "#ec9a5a", "#f3b26b", "#eeb57a"];
    let rows = frames.iter().fold(1.0, |rows: f64, frame| rows.max(place(frame.depth) + 1.0));
    let bottom = TOP + rows * ROW;
    let mut svg = open(title, bottom + 16.0);
    for frame in frames {
        let x = EDGE + frame.start * (WIDTH - 2.0 * EDGE);
        let width = frame.share * (WIDTH - 2.0 * EDGE);
        let y = bottom - (place(frame.depth) + 1.0) * ROW;
        let shade = frame.label.bytes().fold(0usize, |sum, byte| sum.wrapping_add(byte.into()));
        let _ = writeln!(
            svg,
            "<g><title>{} ({:.1} %)</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" \
             fill=\"{}\"/>",
            escape(&frame.label),
            frame.share * 100.0,
            ROW - 1.0,
            SHADES.get(shade % SHADES.len()).copied().unwrap_or("#f0a860")
        );
        let room = frame.label.chars().scan(0.0, |used, char| {
            *used += LETTER;
            (*used < width - 4.0).then_some(char)
        });
        let shown: String = room.collect();
        if shown.chars().count() > 2 {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{}</text>",
                x + 2.0,
                y + 12.0,
                escape(&shown)
            );
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn place(depth: usize) -> f64 {
    crate::stats::count(depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(y: Vec<(f64, f64)>) -> Chart {
        Chart::Lines {
            name: "n".to_owned(),
            title: "a < b & c".to_owned(),
            x: Axis::log("tokens"),
            y: Axis::log("ms"),
            series: vec![Series { name: "s".to_owned(), points: y }],
        }
    }

    #[test]
    fn text_is_escaped_and_the_picture_closes() {
        let svg = sample(vec![(512.0, 3.0), (8192.0, 40.0)]).svg();
        assert!(svg.contains("a &lt; b &amp; c") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<circle").count(), 2);
    }

    #[test]
    fn what_cannot_be_placed_is_left_out() {
        let svg = sample(vec![(512.0, 0.0), (1024.0, f64::NAN), (8192.0, 40.0)]).svg();
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn an_empty_chart_is_still_a_picture() {
        let svg = Chart::Bars {
            name: "n".to_owned(),
            title: "t".to_owned(),
            x: Axis::linear("ms"),
            bars: Vec::new(),
        };
        assert!(svg.svg().ends_with("</svg>\n"));
        assert!(sample(Vec::new()).svg().ends_with("</svg>\n"));
    }

    #[test]
    fn a_span_begins_where_it_starts() {
        let spans = vec![("parse".to_owned(), 0.0, 5.0), ("run".to_owned(), 5.0, 10.0)];
        let chart = Chart::Spans {
            name: "n".to_owned(),
            title: "t".to_owned(),
            unit: "ms".to_owned(),
            spans,
        };
        let svg = chart.svg();
        // 250 to 670 for 0 to 10.
        assert!(svg.contains("<rect x=\"250.0\"") && svg.contains("<rect x=\"460.0\""), "{svg}");
    }

    #[test]
    fn a_caller_lies_below_what_it_calls() {
        let frame =
            |label: &str, depth, share| Frame { label: label.to_owned(), depth, start: 0.0, share };
        let svg = Chart::Flame {
            name: "n".to_owned(),
            title: "t".to_owned(),
            frames: vec![frame("main", 0, 1.0), frame("Vec<T>::push", 1, 0.5)],
        };
        let svg = svg.svg();
        let height = |label: &str| -> f64 {
            let after = svg.split_once(label).unwrap().1.split_once(" y=\"").unwrap().1;
            after.split_once('"').unwrap().0.parse().unwrap()
        };
        assert!(height("main") > height("Vec&lt;T&gt;::push"), "{svg}");
        assert!(svg.contains("width=\"740.0\"") && svg.contains("width=\"370.0\""), "{svg}");
    }

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> =
            [0.0, 0.05, 1.0, 2.5, 100.0, 20_000.0, 1.5e6].into_iter().map(number).collect();
        assert_eq!(shown, ["0", "0.05", "1", "2.5", "100", "20k", "1.5M"]);
    }
}
