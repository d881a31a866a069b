//! Descriptions of the games for the page, and the positions and moves that a page sends as text.

use draw::{Board, Lesson, Role, View, about::About};
use kit::search::{Level, MAX_LEVEL};
use kit::{DynHistory, GameEntry, OptionKind};
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};
use serde::Serialize;
use serde_json::{Map, Value, json};
use table::typing::{TypingError, read_moves};

use crate::Host;
use crate::view_state::changes;

/// Description of a game.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct GameInfo {
    name: &'static str,
    #[serde(flatten)]
    about: &'static About,
    options: Vec<Value>,
    /// The levels of the built-in engine in words, from 0; none if the rules are a program.
    levels: Vec<&'static str>,
    /// Board of an example in the rules, or else of the start position, as a picture: without spots and gestures.
    diagram: Board,
    lesson: &'static Lesson,
    /// Number of puzzles.
    puzzles: usize,
}

impl GameInfo {
    /// Describes all games of a host.
    pub(crate) fn all(host: &dyn Host) -> Vec<GameInfo> {
        let registry = host.registry();
        let games = registry.games().iter();
        let infos = games.map(|it| GameInfo::of(registry, it, host.puzzles(it.name).len()));
        infos.collect()
    }

    fn of(registry: Registry, entry: &'static GameEntry, puzzles: usize) -> GameInfo {
        let rules = rules_of(registry, &GameSpec::new(entry.name, []));
        let rules = rules.expect("a game of the registry has rules");
        let about = entry.about();
        let mut sections = about.rules.iter();
        let example = sections.find_map(|section| Some(section.picture.as_ref()?.position));
        let example = example.and_then(|text| rules.open(&Opening::parse(text)).ok());
        let board = example.unwrap_or_else(|| rules.start());
        let word = |level| Level::new(level, None).words();
        let levels = match rules.are_of_program() {
            true => Vec::new(),
            false => (0..=MAX_LEVEL).map(word).collect(),
        };
        GameInfo {
            name: entry.name,
            about,
            options: options(entry, &rules),
            levels,
            diagram: bare(board.diagram(View::default())),
            lesson: &entry.texts().lesson,
            puzzles,
        }
    }
}

/// Returns the recorded games by the names of their games.
pub(crate) fn recorded_games(registry: Registry) -> Map<String, Value> {
    let games = registry.games().iter();
    let found = games.filter_map(|entry| Some((entry.name.to_owned(), recorded(registry, entry)?)));
    found.collect()
}

/// Roles of shapes that are too small for a card.
const SMALL: [Role; 4] = [Role::Label, Role::Ghost, Role::GhostSign, Role::Target];

/// Returns the recorded game of a game: the diagram of its end without shapes, and the shapes of each position as their
/// changes since the last one. `None` if there is none.
fn recorded(registry: Registry, entry: &GameEntry) -> Option<Value> {
    let rules = rules_of(registry, &GameSpec::new(entry.name, [])).ok()?;
    let game = Opening::parse(entry.texts().game);
    let start = game.prefix(0);
    let mut board = rules.open(&start).ok()?;
    let mut frames = Vec::new();
    let mut last = Vec::new();
    for code in &game.moves {
        board.play(code).ok()?;
        let shapes = board.diagram(View::default()).shapes.into_iter();
        let shapes = shapes.filter(|shape| !SMALL.contains(&shape.role));
        let shapes: Vec<Value> = shapes.map(|shape| json!(shape)).collect();
        frames.push(json!({ "changes": changes(&last, &shapes) }));
        last = shapes;
    }
    let mut diagram = bare(board.diagram(View::default()));
    diagram.shapes.clear();
    diagram.copies.clear();
    (!frames.is_empty()).then(|| json!({ "diagram": diagram, "frames": frames }))
}

/// Returns a diagram as a picture: without spots and gestures.
fn bare(diagram: Board) -> Board {
    Board {
        spots: Vec::new(),
        gestures: Vec::new(),
        ..diagram
    }
}

/// Describes the options of the board and the rules: with the range or the values of each, and the wording for users, asked
/// before a game. A button has no value.
fn options(entry: &GameEntry, rules: &Rules) -> Vec<Value> {
    let infos = rules.options().declared().filter_map(|decl| {
        let mut info = match &decl.kind {
            OptionKind::Check { default } => json!({ "kind": "check", "default": default }),
            OptionKind::Spin { default, min, max } => {
                json!({ "kind": "spin", "default": default, "min": min, "max": max })
            }
            OptionKind::Combo { default, choices } => {
                json!({ "kind": "combo", "default": default, "values": choices })
            }
            OptionKind::String { default } => json!({ "kind": "string", "default": default }),
            OptionKind::Button => return None,
        };
        info["name"] = json!(decl.name);
        let mut questions = entry.texts().questions.iter();
        let question = questions.find(|(option, _)| option.eq_ignore_ascii_case(&decl.name));
        info["question"] = json!(question.map(|(_, question)| question));
        Some(info)
    });
    infos.collect()
}

/// Returns the rules of a game.
pub(crate) fn rules_of(registry: Registry, spec: &GameSpec) -> Result<Rules, String> {
    let rules = registry.rules(spec).map_err(|error| error.to_string())?;
    rules.ok_or_else(|| format!("{spec} has no rules"))
}

/// Parses an opening: a position string, a drawn board, or `startpos moves ...`.
pub(crate) fn read_opening(rules: &Rules, text: Option<&str>) -> Result<Opening, String> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Ok(Opening::default());
    };
    let opening = Opening::parse(text);
    let parsed = rules.open(&opening);
    if parsed.is_ok() {
        return Ok(opening);
    }
    // `Opening::parse` loses the line breaks of a drawn board.
    let drawn = Opening::at(text.to_owned());
    match rules.open(&drawn) {
        Ok(board) => Ok(Opening::at(board.fen())),
        Err(_) => parsed.map(|_| opening).map_err(|why| why.to_string()),
    }
}

/// Returns the reason why a move is illegal, without the move; `None` if it is legal, or no move.
pub(crate) fn reason(board: &dyn DynHistory, code: &str) -> Option<String> {
    match read_moves(board, code) {
        Err(TypingError::Illegal { why, .. }) => {
            let bare = why.strip_prefix(&format!("{code}: "));
            Some(bare.unwrap_or(&why).to_owned())
        }
        Ok(_) | Err(TypingError::NoMove(_)) => None,
    }
}
