//! Small readings of the free text in cases.

use std::path::Path;

use regex::Regex;

/// White space collapsed, as the cases' oracle reads text.
#[must_use]
pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text matches a header pattern such as `x-guard-*`.
#[must_use]
pub(crate) fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_ascii_lowercase(), name.to_ascii_lowercase());
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    }
}

/// The words of a note that a document about the same thing must hold: numbers, identifiers and names in mixed case.
#[must_use]
pub(crate) fn telling(note: &str) -> Vec<String> {
    let Ok(word) = Regex::new(r"[A-Za-z0-9_.+-]{3,}") else { return Vec::new() };
    let mut found: Vec<String> = word
        .find_iter(note)
        .map(|m| m.as_str().trim_matches(['.', '-']).to_owned())
        .filter(|w| {
            let inner_capital = w.chars().skip(1).any(char::is_uppercase);
            w.len() >= 3 && (w.chars().any(|c| c.is_ascii_digit() || c == '_') || inner_capital)
        })
        .collect();
    found.dedup();
    found
}

/// Which of the words stand in no document of the repository (Markdown, YAML, values files).
#[must_use]
pub(crate) fn missing_from_documents(words: &[String], root: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    collect(root, 0, &mut texts);
    words
        .iter()
        .filter(|word| {
            let word = word.to_ascii_lowercase();
            !texts.iter().any(|text: &String| text.contains(&word))
        })
        .cloned()
        .collect()
}

fn collect(folder: &Path, depth: usize, texts: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let hidden =
            name.starts_with('.') || name == "target" || name == "cases" || name == "node_modules";
        if hidden || depth > 6 {
            continue;
        }
        if path.is_dir() {
            collect(&path, depth + 1, texts);
        } else if path.extension().is_some_and(|e| e == "md" || e == "yaml" || e == "yml") {
            texts.extend(std::fs::read_to_string(&path).map(|text| text.to_ascii_lowercase()));
        }
    }
}

/// The repository that this program was built from.
#[must_use]
pub(crate) fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_telling_words_of_a_note_are_its_numbers_and_names() {
        assert_eq!(
            telling("socket 0660 with a shared gid (fsGroup/1337)"),
            ["0660", "fsGroup", "1337"]
        );
    }

    #[test]
    fn a_pattern_ends_in_a_star() {
        assert!(matches_pattern("x-guard-*", "X-Guard-Skip"));
        assert!(!matches_pattern("x-guard-*", "x-other"));
    }
}
