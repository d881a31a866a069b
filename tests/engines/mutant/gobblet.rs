//! Mutants of Gobblet.

use kit::{Outcome, Side};

use crate::rows::each;
use crate::rules::{Mutant, Play, Spoil};

pub(crate) const MUTANTS: &[Mutant] = &[
    ("own-line-first", Spoil::Outcome(own_line_first)),
    ("lifted-line-ignored", Spoil::Outcome(mover_alone)),
    (
        "no-diagonals",
        Spoil::Outcome(|play| by_lines(play, |line, _| !line.is_diagonal())),
    ),
    (
        "no-antidiagonal",
        Spoil::Outcome(|play| by_lines(play, |line, _| *line != Line::Falling)),
    ),
    (
        "equal-sizes-in-line",
        Spoil::Outcome(|play| {
            by_lines(play, |_, sizes| sizes.iter().all(|size| *size == sizes[0]))
        }),
    ),
    ("placement-covers-anything", Spoil::Moves(covering_anything)),
    ("placement-covers-nothing", Spoil::Moves(covering_nothing)),
    ("three-with-a-free-fourth", Spoil::Moves(only_to_stop_a_win)),
    ("covered-count-in-three", Spoil::Moves(covered_counted)),
    ("stacks-ignored", Spoil::Moves(without_stacks)),
    ("moves-bound-like-placements", Spoil::Moves(bound_moves)),
    ("own-pieces-not-covered", Spoil::Moves(own_uncovered)),
    ("equal-pieces-covered", Spoil::Moves(equal_covered)),
    (
        "second-occurrence",
        Spoil::Outcome(|play| play.repetition(2)),
    ),
    (
        "fourth-occurrence",
        Spoil::Outcome(|play| play.repetition(4)),
    ),
];

/// The pieces of each square from the bottom up, as side and size. Shape: file, rank.
type Board = Vec<Vec<Vec<(Side, u32)>>>;

fn board(fen: &str) -> Board {
    let rows = fen.split(' ').next().unwrap_or_default().split('/').rev();
    let rows: Vec<Vec<_>> = rows.map(|row| row.split(',').map(pile).collect()).collect();
    let width = rows.len();
    let file = |x: usize| rows.iter().map(|row| row[x].clone()).collect();
    (0..width).map(file).collect()
}

fn pile(text: &str) -> Vec<(Side, u32)> {
    let piece = |pair: &[char]| {
        let side = Side::BOTH[usize::from(pair[0] == 'y')];
        (side, pair[1].to_digit(10).unwrap_or(0))
    };
    let chars: Vec<char> = text.chars().collect();
    chars.chunks_exact(2).map(piece).collect()
}

/// A straight line of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Rank(usize),
    File(usize),
    /// The diagonal from the lower left.
    Rising,
    /// The diagonal from the upper left.
    Falling,
}

impl Line {
    fn all(width: usize) -> impl Iterator<Item = Line> {
        let straight = (0..width).flat_map(|n| [Line::Rank(n), Line::File(n)]);
        straight.chain([Line::Rising, Line::Falling])
    }

    fn is_diagonal(self) -> bool {
        matches!(self, Line::Rising | Line::Falling)
    }

    fn squares(self, width: usize) -> Vec<(usize, usize)> {
        let square = |n| match self {
            Line::Rank(y) => (n, y),
            Line::File(x) => (x, n),
            Line::Rising => (n, n),
            Line::Falling => (n, width - 1 - n),
        };
        (0..width).map(square).collect()
    }
}

/// The visible piece of each square of a line, if any.
fn visible(board: &Board, line: Line) -> Vec<Option<(Side, u32)>> {
    let squares = line.squares(board.len()).into_iter();
    squares.map(|(x, y)| board[x][y].last().copied()).collect()
}

/// Players with a full line that `counts`; it gets the line and the sizes of its pieces.
fn lines(fen: &str, counts: fn(&Line, &[u32]) -> bool) -> [bool; 2] {
    let board = board(fen);
    let has = |side: Side, line: Line| {
        let sizes: Vec<u32> = visible(&board, line)
            .into_iter()
            .flatten()
            .filter(|(owner, _)| *owner == side)
            .map(|(_, size)| size)
            .collect();
        sizes.len() == board.len() && counts(&line, &sizes)
    };
    each(|side| Line::all(board.len()).any(|line| has(side, line)))
}

fn by_lines(play: &Play, counts: fn(&Line, &[u32]) -> bool) -> Option<Outcome> {
    let has_line = lines(play.position(), counts);
    let mover = play.now().side.other();
    let winner = [mover.other(), mover]
        .into_iter()
        .find(|side| has_line[side.index()]);
    winner.map(Outcome::Win).or(play
        .now()
        .outcome
        .filter(|outcome| *outcome == Outcome::Draw))
}

fn own_line_first(play: &Play) -> Option<Outcome> {
    let mover = play.now().side.other();
    match lines(play.position(), |_, _| true)[mover.index()] {
        true => Some(Outcome::Win(mover)),
        false => play.now().outcome,
    }
}

/// The opponent's line does not end the game.
fn mover_alone(play: &Play) -> Option<Outcome> {
    let mover = play.now().side.other();
    let outcome = play.now().outcome;
    outcome.filter(|outcome| *outcome != Outcome::Win(mover.other()) || play.codes.is_empty())
}

/// The target square of a code.
fn target(code: &str) -> (usize, usize) {
    let mut chars = code.chars().rev();
    let rank = chars.next().and_then(|c| c.to_digit(10)).unwrap_or(1);
    let file = chars.next().map_or(0, |c| c as usize - 'a' as usize);
    (file, rank as usize - 1)
}

/// Adds placements of these sizes on each square for which `may` is true.
fn with_placements(
    play: &Play,
    sizes: &[u32],
    may: impl Fn(&[(Side, u32)], u32) -> bool,
) -> Vec<String> {
    let board = board(play.position());
    let mut moves = play.sound_moves();
    for &size in sizes {
        for (x, file) in board.iter().enumerate() {
            for (y, pile) in file.iter().enumerate() {
                let code = format!("{size}@{}{}", char::from(b'a' + x as u8), y + 1);
                if may(pile, size) && !moves.contains(&code) {
                    moves.push(code);
                }
            }
        }
    }
    moves
}

/// Sizes that may be placed.
fn sizes(play: &Play) -> Vec<u32> {
    let moves = play.sound_moves();
    let size = |code: &String| code.split_once('@').and_then(|(size, _)| size.parse().ok());
    let mut sizes: Vec<u32> = moves.iter().filter_map(size).collect();
    sizes.dedup();
    sizes
}

fn is_large(play: &Play) -> bool {
    board(play.position()).len() == 4
}

fn covering_anything(play: &Play) -> Vec<String> {
    with_placements(play, &sizes(play), |pile, size| {
        pile.last().is_none_or(|(_, top)| *top < size)
    })
}

fn covering_nothing(play: &Play) -> Vec<String> {
    let board = board(play.position());
    let mut moves = play.sound_moves();
    moves.retain(|code| {
        let (x, y) = target(code);
        !is_large(play) || !code.contains('@') || board[x][y].is_empty()
    });
    moves
}

/// A placement may cover only on a line whose fourth square is empty.
fn only_to_stop_a_win(play: &Play) -> Vec<String> {
    let board = board(play.position());
    let enemy = play.now().side.other();
    let is_threat = |line: &Line| {
        let seen = visible(&board, *line);
        let n = seen
            .iter()
            .flatten()
            .filter(|(side, _)| *side == enemy)
            .count();
        n == 3 && seen.contains(&None)
    };
    let mut moves = play.sound_moves();
    moves.retain(|code| {
        let (x, y) = target(code);
        let is_free = !is_large(play) || !code.contains('@') || board[x][y].is_empty();
        let mut threats = Line::all(board.len()).filter(is_threat);
        is_free || threats.any(|line| line.squares(board.len()).contains(&(x, y)))
    });
    moves
}

/// A placement may cover only on a line with pieces of the opponent on three squares, visible or covered.
fn covered_counted(play: &Play) -> Vec<String> {
    let (board, enemy) = (board(play.position()), play.now().side.other());
    let holds = |&(x, y): &(usize, usize)| board[x][y].iter().any(|(side, _)| *side == enemy);
    let n_held = |line: Line| {
        line.squares(board.len())
            .iter()
            .filter(|at| holds(at))
            .count()
    };
    let is_on_three = |at: &(usize, usize)| {
        Line::all(board.len())
            .any(|line| line.squares(board.len()).contains(at) && n_held(line) == 3)
    };
    let mut moves = match is_large(play) {
        true => with_placements(play, &sizes(play), |pile, size| {
            pile.last()
                .is_some_and(|&(side, top)| side == enemy && top < size)
        }),
        false => play.sound_moves(),
    };
    moves.retain(|code| {
        let at = target(code);
        let is_free = !is_large(play) || !code.contains('@') || board[at.0][at.1].is_empty();
        is_free || is_on_three(&at)
    });
    moves
}

/// Any size that a player has left may be placed.
fn without_stacks(play: &Play) -> Vec<String> {
    let (board, side) = (board(play.position()), play.now().side);
    let used = |size: u32| {
        board
            .iter()
            .flatten()
            .flatten()
            .filter(|piece| **piece == (side, size))
            .count()
    };
    let n_each = board.len() - 1;
    let left: Vec<u32> = (1..=board.len() as u32)
        .filter(|size| used(*size) < n_each)
        .collect();
    with_placements(play, &left, |pile, _| pile.is_empty())
}

/// A move on the board covers only what a placement may cover.
fn bound_moves(play: &Play) -> Vec<String> {
    let board = board(play.position());
    let mut moves = play.sound_moves();
    let placements: Vec<(usize, usize)> = moves
        .iter()
        .filter(|code| code.contains('@'))
        .map(|code| target(code))
        .collect();
    moves.retain(|code| {
        let (x, y) = target(code);
        !is_large(play) || board[x][y].is_empty() || placements.contains(&(x, y))
    });
    moves
}

fn own_uncovered(play: &Play) -> Vec<String> {
    let (board, side) = (board(play.position()), play.now().side);
    let mut moves = play.sound_moves();
    moves.retain(|code| {
        let (x, y) = target(code);
        board[x][y].last().is_none_or(|(owner, _)| *owner != side)
    });
    moves
}

fn equal_covered(play: &Play) -> Vec<String> {
    with_placements(play, &sizes(play), |pile, size| {
        pile.last().is_some_and(|(_, top)| *top == size)
    })
}
