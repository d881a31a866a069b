//! A game in progress with its type erased, as a referee or a console uses it.

use protocol::Query;

use crate::notation::{Notation, Rejection};
use crate::{DrawRequest, Outcome, PositionHistory, Side, perft};
use draw::{Board, TextPage, View, grid};

/// A game in progress, of any game; moves and positions are text.
pub trait DynHistory: Send {
    /// The player to move; in a finished game, the player who would move next.
    fn side(&self) -> Side;

    /// The result; `None` if the game is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// The legal moves as canonical codes in canonical order; empty if the game is over.
    fn moves(&self) -> Vec<String>;

    /// Plays a move code, which need not be canonical, and returns its canonical code.
    ///
    /// # Errors
    /// Names the code and the reason; the game is then unchanged.
    fn play(&mut self, code: &str) -> Result<String, Rejection>;

    /// Plays a move like [`play`](DynHistory::play). If the rules are a program, its answer about the legal moves of the
    /// new position may be read later; if it fails then, the move stays played, and there is a [`fault`](DynHistory::fault).
    ///
    /// # Errors
    /// Those of [`play`](DynHistory::play).
    fn play_early(&mut self, code: &str) -> Result<String, Rejection> {
        self.play(code)
    }

    /// Asks a program that knows the rules about the position after a move that will probably be played. Does not wait for
    /// its answers.
    fn expect(&self, _code: &str) {}

    /// Returns the canonical code of a text in this position, legal or not. The error need not repeat the text.
    fn read(&self, code: &str) -> Result<String, Rejection>;

    /// Splits a word into move codes, for games whose codes may be run together.
    fn split_codes<'a>(&self, word: &'a str) -> Vec<&'a str>;

    /// Returns an independent copy of the game.
    fn fork(&self) -> Box<dyn DynHistory>;

    /// Takes the last move back. Returns `false` if there was none.
    fn undo(&mut self) -> bool;

    /// The legal moves as canonical codes in canonical order, each with the number of leaves `depth - 1` plies below
    /// it; empty at depth 0 and if the game is over.
    fn divide(&mut self, depth: u32) -> Vec<(String, u64)>;

    /// Number of moves played.
    fn ply(&self) -> usize;

    /// The position string.
    fn fen(&self) -> String;

    /// The options that shape the board, as `Size=5`, separated by blanks; empty if there are none.
    fn shape(&self) -> String;

    /// The styles that a [`View`] may name in addition to the empty one.
    fn styles(&self) -> &'static [&'static str];

    /// The styles that also change the [`diagram`](DynHistory::diagram).
    fn diagram_styles(&self) -> &'static [&'static str];

    /// The board for a person, laid out in the view's room. The view's style is empty or one of
    /// [`styles`](DynHistory::styles).
    fn page(&self, view: View) -> TextPage;

    /// The same board as [`page`](DynHistory::page), as text.
    fn draw(&self, view: View) -> String {
        self.page(view).text(view.is_coloured)
    }

    /// The board as data, for clients that draw it and let people click on it; the view is as for
    /// [`draw`](DynHistory::draw).
    fn diagram(&self, view: View) -> Board;

    /// The names of both sides on the board now, player 1's first: `x` and `o`, or `p1` and `p2`.
    fn side_names(&self) -> [String; 2];

    /// The reason for a win, a draw or a forced pass; `None` if there is nothing to explain.
    fn explain(&self) -> Option<String>;

    /// The failure of a program that knows the rules, after which the moves and the result are unknown. `None` as long
    /// as the rules are known.
    fn fault(&self) -> Option<String> {
        None
    }
}

impl<G: Notation> DynHistory for PositionHistory<G> {
    fn side(&self) -> Side {
        PositionHistory::side(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        PositionHistory::outcome(self)
    }

    fn moves(&self) -> Vec<String> {
        let moves = PositionHistory::moves(self).into_iter();
        moves.map(|mv| self.code(mv)).collect()
    }

    fn play(&mut self, code: &str) -> Result<String, Rejection> {
        let mv = parse_legal(self, code)?;
        let canonical = self.code(mv);
        PositionHistory::play(self, mv);
        Ok(canonical)
    }

    fn read(&self, code: &str) -> Result<String, Rejection> {
        let read = self.game().parse_move(self.position(), code);
        match read {
            // People type it in any game.
            Err(_) if code.eq_ignore_ascii_case("pass") => Err("you may not pass".into()),
            read => read.map(|mv| self.code(mv)),
        }
    }

    fn split_codes<'a>(&self, word: &'a str) -> Vec<&'a str> {
        self.game().split_codes(word)
    }

    fn fork(&self) -> Box<dyn DynHistory> {
        Box::new(self.clone())
    }

    fn undo(&mut self) -> bool {
        PositionHistory::undo(self).is_some()
    }

    fn divide(&mut self, depth: u32) -> Vec<(String, u64)> {
        let shares = perft::divide(self, depth);
        let shares = shares.into_iter();
        shares.map(|(mv, nodes)| (self.code(mv), nodes)).collect()
    }

    fn ply(&self) -> usize {
        PositionHistory::ply(self)
    }

    fn fen(&self) -> String {
        self.game().format_position(self.position())
    }

    fn shape(&self) -> String {
        let words: Vec<String> = self
            .game()
            .shape()
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        words.join(" ")
    }

    fn styles(&self) -> &'static [&'static str] {
        G::STYLES
    }

    fn diagram_styles(&self) -> &'static [&'static str] {
        G::DIAGRAM_STYLES
    }

    fn page(&self, view: View) -> TextPage {
        let request = DrawRequest::of(self, view);
        self.game().board(&request).page(&request.view)
    }

    fn diagram(&self, view: View) -> Board {
        let request = DrawRequest::of(self, view);
        self.game().board(&request).finish(&request.view)
    }

    fn side_names(&self) -> [String; 2] {
        Side::BOTH.map(|side| self.game().side_name(self.position(), side))
    }

    fn explain(&self) -> Option<String> {
        self.game()
            .explain(self.position(), PositionHistory::outcome(self))
    }
}

impl<G: Notation> PositionHistory<G> {
    /// The canonical code of a move of the current position.
    pub fn code(&self, mv: G::Move) -> String {
        self.game().format_move(self.position(), mv)
    }

    /// The canonical codes of a line of moves from here.
    pub fn codes(&self, line: &[G::Move]) -> Vec<String> {
        let mut history = self.clone();
        let mut play = |&mv| {
            let code = history.code(mv);
            history.play(mv);
            code
        };
        line.iter().map(&mut play).collect()
    }
}

/// Reads a move code and checks that it is legal. The error names the code and the reason.
pub fn parse_legal<G: Notation>(
    history: &PositionHistory<G>,
    code: &str,
) -> Result<G::Move, Rejection> {
    let named = |Rejection(why)| Rejection(format!("{}: {why}", protocol::text::excerpt(code)));
    if history.outcome().is_some() {
        return Err(named(Rejection::from("the game is over")));
    }
    let mv = history
        .game()
        .parse_move(history.position(), code)
        .map_err(named)?;
    history
        .game()
        .check(history.position(), mv)
        .map_err(named)?;
    Ok(mv)
}

/// Reads a position string or a drawn board and replays the moves in it. If a pasted board has a `fen:` line, that line
/// counts.
pub fn parse_history<G: Notation>(game: &G, text: &str) -> Result<PositionHistory<G>, Rejection> {
    let is_drawn = text.contains(['\n', '\r']);
    let fen_of = |line| {
        grid::clean(line)
            .trim()
            .strip_prefix("fen: ")
            .map(str::to_owned)
    };
    let pasted = text.lines().filter(|_| is_drawn).find_map(fen_of);
    let fen = match (pasted, G::grid()) {
        (None, _) if !is_drawn => text.to_owned(),
        (None, Some(grid)) => game.drawn_fen(&grid.read(text)?)?,
        (None, None) => return Err(not_shown(G::NAME)),
        (Some(fen), _) => fen,
    };
    let setup = game.parse_position(&fen)?;
    let mut history = PositionHistory::new(setup.game, setup.position);
    for mv in setup.moves {
        play_checked(&mut history, mv)?;
    }
    Ok(history)
}

/// The reason why a drawn board of a game without a [`Grid`](draw::grid::Grid) is not read.
pub fn not_shown(game: &str) -> Rejection {
    Rejection(format!(
        "a drawing of {game} does not show its moves. Paste the line `fen: ...` that `board` prints, or the numbered moves"
    ))
}

fn play_checked<G: Notation>(
    history: &mut PositionHistory<G>,
    mv: G::Move,
) -> Result<(), Rejection> {
    let code = history.code(mv);
    let named = |why: &dyn std::fmt::Display| {
        Rejection(format!("move {} ({code}): {why}", history.ply() + 1))
    };
    if history.outcome().is_some() {
        return Err(named(&"the game is over"));
    }
    history
        .game()
        .check(history.position(), mv)
        .map_err(|why| named(&why))?;
    history.play(mv);
    Ok(())
}

/// The right answer to a query about a board; `None` if the board does not know it.
pub fn expected_reply(board: &dyn DynHistory, query: Query) -> Option<String> {
    Some(match query {
        Query::P1Turn => (board.side() == Side::P1).to_string(),
        Query::GameOver => board.outcome().is_some().to_string(),
        Query::Result => Outcome::result_word(board.outcome()).to_owned(),
        Query::Moves => board.moves().join(" "),
        Query::Fen => board.fen(),
        Query::Diagram => board.diagram(View::default()).json(),
        // A compiled game reads what people write by itself.
        Query::Spellings => String::new(),
        Query::Game | Query::About => return None,
    })
}
