//! A game in progress with its engine and its type erased: what a session, a referee, a console and the laboratory use.
//!
//! All code below this level is generic over a game. Each game crate erases its type here, once, so its rules and its
//! search are compiled only in that crate; what is above, such as the session, is compiled once for all games.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use protocol::Query;
use protocol::text::excerpt;

use crate::network::Network;
use crate::notation::{self, Notation, assignments};
use crate::search::proof::{self, Proof, ProofTable, Verdict};
use crate::search::{Control, Ladder, Limits, Line, Progress, Request, Searcher};
use crate::tablebase::{Identity, Indexing};
use crate::{DrawRequest, Engine, Outcome, PositionHistory, Rejection, Side, perft};
use draw::{Board, TextPage, View, grid};

/// MiB for the table of one proof.
const PROOF_MIB: usize = 16;
/// Depth limit of a player below full strength, whose level limits its nodes.
const LEVEL_DEPTH: u32 = 64;

/// A game in progress with its engine, of any game; moves and positions are text. The game's own crate can be asked for
/// what only it has: then the value is a [`PositionHistory`] of that game.
pub trait DynHistory: Send + Sync + Any {
    /// The player to move; in a finished game, the player who would move next.
    fn side(&self) -> Side;

    /// The result; `None` if the game is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// The legal moves as canonical codes in canonical order; empty if the game is over.
    fn moves(&self) -> Vec<String>;

    /// The codes of the moves played.
    fn played(&self) -> Vec<String>;

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
    fn split_codes<'a>(&self, word: &'a str) -> Vec<&'a str> {
        vec![word]
    }

    /// Returns an independent copy of the game.
    fn fork(&self) -> Box<dyn DynHistory>;

    /// A game by these rules that begins with a position string or a drawn board, which may be on a board of another size.
    ///
    /// # Errors
    /// The part of the text that is wrong.
    fn begun_at(&self, text: &str) -> Result<Box<dyn DynHistory>, Rejection>;

    /// The same position without the moves that led to it.
    fn without_past(&self) -> Box<dyn DynHistory>;

    /// Takes the last move back. Returns `false` if there was none.
    fn undo(&mut self) -> bool;

    /// Calls `each` with each legal move in canonical order, and with the number of leaves `depth - 1` plies below it, as
    /// soon as they are counted. Returns the sum, which is 1 at depth 0; `None` if `is_stopped` becomes true.
    fn divide(
        &mut self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
        each: &mut dyn FnMut(String, u64),
    ) -> Option<u64>;

    /// Number of moves played.
    fn ply(&self) -> usize;

    /// The position string.
    fn fen(&self) -> String;

    /// The options that shape the board, as `Size=5`, separated by blanks; empty if there are none.
    fn shape(&self) -> String;

    /// A hash of the board and its rules.
    fn rules_key(&self) -> u64 {
        0
    }

    /// The styles that a [`View`] may name in addition to the empty one.
    fn styles(&self) -> &'static [&'static str] {
        &[]
    }

    /// The styles that also change the [`diagram`](DynHistory::diagram).
    fn diagram_styles(&self) -> &'static [&'static str] {
        &[]
    }

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
    fn explain(&self) -> Option<String> {
        None
    }

    /// The failure of a program that knows the rules, after which the moves and the result are unknown. `None` as long
    /// as the rules are known.
    fn fault(&self) -> Option<String> {
        None
    }

    /// Searches as [`Searcher::search`] does. The game is not over, and the request has legal moves.
    fn search(
        &self,
        searcher: &mut Searcher,
        request: &Request,
        control: &Control,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Progress;

    /// Looks for a win within this many plies by one of these legal moves. The game is not over. Use the table only for
    /// proofs from this position with the same limit in plies.
    fn prove(
        &self,
        table: &mut ProofTable,
        moves: &[String],
        within: u32,
        limits: (&Limits, &Control),
    ) -> Proof;

    /// The measured playing strengths of the engine on this board; `None` if they were not measured.
    fn ladder(&self) -> Option<Ladder> {
        None
    }

    /// The position indexing of the tables of this board; `None` if it has none.
    fn indexing(&self) -> Option<Box<dyn ErasedIndexing>> {
        None
    }

    /// The positions that can return and whose next occurrence would draw the game, this one included.
    fn drawn_on_return(&self) -> Vec<Box<dyn DynHistory>> {
        Vec::new()
    }

    /// `true` if the game finds a move that wins at once, without a search.
    fn has_win_in_one(&self) -> bool {
        false
    }

    /// The weights of the evaluation; empty if it is not a weighted sum.
    fn weights(&self) -> &'static [i16] {
        &[]
    }

    /// Indices of the evaluation's features, and how often each occurs.
    fn features(&self) -> Vec<(u32, i32)> {
        Vec::new()
    }

    /// Inputs of the network; 0 for a game without one.
    fn n_inputs(&self) -> usize {
        0
    }

    /// The network that evaluates positions.
    fn network(&self) -> Option<Arc<Network>> {
        None
    }

    /// The same game in play with this network.
    ///
    /// # Panics
    /// If the game has no network.
    fn with_network(&self, _network: Arc<Network>) -> Box<dyn DynHistory> {
        panic!("the game has no network")
    }

    /// The network's active inputs as the player to move sees them, then as the opponent does if the network has both views.
    fn inputs(&self) -> [Vec<u16>; 2] {
        [Vec::new(), Vec::new()]
    }

    /// The share of the following positions in the network's targets: lambda of TD(lambda).
    fn td_lambda(&self) -> f32 {
        1.0
    }
}

impl dyn DynHistory {
    /// The best line of a search of this many nodes. The game is not over. The seed is that of [`Request`].
    pub fn search_nodes(&self, searcher: &mut Searcher, nodes: u64, seed: u64) -> Line {
        let request = Request {
            seed,
            ..Request::new(self.moves(), Limits::nodes(nodes))
        };
        self.best_line(searcher, &request)
    }

    /// The move of a player of this skill level. The game is not over. The seed is that of [`Request`].
    pub fn move_at_level(&self, searcher: &mut Searcher, level: u32, seed: u64) -> String {
        let ladder = self.ladder().unwrap_or(Ladder::UNMEASURED);
        let request = Request {
            seed,
            skill: ladder.at_level(level),
            ..Request::new(self.moves(), Limits::depth(LEVEL_DEPTH))
        };
        self.best_line(searcher, &request).pv.swap_remove(0)
    }

    fn best_line(&self, searcher: &mut Searcher, request: &Request) -> Line {
        let mut found = self.search(searcher, request, &Control::default(), &mut |_| {});
        found.lines.swap_remove(0)
    }

    /// Looks for a win within this many plies by one of these legal moves, in at most `nodes` positions. The game is not
    /// over. Without memory for a table, the verdict is unknown.
    pub fn find_win(&self, moves: &[String], within: u32, nodes: Option<u64>) -> Verdict {
        let Some(mut table) = ProofTable::new(PROOF_MIB) else {
            return Verdict::Unknown;
        };
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        let limits = (&limits, &Control::default());
        match moves {
            [] => Verdict::NoWin,
            _ => self.prove(&mut table, moves, within, limits).verdict,
        }
    }

    /// Takes all moves back.
    pub fn rewind(&mut self) {
        while self.undo() {}
    }
}

impl<G: Engine> DynHistory for PositionHistory<G> {
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

    fn played(&self) -> Vec<String> {
        let mut start = self.clone();
        start.rewind(0);
        start.codes(&PositionHistory::played(self).collect::<Vec<_>>())
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

    fn begun_at(&self, text: &str) -> Result<Box<dyn DynHistory>, Rejection> {
        Ok(Box::new(parse_history(self.game(), text)?))
    }

    fn without_past(&self) -> Box<dyn DynHistory> {
        let (game, position) = (self.game().clone(), self.position().clone());
        Box::new(PositionHistory::new(game, position))
    }

    fn undo(&mut self) -> bool {
        PositionHistory::undo(self).is_some()
    }

    fn divide(
        &mut self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
        each: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        let here = self.clone();
        let mut each = |mv, nodes| each(here.code(mv), nodes);
        perft::divide(self, depth, is_stopped, &mut each)
    }

    fn ply(&self) -> usize {
        PositionHistory::ply(self)
    }

    fn fen(&self) -> String {
        self.game().format_position(self.position())
    }

    fn shape(&self) -> String {
        assignments(self.game().shape())
    }

    fn rules_key(&self) -> u64 {
        self.game().rules_key()
    }

    fn styles(&self) -> &'static [&'static str] {
        G::STYLES
    }

    fn diagram_styles(&self) -> &'static [&'static str] {
        G::DIAGRAM_STYLES
    }

    fn page(&self, view: View) -> TextPage {
        let request = DrawRequest::of(self, view);
        request.drawn(self.game()).page(&request.view)
    }

    fn diagram(&self, view: View) -> Board {
        let request = DrawRequest::of(self, view);
        request.drawn(self.game()).finish(&request.view)
    }

    fn side_names(&self) -> [String; 2] {
        Side::BOTH.map(|side| self.game().side_name(self.position(), side))
    }

    fn explain(&self) -> Option<String> {
        self.game()
            .explain(self.position(), PositionHistory::outcome(self))
    }

    fn search(
        &self,
        searcher: &mut Searcher,
        request: &Request,
        control: &Control,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Progress {
        searcher.search(self, request, control, on_progress)
    }

    fn prove(
        &self,
        table: &mut ProofTable,
        moves: &[String],
        within: u32,
        limits: (&Limits, &Control),
    ) -> Proof {
        proof::prove(table, self, moves, within, limits, &mut |_| {})
    }

    fn ladder(&self) -> Option<Ladder> {
        let rungs = self.game().rungs();
        Some(Ladder { rungs }).filter(|ladder| *ladder != Ladder::UNMEASURED)
    }

    fn indexing(&self) -> Option<Box<dyn ErasedIndexing>> {
        Some(erased(self.game(), self.game().indexing()?))
    }

    fn drawn_on_return(&self) -> Vec<Box<dyn DynHistory>> {
        let keys = self.keys_drawn_on_return();
        let mut found: Vec<Box<dyn DynHistory>> = Vec::new();
        let mut earlier = self.clone();
        while !keys.is_empty() {
            let key = earlier.game().key(earlier.position());
            if keys.binary_search(&key).is_ok() {
                found.push(earlier.without_past());
            }
            if PositionHistory::undo(&mut earlier).is_none() {
                break;
            }
        }
        found
    }

    fn has_win_in_one(&self) -> bool {
        self.game().win_in_one(self.position()).is_some()
    }

    fn weights(&self) -> &'static [i16] {
        self.game().weights()
    }

    fn features(&self) -> Vec<(u32, i32)> {
        let mut features = Vec::new();
        let mut add = |index, count| features.push((index as u32, count));
        self.game().features(self.position(), &mut add);
        features
    }

    fn n_inputs(&self) -> usize {
        let inputs = self.game().network_inputs();
        inputs.map_or(0, |inputs| inputs.n_inputs())
    }

    fn network(&self) -> Option<Arc<Network>> {
        self.game().network_inputs()?.network().cloned()
    }

    fn with_network(&self, network: Arc<Network>) -> Box<dyn DynHistory> {
        let inputs = self.game().network_inputs().expect("a game with a network");
        Box::new(self.with_game(inputs.with_network(network)))
    }

    fn inputs(&self) -> [Vec<u16>; 2] {
        let mut inputs = [Vec::new(), Vec::new()];
        let side = PositionHistory::side(self);
        if let Some(network) = self.game().network_inputs() {
            network.inputs(self.position(), &mut |seen| {
                inputs[0].push(seen[side.index()]);
                if network.has_two_perspectives() {
                    inputs[1].push(seen[side.other().index()]);
                }
            });
        }
        inputs
    }

    fn td_lambda(&self) -> f32 {
        let inputs = self.game().network_inputs();
        inputs.map_or(1.0, |inputs| inputs.td_lambda())
    }
}

/// An [`Indexing`] with the game's type erased.
pub trait ErasedIndexing: Send + Sync {
    /// The table with this indexing.
    fn identity(&self) -> Identity;

    /// As [`Indexing::index`]; the position is of this game and board.
    fn index(&self, position: &dyn DynHistory) -> Option<u64>;

    /// As [`Indexing::position`].
    fn position(&self, number: u64) -> Option<Box<dyn DynHistory>>;
}

impl fmt::Debug for dyn ErasedIndexing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "indexing of {}", self.identity())
    }
}

/// Erases the game of its indexing.
pub fn erased<G: Engine>(game: &G, indexing: Box<dyn Indexing<G>>) -> Box<dyn ErasedIndexing> {
    Box::new((game.clone(), indexing))
}

impl<G: Engine> ErasedIndexing for (G, Box<dyn Indexing<G>>) {
    fn identity(&self) -> Identity {
        self.1.identity()
    }

    fn index(&self, position: &dyn DynHistory) -> Option<u64> {
        let history: &PositionHistory<G> = (position as &dyn Any).downcast_ref()?;
        self.1.index(history.position())
    }

    fn position(&self, number: u64) -> Option<Box<dyn DynHistory>> {
        let position = self.1.position(number)?;
        Some(Box::new(PositionHistory::new(self.0.clone(), position)))
    }
}

impl<G: Notation> PositionHistory<G> {
    /// The moves of these legal codes.
    pub fn legal(&self, codes: &[String]) -> Vec<G::Move> {
        let read = |code: &String| parse_legal(self, code).expect("a legal move");
        codes.iter().map(read).collect()
    }

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
    let named = |Rejection(why)| Rejection(format!("{}: {why}", excerpt(code)));
    if history.outcome().is_some() {
        return Err(named(Rejection::from("the game is over")));
    }
    let mv = history.game().parse_move(history.position(), code);
    let mv = mv.map_err(named)?;
    check_legal(history, mv).map_err(named).map(|()| mv)
}

/// Reads a position string or a drawn board and replays the moves in it. If a pasted board has a `fen:` line, that line
/// counts.
pub fn parse_history<G: Notation>(game: &G, text: &str) -> Result<PositionHistory<G>, Rejection> {
    let is_drawn = text.contains(['\n', '\r']);
    let fen_of = |line| {
        let line = grid::clean(line);
        line.trim().strip_prefix("fen: ").map(str::to_owned)
    };
    let pasted = text.lines().filter(|_| is_drawn).find_map(fen_of);
    let fen = match (pasted, notation::grid::<G>()) {
        (None, _) if !is_drawn => text.to_owned(),
        (None, Some(grid)) => game.drawn_fen(&grid.read(text)?)?,
        (None, None) => return Err(not_shown(G::NAME)),
        (Some(fen), _) => fen,
    };
    let setup = game.parse_position(&fen)?;
    let mut history = PositionHistory::new(setup.game, setup.position);
    for (mv, number) in setup.moves.into_iter().zip(1..) {
        let code = history.code(mv);
        let named = |why| Rejection(format!("move {number} ({code}): {why}"));
        check_legal(&history, mv).map_err(named)?;
        history.play(mv);
    }
    Ok(history)
}

/// The reason why a drawn board of a game without a [`Grid`](draw::grid::Grid) is not read.
pub fn not_shown(game: &str) -> Rejection {
    Rejection(format!(
        "a drawing of {game} does not show its moves. Paste the line `fen: ...` that `board` prints, or the numbered moves"
    ))
}

/// Checks that the game is not over and that a move is legal.
fn check_legal<G: Notation>(history: &PositionHistory<G>, mv: G::Move) -> Result<(), Rejection> {
    match history.outcome() {
        Some(_) => Err("the game is over".into()),
        None => history.game().check(history.position(), mv),
    }
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
