//! Prompts of mixed length: the same for every server that is measured.

use crate::stats::Random;

/// Ordinary words; enough of them that a tokenizer's cache of whole texts never helps.
const WORDS: &str = "the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one \
    you were all her she there would their we him been has when who will no more if out so up said what its about than into them can \
    only other time new some could these two may first then do any like my now over such our man me even most made after also did many \
    off before must well back through years where much your way down should because long each just state people those too mister how \
    little good world make very year still see own work men day get here old between both life being under three never know same last \
    another while us might great go come since against right came take used himself few house american use place during high without \
    again home around small however found missis part school thought went say general once upon war every left number fact later public \
    course system order contract integral energy market theory cells history court design engine health patient reaction equation";

/// Length in words and how many of a hundred prompts have it: many short ones, some of several windows.
const MIX: [(usize, usize); 7] =
    [(8, 15), (24, 20), (60, 20), (120, 18), (240, 14), (400, 8), (1000, 5)];

/// One prompt of so many words.
pub(crate) fn prompt(words: usize, random: &mut Random) -> String {
    let all: Vec<&str> = WORDS.split_whitespace().collect();
    let mut text = String::new();
    for i in 0..words {
        if i > 0 {
            text.push_str(if random.below(12) == 0 { ". " } else { " " });
        }
        text.push_str(all.get(random.below(all.len())).copied().unwrap_or_default());
    }
    text
}

/// Many prompts of the mix, in random order.
pub(crate) fn mixed(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let mut at = random.below(100);
            let words = MIX
                .iter()
                .find(|(_, share)| {
                    let hit = at < *share;
                    at = at.saturating_sub(*share);
                    hit
                })
                .map_or(8, |(words, _)| *words);
            prompt(words, &mut random)
        })
        .collect()
}

/// Length in words and how many of a thousand prompts have it: so short that a hundred thousand take minutes, but long ones decide what an
/// allocator keeps.
const SHORT_MIX: [(usize, usize); 5] = [(6, 800), (24, 140), (120, 50), (400, 8), (1000, 2)];

/// Many prompts of the short mix, each with a word that no other has, so that a cache of words turns over.
pub(crate) fn short(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|number| {
            let mut at = random.below(1000);
            let words = SHORT_MIX.iter().find(|(_, share)| {
                let hit = at < *share;
                at = at.saturating_sub(*share);
                hit
            });
            let mut text = prompt(words.map_or(6, |(words, _)| *words), &mut random);
            text.push(' ');
            text.extend(word(number));
            text
        })
        .collect()
}

/// A number in letters.
fn word(mut number: usize) -> impl Iterator<Item = char> {
    std::iter::once('q').chain(std::iter::from_fn(move || {
        let letter = u8::try_from(number % 26).ok()?;
        let more = number > 0;
        number /= 26;
        more.then(|| char::from(b'a' + letter))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mix_is_complete_and_the_same_each_time() {
        assert_eq!(MIX.iter().map(|(_, share)| share).sum::<usize>(), 100);
        let texts = mixed(500, 7);
        assert_eq!(texts, mixed(500, 7));
        for (words, _) in MIX {
            assert!(texts.iter().any(|t| t.split_whitespace().count() == words), "{words}");
        }
    }

    #[test]
    fn the_short_mix_is_complete_and_every_prompt_has_a_word_of_its_own() {
        assert_eq!(SHORT_MIX.iter().map(|(_, share)| share).sum::<usize>(), 1000);
        let texts = short(5000, 7);
        for (words, _) in SHORT_MIX {
            assert!(texts.iter().any(|t| t.split_whitespace().count() == words + 1), "{words}");
        }
        let last = texts.iter().filter_map(|text| text.split_whitespace().last());
        assert_eq!(last.collect::<std::collections::BTreeSet<_>>().len(), texts.len());
    }
}
