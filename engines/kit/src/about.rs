//! What a newcomer reads of a game: its idea, how a move is typed, and the rules in short sections with positions as
//! pictures. The program shows it; the game's page under `spec/` has the whole of the rules.

use serde::Serialize;

/// A game in words. The texts are one paragraph each, in 7-bit characters; a move code in them stands between
/// backquotes. Sides are called as on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct About {
    /// The name as people write it.
    pub title: &'static str,
    /// When it was invented or published.
    pub year: u16,
    /// Who invented it.
    pub author: &'static str,
    /// What one does in it: one sentence.
    pub idea: &'static str,
    /// How moves are typed, by example: `` `e5` places a stone ``.
    pub example: &'static str,
    /// The rules, in the order in which one learns them.
    pub rules: &'static [RuleSection],
}

/// A part of a game's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RuleSection {
    /// What it is about, in a word or two.
    pub heading: &'static str,
    /// The text.
    pub text: &'static str,
    /// A position that shows what the text says.
    #[serde(flatten)]
    pub picture: Option<Picture>,
}

impl RuleSection {
    /// A section without a picture.
    pub const fn new(heading: &'static str, text: &'static str) -> RuleSection {
        RuleSection {
            heading,
            text,
            picture: None,
        }
    }

    /// The same section with a picture.
    pub const fn shown(self, position: &'static str, caption: &'static str) -> RuleSection {
        let picture = Some(Picture { position, caption });
        RuleSection { picture, ..self }
    }
}

/// A position and what one sees there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// The position string.
    pub position: &'static str,
    /// What to look at. Codes in it are legal in the position.
    pub caption: &'static str,
}

/// The move codes in a text: what stands between backquotes.
pub fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
