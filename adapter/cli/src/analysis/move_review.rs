//! The cost of each move of a game, as lines of text.

use kit::{DynHistory, Side};
use record::game::Points;
use referee::analysis::{ReviewedPly, win_share};

/// Number of the worst moves that are repeated at the end.
const N_WORST: usize = 3;

/// Maximum number of moves shown of a better line.
pub(crate) const LINE: usize = 6;

/// Bars for scores, from a sure loss to a sure win.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// `BARS` in ASCII.
const DIGITS: [char; 8] = ['0', '1', '2', '3', '4', '5', '6', '7'];

/// A reviewed move with its number and the mover's name.
pub(crate) struct Told {
    /// Counted from 1.
    pub(crate) number: usize,
    /// The mover's name on the board.
    name: String,
    pub(crate) ply: ReviewedPly,
}

/// Adds the mover's name to a reviewed move and makes the move on `board`.
pub(crate) fn tell(board: &mut dyn DynHistory, number: usize, ply: ReviewedPly) -> Told {
    let name = board.side_names()[ply.side.index()].clone();
    // The review has made the same move.
    let _ = board.play(&ply.code);
    Told { number, name, ply }
}

/// The widths of the columns of these names and codes, in characters, with a blank after each.
pub(crate) fn columns<'a>(
    names: impl IntoIterator<Item = &'a str>,
    codes: impl IntoIterator<Item = &'a str>,
) -> [usize; 2] {
    let width = |text: &str| text.chars().count() + 1;
    let names = names.into_iter().map(width).fold(7, usize::max);
    [names, codes.into_iter().map(width).fold(10, usize::max)]
}

/// A line of text: a move, its score from the mover's view, and the better move if there is one.
pub(crate) fn line(told: &Told, [name_width, code_width]: [usize; 2]) -> String {
    let Told { number, name, ply } = told;
    let score = ply.after.map(|score| score.to_string());
    let (score, code) = (score.as_deref().unwrap_or("?"), &ply.code);
    let text = format!("{number:>4}. {name:<name_width$}{code:<code_width$}{score:>8}");
    match cost(ply) {
        Some(cost) => format!("{text}  {cost}"),
        None => text,
    }
}

/// The loss of a move as text; `None` below half a percent of a win.
pub(crate) fn cost(ply: &ReviewedPly) -> Option<String> {
    if ply.loss < 0.005 {
        return None;
    }
    let proven = if ply.is_exact { ", proven" } else { "" };
    let mark = if ply.threw_away { "!! " } else { "" };
    let better = match (&ply.line[..], &ply.best) {
        ([], None) => String::new(),
        ([], Some(best)) => format!("; better {best}"),
        (line, _) => format!("; better {}", line[..line.len().min(LINE)].join(" ")),
    };
    let before = ply.before.map(|score| format!(" ({score})"));
    let (before, loss) = (before.unwrap_or_default(), ply.loss);
    Some(format!(
        "{mark}costs {loss:.2} of a win{proven}{better}{before}"
    ))
}

/// A chart of the score over the game, and the worst moves.
pub(crate) fn summary(told: &[Told], is_ascii: bool) -> String {
    let bars = if is_ascii { DIGITS } else { BARS };
    let spark: String = told.iter().map(|told| bar(&told.ply, bars)).collect();
    let first = told.iter().find(|told| told.ply.side == Side::P1);
    let name = first.map_or("p1", |told| &told.name);
    let mut text = format!("\nscore of {name} after each move:\n{spark}\n");
    let costly = told.iter().filter(|told| cost(&told.ply).is_some());
    let mut worst: Vec<&Told> = costly.collect();
    worst.sort_by(|one, other| other.ply.loss.total_cmp(&one.ply.loss));
    worst.truncate(N_WORST);
    if worst.is_empty() {
        let is_compared = |told: &&Told| told.ply.before.is_some() && told.ply.after.is_some();
        text.push('\n');
        text.push_str(&match told.iter().filter(is_compared).count() {
            0 => "the engine gave no scores: there is nothing to compare".to_owned(),
            n if n == told.len() => "no mistakes found".to_owned(),
            n => format!(
                "no mistakes found in the {n} of {} moves with scores",
                told.len()
            ),
        });
        return text;
    }
    text.push_str("\nworst moves:");
    let names = worst.iter().map(|told| told.name.as_str());
    let columns = columns(names, worst.iter().map(|told| told.ply.code.as_str()));
    for told in worst {
        text.push('\n');
        text.push_str(&line(told, columns));
    }
    text
}

/// The score after a move as a bar, from player 1's view; a blank if the move has no score.
fn bar(ply: &ReviewedPly, bars: [char; 8]) -> char {
    let Some(score) = ply.after else {
        return ' ';
    };
    let share = match ply.side {
        Side::P1 => win_share(score),
        Side::P2 => 1.0 - win_share(score),
    };
    let is_draw = matches!(score, Points::Cp(0) | Points::Draw);
    let at = if is_draw { 3 } else { (share * 8.0) as usize };
    bars[at.min(bars.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(number: usize, side: Side, after: Points, loss: f64) -> Told {
        Told {
            number,
            name: if side == Side::P1 { "x" } else { "o" }.to_owned(),
            ply: ReviewedPly {
                code: format!("a{number}"),
                side,
                before: Some(Points::Cp(30)),
                after: Some(after),
                best: Some("b2".to_owned()),
                line: vec!["b2".to_owned(), "b3".to_owned()],
                loss,
                threw_away: loss >= 0.2,
                is_exact: false,
            },
        }
    }

    #[test]
    fn a_move_is_a_line() {
        let short = columns(["x", "o"], ["a1", "a12"]);
        assert_eq!(
            line(&told(12, Side::P2, Points::Cp(-120), 0.25), short),
            "  12. o      a12          -1.20  !! costs 0.25 of a win; better b2 b3 (+0.30)"
        );
        assert_eq!(
            line(&told(1, Side::P1, Points::Mate(5), 0.0), short),
            "   1. x      a1             +M5"
        );
        let long = columns(["horizontal", "vertical"], ["a1", "a10-a10/b10"]);
        let lines = [(1, "horizontal", "a1"), (2, "vertical", "a10-a10/b10")].map(
            |(number, name, code)| {
                let mut told = told(number, Side::P1, Points::Cp(120), 0.0);
                (told.name, told.ply.code) = (name.to_owned(), code.to_owned());
                line(&told, long)
            },
        );
        assert_eq!(lines[0], "   1. horizontal a1             +1.20");
        assert_eq!(lines[1], "   2. vertical   a10-a10/b10    +1.20");
    }

    #[test]
    fn the_worst_moves_come_first_and_the_score_is_player_1s() {
        let game = [
            told(1, Side::P1, Points::Cp(0), 0.0),
            told(2, Side::P2, Points::Mate(-3), 0.9),
            told(3, Side::P1, Points::Mate(-3), 1.0),
            told(4, Side::P2, Points::Cp(20), 0.01),
            told(5, Side::P1, Points::Cp(20), 0.02),
        ];
        let text = summary(&game, true);
        assert!(text.contains("\n37034\n"), "{text}");
        let worst: Vec<&str> = text
            .lines()
            .skip_while(|line| *line != "worst moves:")
            .skip(1)
            .map(|line| line.trim_start().split('.').next().expect("a number"))
            .collect();
        assert_eq!(worst, ["3", "2", "5"]);
    }

    #[test]
    fn a_game_without_errors_says_so() {
        let game = [told(1, Side::P1, Points::Cp(0), 0.0)];
        assert!(summary(&game, true).ends_with("no mistakes found"));
        let mut game = [1, 2].map(|number| told(number, Side::P1, Points::Cp(0), 0.0));
        game[0].ply.before = None;
        assert!(
            summary(&game, true).ends_with("no mistakes found in the 1 of 2 moves with scores")
        );
        game[1].ply.after = None;
        assert!(summary(&game, true).contains("the engine gave no scores"));
    }
}
