//! The paper's compressor, transcribed step by step: the slow twin of this crate. Constants are those of arXiv
//! 2603.12646; nothing here is shared with the crate. Strings are keys of hash maps, every pair of sentences has its
//! cosine computed, and text beyond 500 sentences is sampled, as described there.
#![allow(dead_code, reason = "each test and example uses a part")]

use std::collections::HashMap;

pub(crate) const BUDGET: f64 = 512.0;
const MAX_SENTENCES: usize = 500;

fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11FF | 0x3040..=0x30FF | 0x3130..=0x318F | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF
        | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// 1.3 a white-space field, 1.5 a Han, kana or Hangul character.
pub(crate) fn tokens(text: &str) -> f64 {
    let fields = text.split_whitespace().filter(|f| !f.chars().all(is_cjk)).count();
    let cjk = text.chars().filter(|c| is_cjk(*c)).count();
    1.3 * fields as f64 + 1.5 * cjk as f64
}

/// Splits at terminators, with or without white space after them.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let stop =
        |c: char| matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '؟' | '।' | '॥' | '።' | '։');
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut start, mut i) = (Vec::new(), 0, 0);
    while i < chars.len() {
        if !stop(chars[i]) {
            i += 1;
            continue;
        }
        if chars[i] == '.' {
            let digit = |j: usize| chars.get(j).is_some_and(|c| c.is_ascii_digit());
            let decimal = i > 0 && digit(i - 1) && digit(i + 1);
            let initial = i > 0
                && chars[i - 1].is_uppercase()
                && (i < 2 || !chars[i - 2].is_alphanumeric())
                && chars.get(i + 1) == Some(&' ')
                && chars.get(i + 2).is_some_and(|c| c.is_uppercase());
            if decimal || initial {
                i += 1;
                continue;
            }
        }
        while i < chars.len() && stop(chars[i]) {
            i += 1;
        }
        out.push(chars[start..i].iter().collect::<String>().trim().to_owned());
        start = i;
    }
    out.push(chars[start..].iter().collect::<String>().trim().to_owned());
    out.retain(|s| !s.is_empty());
    out
}

pub(crate) fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for field in text.split_whitespace() {
        let chars: Vec<char> = field.chars().collect();
        let mut i = 0;
        while i < chars.len() {
            let cjk = is_cjk(chars[i]);
            let mut j = i;
            while j < chars.len() && is_cjk(chars[j]) == cjk {
                j += 1;
            }
            let run = &chars[i..j];
            if cjk {
                out.extend(run.iter().map(|c| c.to_lowercase().collect::<String>()));
                out.extend(
                    run.windows(2)
                        .map(|w| w.iter().flat_map(|c| c.to_lowercase()).collect::<String>()),
                );
            } else {
                let run: String = run.iter().collect();
                let word = run.trim_matches(|c: char| !c.is_alphanumeric());
                if !word.is_empty() {
                    out.push(word.chars().flat_map(char::to_lowercase).collect());
                }
            }
            i = j;
        }
    }
    out
}

pub(crate) type Vector = HashMap<String, f64>;

pub(crate) fn vectors(sentences: &[String]) -> Vec<Vector> {
    sentences
        .iter()
        .map(|sentence| {
            let words = words(sentence);
            let mut vector = Vector::new();
            for word in &words {
                *vector.entry(word.clone()).or_default() += 1.0 / words.len() as f64;
            }
            vector
        })
        .collect()
}

fn cosine(a: &Vector, b: &Vector) -> f64 {
    let dot: f64 = a.iter().map(|(word, x)| x * b.get(word).copied().unwrap_or(0.0)).sum();
    let length = |v: &Vector| v.values().map(|x| x * x).sum::<f64>().sqrt();
    if dot == 0.0 { 0.0 } else { dot / (length(a) * length(b)) }
}

fn over_max(mut scores: Vec<f64>) -> Vec<f64> {
    let max = scores.iter().copied().fold(0.0, f64::max);
    if max > 0.0 {
        scores.iter_mut().for_each(|s| *s /= max);
    }
    scores
}

pub(crate) fn textrank(vectors: &[Vector]) -> Vec<f64> {
    let n = vectors.len();
    let mut edge = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..i {
            edge[i][j] = cosine(&vectors[i], &vectors[j]);
            edge[j][i] = edge[i][j];
        }
    }
    let out: Vec<f64> = (0..n).map(|j| (0..n).map(|i| edge[i][j]).sum()).collect();
    let mut rank = vec![1.0 / n as f64; n];
    for _ in 0..100 {
        let next: Vec<f64> = (0..n)
            .map(|i| {
                let sum: f64 =
                    (0..n).filter(|j| out[*j] > 0.0).map(|j| edge[i][j] / out[j] * rank[j]).sum();
                0.15 / n as f64 + 0.85 * sum
            })
            .collect();
        let change = rank.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        rank = next;
        if change < 1e-5 {
            break;
        }
    }
    over_max(rank)
}

pub(crate) fn position(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| {
            if n == 1 {
                1.0
            } else {
                1.0 - 0.5 * (std::f64::consts::PI * i as f64 / (n - 1) as f64).sin()
            }
        })
        .collect()
}

pub(crate) fn tfidf(vectors: &[Vector]) -> Vec<f64> {
    let mut df = Vector::new();
    for vector in vectors {
        for word in vector.keys() {
            *df.entry(word.clone()).or_default() += 1.0;
        }
    }
    let n = vectors.len() as f64;
    over_max(
        vectors
            .iter()
            .map(|v| v.iter().map(|(w, tf)| tf * ((n + 1.0) / (df[w] + 1.0)).ln()).sum())
            .collect(),
    )
}

pub(crate) fn novelty(vectors: &[Vector]) -> Vec<f64> {
    let mut mean = Vector::new();
    for vector in vectors {
        for (word, tf) in vector {
            *mean.entry(word.clone()).or_default() += tf / vectors.len() as f64;
        }
    }
    // Distances that are rounding noise count as none; divided by their maximum they would decide the score.
    let distance = |v: &Vector| Some(1.0 - cosine(v, &mean)).filter(|d| *d > 1e-9).unwrap_or(0.0);
    over_max(vectors.iter().map(distance).collect())
}

/// The kept sentences, in order.
pub(crate) fn compress(text: &str) -> Vec<String> {
    let mut all = sentences(text);
    if tokens(text) <= BUDGET || all.len() < 2 {
        return vec![text.to_owned()];
    }
    if all.len() > MAX_SENTENCES {
        all = (0..MAX_SENTENCES)
            .map(|k| all[k * (all.len() - 1) / (MAX_SENTENCES - 1)].clone())
            .collect();
    }
    let vectors = vectors(&all);
    let (rank, place, rare, new) =
        (textrank(&vectors), position(all.len()), tfidf(&vectors), novelty(&vectors));
    let score: Vec<f64> = (0..all.len())
        .map(|i| 0.20 * rank[i] + 0.40 * place[i] + 0.35 * rare[i] + 0.05 * new[i])
        .collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| score[*b].total_cmp(&score[*a]).then(a.cmp(b)));
    let reserved = [0, 1, 2, all.len() - 2, all.len() - 1];
    let (mut kept, mut spent) = (vec![false; all.len()], 0.0);
    for i in reserved.into_iter().chain(order).filter(|i| *i < all.len()) {
        let cost = tokens(&all[i]);
        if !kept[i] && spent + cost <= BUDGET {
            kept[i] = true;
            spent += cost;
        }
    }
    all.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(sentence, _)| sentence).collect()
}
