//! Words of the wire, and how to repeat them in an error.

/// The most characters of a foreign word that an error repeats.
const EXCERPT: usize = 80;

/// At most 80 printable characters of a word that someone else wrote, fit for one line of an error.
pub fn excerpt(word: &str) -> String {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    let mut text: String = word.chars().take(EXCERPT).map(clean).collect();
    if word.chars().nth(EXCERPT).is_some() {
        text.truncate(text.char_indices().nth(EXCERPT - 3).map_or(0, |(at, _)| at));
        text.push_str("...");
    }
    text
}
