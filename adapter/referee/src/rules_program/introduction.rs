//! The introduction of a rules program: name and options of its game, and the queries that it answers.

use draw::{About, RuleSection};
use kit::{OptionDecl, Options};
use protocol::Query;
use protocol::text::one_line;
use serde::Deserialize;

use super::process::{RulesProcess, Settings};

/// Options of an engine that is its own rules; all others are of the board.
const ENGINE_OPTIONS: [&str; 13] = [
    "Hash",
    "Threads",
    "MultiPV",
    "Ponder",
    "Move Overhead",
    "Skill Level",
    "Seed",
    "TablePath",
    "Learn",
    "LearnResult",
    "Search",
    "Disable",
    "Contempt",
];

/// Maximum length of a text of the introduction, in characters.
const MAX_TEXT: usize = 2000;

/// The introduction of a rules program.
#[derive(Debug)]
pub(super) struct Introduction {
    /// The name of the game.
    pub(super) name: String,
    /// The game in words.
    pub(super) about: &'static About,
    /// The names of both sides.
    pub(super) sides: [String; 2],
    /// The options of the board.
    pub(super) options: Vec<OptionDecl>,
    /// The queries that the program answers.
    pub(super) queries: Vec<Query>,
}

/// The answer to `query about`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct AboutAnswer {
    title: String,
    sides: Option<[String; 2]>,
    #[serde(rename = "move")]
    example: String,
    rules: String,
}

impl Introduction {
    /// Asks a process that was just started.
    ///
    /// # Errors
    /// It does not answer a query that rules must answer, or gives the game a name that cannot be typed.
    pub(super) fn of(process: &mut RulesProcess) -> Result<Introduction, String> {
        let mut queries = Vec::new();
        let (mut name, mut about) = (String::new(), AboutAnswer::default());
        let mut example = String::new();
        for &query in Query::ALL {
            let line = format!("query {}\n", query.word());
            let exchange = process.exchange(&Settings::new(), &line)?;
            let Some(answer) = exchange.responses.into_iter().next() else {
                if Query::RULES.contains(&query) {
                    let why = exchange.error.unwrap_or_else(|| "no response".to_owned());
                    return Err(format!(
                        "query {}: {why}. A program that knows the rules must answer it",
                        query.word()
                    ));
                }
                continue;
            };
            match query {
                Query::Game => name = game_name(&answer)?,
                Query::Moves => {
                    let first = answer.split_whitespace().next();
                    example = first.map_or_else(String::new, |code| format!("`{code}`"));
                }
                Query::About => {
                    about = serde_json::from_str(&answer)
                        .map_err(|error| format!("query about: {error}"))?;
                }
                _ => {}
            }
            queries.push(query);
        }
        let sides = about
            .sides
            .unwrap_or_else(|| ["p1", "p2"].map(str::to_owned));
        let title = match about.title.as_str() {
            "" => &name,
            title => title,
        };
        if !about.example.is_empty() {
            example.clone_from(&about.example);
        }
        let (title, rules) = (text(title), text(&about.rules));
        let (idea, rest) = rules.split_once(". ").unwrap_or((rules, ""));
        let section = RuleSection {
            heading: "Rules",
            text: rest,
            picture: None,
        };
        let introduced = About {
            title,
            idea: match idea {
                "" => "",
                idea => leak(&format!("{}.", idea.trim_end_matches('.'))),
            },
            example: text(&example),
            rules: (!rest.is_empty()).then_some(section).into_iter().collect(),
            ..About::default()
        };
        Ok(Introduction {
            about: Box::leak(Box::new(introduced)),
            sides: sides.map(|side| text(&side).to_owned()),
            options: board_options(&process.declared),
            queries,
            name,
        })
    }
}

impl Introduction {
    /// Changes the defaults of board options.
    ///
    /// # Errors
    /// The game has no such option, or the option no such value.
    pub(super) fn set_defaults(
        &mut self,
        values: &[(String, Option<String>)],
    ) -> Result<(), String> {
        let mut options = Options::new(std::mem::take(&mut self.options));
        for (name, value) in values {
            let set = options.set(name, value.as_deref());
            set.map_err(|error| error.to_string())?;
        }
        self.options = options.to_defaults();
        Ok(())
    }
}

/// The options that do not concern an engine's search.
fn board_options(declared: &[OptionDecl]) -> Vec<OptionDecl> {
    let is_of_engine = |option: &&OptionDecl| {
        let is_known = |name: &str| option.name.eq_ignore_ascii_case(name);
        ENGINE_OPTIONS.iter().any(|name| is_known(name)) || option.name.starts_with("UCI_")
    };
    let options = declared.iter().filter(|option| !is_of_engine(option));
    options.cloned().collect()
}

/// A text that lives as long as this process.
pub(super) fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// A text on one line, without characters that a terminal acts on.
fn text(text: &str) -> &'static str {
    let text: String = one_line(text).chars().take(MAX_TEXT).collect();
    leak(&text)
}

/// The first word of the answer to `query game`.
fn game_name(answer: &str) -> Result<String, String> {
    let name = answer.split_whitespace().next().unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match !name.is_empty() && name.len() <= 40 && name.chars().all(is_word) && name != "any" {
        true => Ok(name.to_owned()),
        false => Err(format!(
            "query game: {:?} does not begin with a name of letters, digits and hyphens",
            protocol::text::excerpt(answer)
        )),
    }
}
