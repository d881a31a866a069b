//! Move codes and position strings; `diagram` draws the field.

use draw::Board;
use kit::notation::excerpt;
use kit::{DrawRequest, Game, Notation, Outcome, Rejection, Setup, fen};

use crate::diagram;
use crate::field::Field;
use crate::moves::Move;
use crate::position::{GraphHockey, Position};

/// The fields of a position string, for errors.
const FIELDS: &str = "a size and the letters of the moves, as in 4x8 GHJB or 4x8 -";

impl Notation for GraphHockey {
    const STYLES: &'static [&'static str] = &[draw::ASCII];

    fn shape(&self) -> Vec<(&'static str, String)> {
        let Field { side, gap } = self.field();
        vec![("Side", side.to_string()), ("Gap", gap.to_string())]
    }

    fn format_move(&self, _: &Position, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_move(&self, _: &Position, code: &str) -> Result<Move, Rejection> {
        let moves = code.trim().chars().map(parse_letter);
        match *moves.collect::<Result<Vec<Move>, _>>()? {
            [mv] => Ok(mv),
            [] => Err("no letter: expected one of the twenty".into()),
            _ => Err("more than one letter: a move is one".into()),
        }
    }

    fn split_codes<'a>(&self, word: &'a str) -> Vec<&'a str> {
        if word.chars().all(|letter| parse_letter(letter).is_ok()) {
            word.split("").filter(|code| !code.is_empty()).collect()
        } else {
            vec![word]
        }
    }

    fn format_position(&self, position: &Position) -> String {
        let Field { side, gap } = self.field();
        let letters: String = match &position.path[..] {
            [] => "-".to_owned(),
            path => path.iter().map(|mv| mv.letter()).collect(),
        };
        format!("{side}x{gap} {letters}")
    }

    fn parse_position(&self, text: &str) -> Result<Setup<GraphHockey>, Rejection> {
        let [size, letters] = fen::fields(text, FIELDS)?;
        let field = parse_size(size)?;
        let moves = parse_letters(letters)?;
        let game = self.resized(field);
        let position = game.start();
        Ok(Setup {
            game,
            position,
            moves,
        })
    }

    fn explain(&self, _: &Position, outcome: Option<Outcome>) -> Option<String> {
        Some(match outcome? {
            Outcome::Win(side) => {
                let goal = diagram::name(side);
                format!("{side} wins: the puck is in the {goal} goal")
            }
            Outcome::Draw => "draw: third occurrence of this position".to_owned(),
        })
    }

    fn board(&self, request: &DrawRequest<GraphHockey>) -> Board {
        diagram::board(self, request)
    }
}

/// Reads a letter in either case.
fn parse_letter(letter: char) -> Result<Move, Rejection> {
    Move::from_letter(letter.to_ascii_uppercase()).ok_or_else(|| no_move(letter))
}

fn no_move(letter: char) -> Rejection {
    let letters: String = Move::all().map(Move::letter).collect();
    Rejection(format!(
        "{letter:?} is not a move: expected one of {letters}"
    ))
}

/// Reads the size of a field, as `4x8`.
fn parse_size(word: &str) -> Result<Field, Rejection> {
    let wrong = || format!("size {:?}: expected <Side>x<Gap>, as 4x8", excerpt(word));
    let (side, gap) = word.split_once('x').ok_or_else(wrong)?;
    Ok(Field {
        side: parse_measure("Side", side, Field::MAX_SIDE)?,
        gap: parse_measure("Gap", gap, Field::MAX_GAP)?,
    })
}

fn parse_measure(name: &str, word: &str, max: i32) -> Result<i32, Rejection> {
    let number = fen::parse_number(word).filter(|number| (1..=max).contains(number));
    number.ok_or_else(|| {
        let word = excerpt(word);
        format!("{name} {word:?}: expected a whole number from 1 to {max}").into()
    })
}

/// Reads the letters of a game, or `-` for none.
fn parse_letters(word: &str) -> Result<Vec<Move>, Rejection> {
    let parse = |letter| Move::from_letter(letter).ok_or_else(|| no_move(letter));
    match word {
        "-" => Ok(Vec::new()),
        "" => Err("no moves: expected letters in upper case, or - for none".into()),
        _ => word.chars().map(parse).collect(),
    }
}
