//! The games in a text: its figures, and the moves before, between and below them.

use std::fmt;

use kit::{DynHistory, Rejection, Side};

use super::{Candidate, Figure, FigureReader};
use crate::move_text::{MoveNumber, Numbering, Segment};
use crate::typing::read_codes;

/// The contents of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The games, in reading order: each begins at a figure or at the start position. A rejection names what is wrong
    /// with a figure.
    pub games: Vec<Result<Figure, Rejection>>,
    /// Texts that look like moves and belong to no game.
    pub unused: Vec<Unused>,
}

/// A text that looks like a move and was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// The number of its line, from 1.
    pub line: usize,
    /// The move as written.
    pub text: String,
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// A line of text that is not part of a figure.
#[derive(Debug, Clone)]
pub(super) struct TextLine {
    /// Its number, from 1.
    pub(super) number: usize,
    /// The number of complete boards above it.
    pub(super) n_above: usize,
    pub(super) segments: Vec<Segment>,
}

/// Consecutive moves of a text: the segments from one number on, or those of a line that has none.
#[derive(Debug, Clone)]
struct Run {
    n_above: usize,
    /// Each segment with the number of its line.
    segments: Vec<(usize, Segment)>,
}

/// A game that is being read. Its position may be one of several.
struct Game {
    caption: Option<String>,
    lines: Vec<Line>,
    /// `true` for a game that no figure confirms.
    is_implicit: bool,
    /// `true` if the numbers of its moves count pairs.
    counts_pairs: bool,
}

/// A position and the moves after it.
struct Line {
    start: Candidate,
    /// The ply of the first move, in the numbering of each style; `None` before the first number.
    first: [Option<usize>; 2],
    /// The position before each move, and after the last.
    boards: Vec<Box<dyn DynHistory>>,
}

/// The moves of a run that follow a line.
struct Followed {
    /// The index of the first move.
    at: usize,
    codes: Vec<String>,
    /// Number of segments that were read.
    n_read: usize,
    /// Segments that were moves, with the number of words that were read.
    used: Vec<(usize, usize)>,
    first: [Option<usize>; 2],
}

impl FigureReader {
    /// The games in the text, from the game's start position or from a figure.
    pub fn read(&self) -> Reading {
        match self.start_board() {
            Some(start) => self.read_from(start.as_ref(), &[]),
            None => Reading::default(),
        }
    }

    /// The games in the text. Moves that follow no figure continue from this position and the moves played after it.
    pub fn read_from(&self, start: &dyn DynHistory, played: &[String]) -> Reading {
        let mut current = Game::at_start(start);
        current.lines[0].extend(0, played.to_vec(), false);
        let mut games = vec![Ok(current)];
        let mut unused = Vec::new();
        let may_move = |run: &Run| {
            let mut words = run.segments.iter().flat_map(|(_, segment)| segment.words());
            run.segments[0].1.number.is_some() || words.all(|word| is_plain(start, word))
        };
        let (mut pending, prose): (Vec<Run>, Vec<Run>) =
            self.runs().into_iter().partition(may_move);
        for n_above in 0..=self.drawn.len() {
            if let Some(drawn) = n_above.checked_sub(1).map(|at| &self.drawn[at]) {
                self.add_figure(&mut games, drawn, start, &pending);
            }
            let is_last = n_above == self.drawn.len();
            let group = match self.drawn.get(n_above.wrapping_sub(1)) {
                Some(drawn) => drawn.n_abreast.max(1),
                None => 1,
            };
            place_runs(&mut games, &mut pending, group, &mut unused, |run| {
                is_last || run.n_above <= n_above
            });
        }
        let leftover = pending.iter().chain(&prose).flat_map(|run| &run.segments);
        for (line, segment) in leftover {
            note_unused(start, *line, segment, 0, &mut unused);
        }
        unused.sort_by_key(|unused| unused.line);
        let is_found = |game: &Result<Game, Rejection>| match game {
            Ok(game) => !game.is_implicit || game.n_moves() > played.len(),
            Err(_) => true,
        };
        let found = games.into_iter().filter(is_found);
        Reading {
            games: found.map(|game| game.map(Game::figure)).collect(),
            unused,
        }
    }

    /// Adds the figure to the game whose position it shows, or as another game.
    fn add_figure(
        &self,
        games: &mut Vec<Result<Game, Rejection>>,
        drawn: &super::Drawn,
        start: &dyn DynHistory,
        pending: &[Run],
    ) {
        let figure = match self.resolve(drawn) {
            Ok(figure) => figure,
            Err(why) => return games.push(Err(why)),
        };
        let open = |candidate: &Candidate| self.position(&candidate.fen).ok();
        let shown: Vec<_> = figure.candidates.iter().filter_map(open).collect();
        let is_shown =
            |game: &Result<Game, Rejection>| game.as_ref().is_ok_and(|game| game.shows(&shown));
        // A letter may show the position after the moves below it.
        let leads_there = || {
            let mut ahead = vec![Ok(Game::at_start(start))];
            place_runs(
                &mut ahead,
                &mut pending.to_vec(),
                1,
                &mut Vec::new(),
                |_| true,
            );
            is_shown(&ahead[0])
        };
        let begins = |game: &Result<Game, Rejection>| {
            game.as_ref()
                .is_ok_and(|game| game.lines[0].start.fen == start.fen())
        };
        let known = games.iter().rposition(is_shown);
        let known = known.or_else(|| games.iter().position(begins).filter(|_| leads_there()));
        if let Some(index) = known {
            let mut game = games.remove(index);
            if let Ok(game) = &mut game {
                game.is_implicit = false;
                game.caption = game.caption.take().or(figure.caption);
            }
            return games.push(game);
        }
        games.push(Ok(Game {
            caption: figure.caption,
            lines: figure
                .candidates
                .into_iter()
                .zip(shown)
                .map(|(start, board)| Line {
                    start,
                    first: [None; 2],
                    boards: vec![board],
                })
                .collect(),
            is_implicit: false,
            counts_pairs: false,
        }));
    }

    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut last: Option<MoveNumber> = None;
        for line in &self.texts {
            for (at, segment) in line.segments.iter().enumerate() {
                let continues = match (last, segment.number) {
                    (Some(last), Some(number)) => {
                        number.value > last.value
                            || number.value == last.value && number.is_second && !last.is_second
                    }
                    (_, Some(_)) => false,
                    (Some(_), None) => at > 0,
                    (None, None) => at > 0,
                };
                let entry = (line.number, segment.clone());
                match runs.last_mut() {
                    Some(run) if continues && run.n_above == line.n_above => {
                        run.segments.push(entry)
                    }
                    _ => runs.push(Run {
                        n_above: line.n_above,
                        segments: vec![entry],
                    }),
                }
                last = segment.number.or(last.filter(|_| continues));
            }
        }
        runs
    }
}

/// Adds runs to the last games until none fits any more.
fn place_runs(
    games: &mut [Result<Game, Rejection>],
    pending: &mut Vec<Run>,
    n_games: usize,
    unused: &mut Vec<Unused>,
    is_due: impl Fn(&Run) -> bool,
) {
    let first = games.len().saturating_sub(n_games);
    let mut at = 0;
    while at < pending.len() {
        let run = &pending[at];
        let mut targets = games[first..].iter_mut().rev().flatten();
        let placed = match is_due(run) {
            true => targets.find_map(|game| game.add(run, unused)),
            false => None,
        };
        match placed {
            None => at += 1,
            Some(n_read) => {
                let Run {
                    n_above,
                    mut segments,
                } = pending.remove(at);
                segments.drain(..n_read);
                // Words before the next number are not part of its moves.
                let numbered = segments
                    .iter()
                    .position(|(_, segment)| segment.number.is_some());
                let rest = segments.split_off(numbered.unwrap_or(segments.len()));
                let runs = [rest, segments]
                    .into_iter()
                    .filter(|segments| !segments.is_empty());
                for segments in runs {
                    pending.insert(at, Run { n_above, segments });
                }
                // A run that came too early may follow now.
                at = 0;
            }
        }
    }
}

impl Game {
    fn at_start(start: &dyn DynHistory) -> Game {
        let first = Numbering::BOTH.map(|style| Some(style.next(start)));
        let line = Line {
            start: Candidate::of(start),
            first,
            boards: vec![start.fork()],
        };
        Game {
            caption: None,
            lines: vec![line],
            is_implicit: true,
            counts_pairs: false,
        }
    }

    fn n_moves(&self) -> usize {
        self.lines[0].start.moves.len()
    }

    /// `true` if one of its positions is one of these.
    fn shows(&self, shown: &[Box<dyn DynHistory>]) -> bool {
        let is_same = |one: &dyn DynHistory, other: &dyn DynHistory| {
            one.side() == other.side() && is_same_board(one, other)
        };
        let mut boards = self.lines.iter().flat_map(|line| &line.boards);
        boards.any(|board| {
            shown
                .iter()
                .any(|other| is_same(board.as_ref(), other.as_ref()))
        })
    }

    /// Adds the moves at the beginning of a run. Returns the number of segments that were read; `None` if none of them
    /// follows.
    fn add(&mut self, run: &Run, unused: &mut Vec<Unused>) -> Option<usize> {
        let styles = match self.counts_pairs {
            true => [Numbering::Pairs, Numbering::Plies],
            false => Numbering::BOTH,
        };
        let mut best: Option<(usize, Numbering, Followed, bool)> = None;
        for (may_vary, is_strict) in [(false, true), (false, false), (true, true), (true, false)] {
            for (index, line) in self.lines.iter().enumerate() {
                for style in styles {
                    let Some(followed) = line.follow(run, style, is_strict) else {
                        continue;
                    };
                    let varies = line.varies(&followed);
                    let is_longer = best
                        .as_ref()
                        .is_none_or(|(.., best, _)| followed.n_read > best.n_read);
                    if varies <= may_vary && is_longer {
                        best = Some((index, style, followed, varies));
                    }
                }
            }
            if best.is_some() {
                break;
            }
        }
        let (index, style, followed, varies) = best?;
        let other = styles.into_iter().find(|other| *other != style);
        let is_told =
            other.is_some_and(|other| self.lines[index].follow(run, other, false).is_none());
        self.counts_pairs |= is_told && style == Numbering::Pairs;
        let line = self.lines.swap_remove(index);
        self.lines = vec![line];
        let line = &mut self.lines[0];
        let before = line.boards[followed.at.min(line.boards.len() - 1)].fork();
        for (segment, n_words) in &followed.used {
            let (number, segment) = &run.segments[*segment];
            note_unused(before.as_ref(), *number, segment, *n_words, unused);
        }
        let prose =
            (0..followed.n_read).filter(|at| !followed.used.iter().any(|(used, _)| used == at));
        for at in prose {
            let (number, segment) = &run.segments[at];
            note_unused(before.as_ref(), *number, segment, 0, unused);
        }
        line.first = followed.first;
        line.extend(followed.at, followed.codes, varies);
        Some(followed.n_read)
    }

    fn figure(self) -> Figure {
        let candidates = self.lines.into_iter().map(|line| line.start);
        Figure {
            caption: self.caption,
            candidates: candidates.collect(),
        }
    }
}

impl Line {
    /// Reads the moves of a run from where its numbers say, up to the first that cannot be played. The first number after
    /// a figure may be any; if `is_strict`, it must be one of the side to move.
    fn follow(&self, run: &Run, style: Numbering, is_strict: bool) -> Option<Followed> {
        let mut first = self.first;
        let mut followed = Followed {
            at: self.boards.len() - 1,
            codes: Vec::new(),
            n_read: 0,
            used: Vec::new(),
            first,
        };
        let slot = &mut first[style as usize];
        let mut after: Option<Box<dyn DynHistory>> = None;
        let is_bare = run.segments[0].1.number.is_none();
        for (index, (_, segment)) in run.segments.iter().enumerate() {
            if let Some(number) = segment.number {
                let played = followed.codes.len();
                let ply = style.ply(number);
                match &after {
                    None => {
                        let is_side = (ply % 2 == 1) == (self.boards[0].side() == Side::P1);
                        if slot.is_none() && is_strict && !is_side {
                            return None;
                        }
                        followed.at = ply.checked_sub(*slot.get_or_insert(ply))?;
                    }
                    Some(_) if slot.is_some_and(|slot| ply != slot + followed.at + played) => break,
                    Some(_) => {}
                }
            }
            let board = match &after {
                Some(board) => board.fork(),
                None => self.boards.get(followed.at)?.fork(),
            };
            match read_words(board.as_ref(), segment, is_bare) {
                Some((codes, n_words)) => {
                    let mut board = board;
                    for code in &codes {
                        board.play(code).ok()?;
                    }
                    after = Some(board);
                    followed.codes.extend(codes);
                    followed.used.push((index, n_words));
                    followed.n_read = index + 1;
                }
                None if is_bare || segment.number.is_some() => break,
                // Prose between moves.
                None => {}
            }
        }
        // A line without numbers is moves or prose, not both.
        let is_whole = !is_bare || followed.n_read == run.segments.len();
        followed.first = first;
        (is_whole && !followed.used.is_empty()).then_some(followed)
    }

    /// `true` if the moves differ from those of the line.
    fn varies(&self, followed: &Followed) -> bool {
        let known = self.start.moves.iter().skip(followed.at);
        known
            .zip(&followed.codes)
            .any(|(known, code)| known != code)
    }

    fn extend(&mut self, at: usize, codes: Vec<String>, varies: bool) {
        if varies {
            let before = self.start.moves[..at].iter().cloned();
            return self.start.variations.push(before.chain(codes).collect());
        }
        for code in codes.into_iter().skip(self.start.moves.len() - at) {
            let mut board = self.boards[self.boards.len() - 1].fork();
            if board.play(&code).is_ok() {
                self.boards.push(board);
                self.start.moves.push(code);
            }
        }
    }
}

/// The moves at the beginning of a segment, and the number of words that they take. A line without numbers must be moves
/// only.
fn read_words(
    board: &dyn DynHistory,
    segment: &Segment,
    is_bare: bool,
) -> Option<(Vec<String>, usize)> {
    let words = segment.words();
    let is_plain = words.iter().all(|word| is_plain(board, word));
    if is_plain && let Ok(codes) = read_codes(board, &segment.text) {
        return Some((codes, words.len()));
    }
    let mut after = board.fork();
    let mut codes = Vec::new();
    for word in words.iter().filter(|_| !is_bare) {
        match after.play(word) {
            Ok(code) if has_digit(word) || word.len() > 2 => codes.push(code),
            _ => break,
        }
    }
    let n_words = codes.len();
    (n_words > 0).then_some((codes, n_words))
}

/// `true` if a word of a letter may be a move. In a game whose moves are letters, most words could be moves, so only
/// capital letters and single letters may be.
fn is_plain(board: &dyn DynHistory, word: &str) -> bool {
    has_digit(word)
        || !word.contains(char::is_lowercase)
        || word.len() != 2 && board.read(word).is_ok()
}

/// Adds the words after the first `n_words` that look like moves.
fn note_unused(
    board: &dyn DynHistory,
    line: usize,
    segment: &Segment,
    n_words: usize,
    unused: &mut Vec<Unused>,
) {
    for (at, word) in segment.words().into_iter().enumerate().skip(n_words) {
        let is_numbered = at == 0 && segment.number.is_some();
        let is_alone = at == 0 && segment.words().len() == 1;
        if is_move(board, word) || is_alone && is_named(board, word) || is_numbered && is_cell(word)
        {
            let text = match segment.number.filter(|_| is_numbered) {
                Some(number) => format!("{}. {word}", number.value),
                None => word.to_owned(),
            };
            unused.push(Unused { line, text });
        }
    }
}

fn is_move(board: &dyn DynHistory, word: &str) -> bool {
    has_digit(word) && board.read(word).is_ok()
}

/// `true` for a move that is a word, such as `pass`, legal or not.
fn is_named(board: &dyn DynHistory, word: &str) -> bool {
    word.len() > 2 && board.read(word).is_ok()
}

/// `true` for a letter with a number, such as `b9`.
fn is_cell(word: &str) -> bool {
    let digits = word.trim_start_matches(|sign: char| sign.is_ascii_alphabetic());
    word.len() == digits.len() + 1
        && (1..=2).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_digit(word: &str) -> bool {
    word.contains(|sign: char| sign.is_ascii_digit())
}

/// `true` if two positions have the same board; the side to move and counts of moves may differ.
pub fn is_same_board(one: &dyn DynHistory, other: &dyn DynHistory) -> bool {
    let board = |board: &dyn DynHistory| {
        let squares = board.fen().split(' ').next().unwrap_or_default().to_owned();
        // A string without rows is a list of moves, so the drawing tells.
        if squares.contains('/') {
            squares
        } else {
            board.draw(kit::View::default())
        }
    };
    board(one) == board(other)
}
