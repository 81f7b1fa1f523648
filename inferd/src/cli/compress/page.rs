//! What is kept, as one HTML page that needs nothing else.

use std::fmt::Write as _;

use super::show::{Shown, name};

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1a1a1a;background:#fff}\
h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}\
.text span{border-radius:3px;padding:0 2px}.text{white-space:pre-wrap;overflow-wrap:anywhere}\
.dropped{color:#999}.whole,.edge,.score{background:#d7f0dd}.suspicion,.mixed{background:#ffd2cc}\
.strangeness,.address{background:#ffeab8}.flagged{background:#ead6f5}.companion,.region{background:#cfeaf2}\
table{border-collapse:collapse;font-size:13px}td,th{padding:2px 8px;text-align:right;border-bottom:1px solid #e3e3e3;vertical-align:top}\
td:first-child,th:first-child,td.t,th.t{text-align:left}td.t{max-width:34rem;overflow-wrap:anywhere}\
@media (prefers-color-scheme:dark){body{background:#161616;color:#ddd}.text span:not(.dropped){color:#111}td,th{border-color:#333}td span{color:#111}}";

/// Makes text safe inside an element or a quoted attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in HTML, not even as a reference.
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}' => {
                out.push('\u{fffd}')
            }
            other => out.push(other),
        }
    }
    out
}

/// The page: the text with what is kept marked by reason, then a table of all sentences.
pub(super) fn page(shown: &Shown<'_>) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>What is kept</title><style>{STYLE}</style></head><body>\n<h1>What is kept</h1>\n<p>{}</p>\n<p>",
        escaped(shown.summary().trim())
    );
    let mut seen: Vec<&str> = Vec::new();
    for reason in shown.reports.iter().filter_map(|report| report.kept).map(name) {
        if !seen.contains(&reason) {
            seen.push(reason);
            _ = write!(out, "<span class=\"{reason}\">{reason}</span> ");
        }
    }
    out.push_str("<span class=\"dropped\">dropped</span></p>\n<div class=\"text\">");
    let reasons = shown.reasons();
    let mut from = 0;
    for (report, why) in shown.reports.iter().zip(&reasons) {
        out.push_str(&escaped(shown.text.get(from..report.range.start).unwrap_or_default()));
        _ = write!(
            out,
            "<span class=\"{}\" title=\"{}\">{}</span>",
            report.kept.map_or("dropped", name),
            escaped(why),
            escaped(shown.text.get(report.range.clone()).unwrap_or_default())
        );
        from = report.range.end.max(from);
    }
    out.push_str(&escaped(shown.text.get(from..).unwrap_or_default()));
    out.push_str(
        "</div>\n<h2>All sentences</h2>\n<table><tr><th>kept</th><th>tokens</th><th>score</th><th>TextRank</th><th>position</th>\
         <th>TF-IDF</th><th>novelty</th><th>suspicion</th><th>strangeness</th><th>address</th><th class=\"t\">sentence</th>\
         <th class=\"t\">why</th></tr>\n",
    );
    for (report, why) in shown.reports.iter().zip(&reasons) {
        let class = report.kept.map_or("dropped", name);
        _ = writeln!(
            out,
            "<tr><td><span class=\"{class}\">{class}</span></td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:.3}</td><td>{:.3}</td>\
             <td>{:.3}</td><td>{:.2}</td><td>{:.2}</td><td>{:.2}</td><td class=\"t\">{}</td><td class=\"t\">{}</td></tr>",
            report.tokens,
            report.total,
            report.scores.textrank,
            report.scores.position,
            report.scores.tfidf,
            report.scores.novelty,
            report.suspicion,
            report.strangeness,
            report.address,
            escaped(shown.sentence(report)),
            escaped(why)
        );
    }
    out.push_str("</table>\n</body></html>\n");
    out
}

#[cfg(test)]
mod tests {
    use compress::{Compressor, Config, Mode, Role, SelectRequest};

    use super::*;

    #[test]
    fn text_cannot_become_markup_and_nothing_is_lost() {
        let text = "A <script>alert('x')</script> & a \"quote\".\u{1} Fine. ".repeat(200);
        let mut compressor = Compressor::new(&Config::default());
        let request = SelectRequest {
            texts: &[&text],
            roles: &[Role::User],
            flagged: &[],
            budget_tokens: 128,
            mode: Mode::Guarded,
        };
        let selection = compressor.select(request);
        let reports = compressor.explain(request);
        let page = page(&Shown { text: &text, selection: &selection, reports: &reports });
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("src="));
        let body = page.split("<div class=\"text\">").nth(1).and_then(|p| p.split("</div>").next());
        let body = body.unwrap_or_default();
        assert_eq!(body.matches("alert(&#39;x&#39;)").count(), 200);
        assert_eq!(page.matches("<span").count(), page.matches("</span>").count());
    }
}
