//! Prompts of a wanted length in real tokens: varied text from a seed, no sentence twice, so that neither the
//! compressor nor a cache has it easier than with people's own text.
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use inferd::tokenize::TextTokenizer;
use serde_json::json;

use crate::stats::Random;

const NOUNS: &str = "account accident actor agency algorithm answer archive argument article assembly atlas audience author bakery \
    balance bank battery bearing bicycle bill boat border bottle branch bridge budget buffer cable calendar camera canal candidate \
    capital carbon carpet castle cell century chapter charge chart choir circuit city clause client climate cloud coast code colony \
    column comment committee compiler concert contract copper council court crop current curve custom database debate decade decision \
    delay delegate delta design device diary diet digit district doctor document drought duty economy editor election electron engine \
    enzyme equation error estate event evidence exhibition expert export fabric factor factory farmer ferry field figure fleet flood \
    forecast forest formula founder frame frequency garden gas gene glacier government grain graph harbour harvest heart highway \
    history hospital household hypothesis image income index industry infection insurance interest island journal judge kernel kitchen \
    laboratory language lantern law ledger lemma lesson letter library light limit liquid loan magnet manager manuscript map market \
    matrix measure memory merchant message metal method mineral mirror model molecule motion museum network neuron novel number ocean \
    office operator orchard order organ oxygen package painter paper parameter parish parliament particle patient pattern payment \
    pension photograph phrase pipeline planet plant platform policy poem pollen population portrait prairie price printer prison \
    probability problem process product professor profit project protein protocol province pump quarter query railway rain rate reactor \
    receipt recipe record reform region reservoir resistor result review ritual river road robot routine sailor sample satellite scale \
    schedule school score screen sensor sentence server shadow shipment signal silver slope soil solution speaker species spectrum \
    square stage station statue statute storm story strategy stream student suburb summary supply surface survey symptom syntax table \
    tariff teacher temple tenant tension theatre theorem theory thread tide timber tissue topic tower trade treaty triangle tribe tunnel \
    union university upgrade valley variable vector vehicle version village violin virus voyage warehouse water wave weather weight \
    window winter witness workshop writer yield";
const VERBS: &str = "absorbed accepted adjusted analysed announced approved arranged balanced blocked borrowed built carried changed \
    checked collected compared computed confirmed connected converted copied covered crossed decided declined defined delayed delivered \
    described designed detected developed divided doubled drained estimated examined exceeded exchanged explained exported extended \
    favoured filled followed formed funded guided handled heated ignored improved included increased influenced inspected invented \
    isolated joined launched limited listed loaded lowered maintained measured merged mixed moved named noticed observed opened ordered \
    outlined painted passed planned predicted prepared preserved printed produced protected proved published questioned raised reached \
    rebuilt received recorded reduced refused released removed repaired replaced reported required restored reviewed revised sampled \
    scanned selected separated shaped shared shifted signed simplified solved split stored studied supported surveyed tested traced \
    traded trained translated treated updated used visited watched weighed";
const ADJECTIVES: &str = "abstract accurate ancient annual average bitter brief broad broken careful central cheap chemical civil clear \
    cold colonial common complex compact constant cosmic costly crude curious daily damp deep dense digital direct distant domestic dry \
    early eastern elastic electric empty equal exact external famous federal final fixed flat foreign formal fragile free fresh frozen \
    general gentle global golden gradual grand hidden historic hollow honest human humid ideal idle industrial inner late legal light \
    linear liquid local long loose loud marine medical metallic mild minor mobile modern modest musical narrow national native neutral \
    noisy northern novel nuclear odd organic outer pale parallel partial plain polar popular private public pure quiet random rapid rare \
    raw recent regional remote rich rigid robust rough royal rural secret senior sharp shallow silent simple slow smooth social solar \
    solid southern spare stable steep stiff strict sudden surplus temporary thermal thick tiny toxic tropical uniform unknown urban usual \
    vague valid vast vertical violent visible vital warm weak western wild wooden yearly";
const PLACES: &str = "Aarhus Accra Adelaide Bergen Bilbao Bogota Bristol Cardiff Casablanca Cracow Dakar Dresden Dublin Durban Florence \
    Ghent Glasgow Graz Hanoi Helsinki Ibadan Izmir Jaipur Kobe Kyoto Lagos Leeds Leipzig Lima Lisbon Lodz Lyon Malmo Manila Medellin \
    Montreal Nairobi Nantes Naples Odense Oporto Osaka Oslo Perth Porto Prague Quito Recife Riga Rosario Rotterdam Seville Split Tampere \
    Tartu Toledo Trieste Turin Utrecht Valencia Vilnius Zagreb";
const LINKS: &str = "although because before since unless until when where whereas while";
const ADVERBS: &str = "again almost already badly barely briefly carefully clearly early easily evenly finally frequently hardly largely \
    later mainly mostly nearly newly often openly partly perhaps plainly quickly quietly rarely recently roughly seldom sharply slowly \
    soon steadily suddenly twice usually widely";

/// Makes prompts.
pub(crate) struct Prompts {
    tokenizer: TextTokenizer,
    seed: u64,
    words: [Vec<&'static str>; 6],
}

/// A prompt and what it is in every unit that matters.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    /// The text.
    pub(crate) text: String,
    /// The chat request that carries it.
    pub(crate) body: bytes::Bytes,
    /// Tokens of the text by the embedded model's tokenizer, no special tokens.
    pub(crate) tokens: usize,
}

impl std::fmt::Debug for Prompts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Prompts").field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl Prompts {
    /// With the tokenizer of a model folder.
    pub(crate) fn new(model: &Path, seed: u64) -> Result<Self> {
        let path = model.join("tokenizer.json");
        let tokenizer =
            TextTokenizer::load(&path).with_context(|| format!("{}", path.display()))?;
        let words = [NOUNS, VERBS, ADJECTIVES, PLACES, LINKS, ADVERBS];
        let words = words.map(|list| list.split_whitespace().collect());
        Ok(Self { tokenizer, seed, words })
    }

    /// The `index`-th prompt of exactly `tokens` tokens.
    pub(crate) fn of_tokens(&self, tokens: usize, index: usize) -> Result<Prompt> {
        // Six bytes for a token and some to spare: English in this vocabulary has less.
        let mut text = self.text(tokens * 6 + 600, index);
        let mut found = self.tokenizer.encode(&text, usize::MAX)?;
        if let Some(end) = found.offsets.get(tokens).map(|range| range.start) {
            text.truncate(end);
            text.truncate(text.trim_end().len());
            found = self.tokenizer.encode(&text, usize::MAX)?;
        }
        let close = found.len() + 2 >= tokens && found.len() <= tokens;
        ensure!(close, "a prompt of {tokens} tokens came out as {}", found.len());
        Ok(Prompt { body: body(&text), text, tokens: found.len() })
    }

    /// The `index`-th prompt whose request has exactly `bytes` bytes.
    pub(crate) fn of_bytes(&self, bytes: usize, index: usize) -> Result<Prompt> {
        let mut text = self.text(bytes, index);
        // Escapes make the body longer than the text; cut until it is short enough, then fill up with spaces of JSON.
        let mut body = body(&text);
        while body.len() > bytes {
            let over = body.len() - bytes;
            text.truncate(text.floor_char_boundary(text.len().saturating_sub(over)));
            body = self::body(&text);
        }
        let mut padded = body.to_vec();
        padded.resize(bytes, b' ');
        let tokens = self.tokenizer.encode(&text, usize::MAX)?.len();
        Ok(Prompt { text, body: padded.into(), tokens })
    }

    fn text(&self, bytes: usize, index: usize) -> String {
        let mut random = Random::new(self.seed ^ (index as u64).wrapping_mul(0x9e37_79b9) ^ 0x5eed);
        let mut text = String::with_capacity(bytes + 256);
        text.push_str(
            "Please summarise the notes below and say which of them disagree with each other.\n\n",
        );
        let mut in_paragraph = 0;
        while text.len() < bytes {
            self.sentence(&mut random, &mut text);
            in_paragraph += 1;
            if in_paragraph > 4 + random.below(5) {
                text.push_str("\n\n");
                in_paragraph = 0;
            } else {
                text.push(' ');
            }
        }
        text
    }

    fn sentence(&self, random: &mut Random, text: &mut String) {
        let [nouns, verbs, adjectives, places, links, adverbs] = &self.words;
        let mut pick = |list: &[&'static str]| {
            // Squared: some words are common and most are rare, as in any text.
            let share = random.below(1000) * random.below(1000);
            list.get(share * list.len() / 1_000_000).copied().unwrap_or_default()
        };
        let clause = |pick: &mut dyn FnMut(&[&'static str]) -> &'static str| {
            format!(
                "the {} {} {} {} the {} {}",
                pick(adjectives),
                pick(nouns),
                pick(adverbs),
                pick(verbs),
                pick(adjectives),
                pick(nouns)
            )
        };
        let first = clause(&mut pick);
        let (place, noun, other, link) = (pick(places), pick(nouns), pick(nouns), pick(links));
        let second = clause(&mut pick);
        let (year, share, kind) = (1700 + random.below(320), random.below(1000), random.below(6));
        let sentence = match kind {
            0 => format!("in {year}, {first} near {place}."),
            1 => format!("{first} {link} {second}."),
            2 => format!(
                "about {}.{} % of every {noun} in {place} went to the {other}, and {first}.",
                share / 10,
                share % 10
            ),
            3 => format!("does the {noun} of {place} explain why {first}?"),
            4 => format!("{first}; a {other} from {place} wrote that \"{second}\"."),
            _ => {
                format!("{first}, with {share} entries for the {noun} and {year} for the {other}.")
            }
        };
        let mut letters = sentence.chars();
        text.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        text.push_str(letters.as_str());
    }
}

fn body(text: &str) -> bytes::Bytes {
    let body = json!({
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "You are a careful assistant."},
            {"role": "user", "content": text},
        ],
        "temperature": 0.2,
        "max_tokens": 256,
    });
    body.to_string().into()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn prompts() -> Prompts {
        Prompts::new(&crate::root().join("models/forebay-small"), 7).unwrap()
    }

    #[test]
    fn a_prompt_has_the_wanted_tokens_and_no_sentence_twice() {
        let prompt = prompts().of_tokens(2000, 0).unwrap();
        assert!((1998..=2000).contains(&prompt.tokens), "{}", prompt.tokens);
        let sentences: Vec<&str> =
            prompt.text.split(['.', '?']).map(str::trim).filter(|s| s.len() > 20).collect();
        let distinct: HashSet<&&str> = sentences.iter().collect();
        assert!(sentences.len() > 40 && distinct.len() == sentences.len());
    }

    #[test]
    fn prompts_differ_by_index_and_are_the_same_for_a_seed() {
        let prompts = prompts();
        let text = |index| prompts.of_tokens(500, index).unwrap().text;
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }

    #[test]
    fn a_body_has_the_wanted_bytes_and_is_json() {
        let prompt = prompts().of_bytes(32 << 10, 1).unwrap();
        assert_eq!(prompt.body.len(), 32 << 10);
        let value: serde_json::Value = serde_json::from_slice(&prompt.body).unwrap();
        assert_eq!(value["messages"][1]["content"], prompt.text);
    }
}
