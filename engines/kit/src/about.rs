//! A game's introduction for new players: its idea, how to type a move, and the rules in short sections with positions
//! as pictures. The program shows it; the complete rules are on the game's page under `spec/`.

use serde::Serialize;

/// A game in words. Each text is one paragraph in 7-bit ASCII, with move codes between backquotes. Sides have the names
/// that the board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct About {
    /// The name as people write it.
    pub title: &'static str,
    /// Year of invention or publication.
    pub year: u16,
    /// Inventor.
    pub author: &'static str,
    /// The aim of the game in one sentence.
    pub idea: &'static str,
    /// A typed move by example: `` `e5` places a stone ``.
    pub example: &'static str,
    /// The rules, in the order in which to learn them.
    pub rules: &'static [RuleSection],
}

/// A part of a game's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RuleSection {
    /// The subject, in one or two words.
    pub heading: &'static str,
    /// The text.
    pub text: &'static str,
    /// A position that illustrates the text.
    #[serde(flatten)]
    pub picture: Option<Picture>,
}

impl About {
    /// The introduction of a game that gives none.
    pub const UNKNOWN: About = About {
        title: "",
        year: 0,
        author: "",
        idea: "",
        example: "",
        rules: &[],
    };

    /// The title with author and year, as far as they are known.
    pub fn heading(&self) -> String {
        match self.author {
            "" => self.title.to_owned(),
            author => format!("{} ({author}, {})", self.title, self.year),
        }
    }

    /// The answer to `query about`: title, names of the sides, a typed move, and the rules, as JSON.
    pub fn json(&self, sides: [String; 2]) -> String {
        let sections = self.rules.iter().map(|section| section.text);
        let rules: Vec<&str> = [self.idea].into_iter().chain(sections).collect();
        serde_json::json!({
            "title": self.title,
            "sides": sides,
            "move": self.example,
            "rules": rules.join(" "),
        })
        .to_string()
    }
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

    /// Adds a picture to the section.
    pub const fn shown(self, position: &'static str, caption: &'static str) -> RuleSection {
        let picture = Some(Picture { position, caption });
        RuleSection { picture, ..self }
    }
}

/// A position with a caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// The position string.
    pub position: &'static str,
    /// The caption. Move codes in it are legal in the position.
    pub caption: &'static str,
}

/// The move codes in a text: the parts between backquotes.
pub fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
