//! Maps the spots of each game to points of a GTP board, and starts GoGui with one. GoGui's boards are square, with square
//! or hexagonal points.

use draw::View;
use kit::DynHistory;

use crate::points::{CellNames, Point};
use crate::{BridgeError, BridgeSetup, Done};

/// A game's board at one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Name of the game for GoGui, which keeps a game tree only while the name is the same: a capital, then small
    /// letters.
    pub(super) game_id: &'static str,
    /// Option `Size` of the game, or the points per side.
    n: u8,
    /// Points per side. Gobblet has a column for each player's pieces off the board, and two unused rows.
    pub(super) size: u8,
    /// `true` for hexagonal points, where each row is half a point to the right of the one above.
    pub(super) is_hex: bool,
    /// `true` if points off the game's board are removed from GoGui's. GoGui 1.6.0 exchanges columns and rows of removed
    /// points of hexagonal boards, so they must be symmetric; Projex's are not.
    pub(super) has_holes: bool,
    /// `true` in Gobblet: signs on the pieces show their sizes, and the points of the reserve are off the game's board.
    pub(super) has_stacks: bool,
    names: CellNames,
}

/// Prefix of the spots of pieces off the board.
const OFF_BOARD: &str = "reserve ";

impl Layout {
    /// Returns the layout of a game.
    ///
    /// # Errors
    /// The game fits no GTP board.
    pub(super) fn new(name: &str, board: &dyn DynHistory) -> Result<Layout, String> {
        Layout::of(name, board).ok_or_else(|| {
            format!("{name}: a GTP board cannot show its moves. Use linesman gui {name}")
        })
    }

    fn of(name: &str, board: &dyn DynHistory) -> Option<Layout> {
        let n = board
            .shape()
            .split(' ')
            .find_map(|word| word.strip_prefix("Size=")?.parse().ok());
        Some(match name {
            "gobblet" => Layout {
                size: n? + 2,
                has_stacks: true,
                ..Layout::of_squares(name, "Gobblet", n?)
            },
            "susan" => Layout {
                size: 2 * n? - 1,
                is_hex: true,
                ..Layout::of_squares(name, "Susan", n?)
            },
            "projex" => Layout {
                size: 2 * n? - 2,
                is_hex: true,
                has_holes: false,
                ..Layout::of_squares(name, "Projex", n?)
            },
            // Entropy, and games whose rules are a program: all spots have names of squares, such as `c3`.
            _ => {
                let diagram = board.diagram(View::default());
                let points = diagram.spots.iter();
                let points = points.map(|spot| CellNames::Squares.point(&spot.id, 0, |_| 0));
                let sides = points.map(|point| point.map(|at| at.column.max(at.row) + 1));
                let n = sides.collect::<Option<Vec<u8>>>()?.into_iter().max()?;
                let (first, rest) = name.split_at_checked(1)?;
                let game_id = first.to_uppercase() + &rest.to_lowercase();
                Layout::of_squares(name, Box::leak(game_id.into_boxed_str()), n)
            }
        })
    }

    fn of_squares(game: &str, game_id: &'static str, n: u8) -> Layout {
        Layout {
            game_id,
            n,
            size: n,
            is_hex: false,
            has_holes: true,
            has_stacks: false,
            names: CellNames::of(game),
        }
    }

    /// `true` if the spot is on the game's board.
    pub(super) fn is_on_board(self, spot: &str) -> bool {
        !spot.starts_with(OFF_BOARD)
    }

    /// Returns the point of a spot; `None` if the board has no such spot.
    pub(super) fn point(self, spot: &str) -> Option<Point> {
        let (point, end) = match spot.strip_prefix(OFF_BOARD) {
            Some(reserve) => (self.reserve(reserve)?, self.size),
            None => {
                // Rows above the middle are shifted to the right.
                let indent = |row: u8| (self.n - 1).saturating_sub(row);
                let end = if self.has_stacks { self.n } else { self.size };
                (self.names.point(spot, self.size, indent)?, end)
            }
        };
        (point.column.max(point.row) < end).then_some(point)
    }

    /// The board is in the lower left corner, so that cells keep their names, and on its right is a column for each
    /// player's pieces off the board: `reserve p1 3` is in the row of its size.
    fn reserve(self, reserve: &str) -> Option<Point> {
        let (side, size) = reserve.split_once(' ').filter(|_| self.has_stacks)?;
        let column = match side {
            "p1" => self.n,
            "p2" => self.n + 1,
            _ => return None,
        };
        let size: u8 = size.parse().ok()?;
        let row = size.checked_sub(1).filter(|row| *row < self.n)?;
        Some(Point { column, row })
    }

    /// Returns the label of a piece with this sign: letters for Gobblet's sizes, so that a number before it is a number
    /// of pieces.
    pub(super) fn label(self, sign: &str) -> &str {
        match sign {
            "1" => "S",
            "2" => "M",
            "3" => "L",
            "4" => "XL",
            other => other,
        }
    }
}

/// Returns the layout of a setup's game.
///
/// # Errors
/// The game fits no GTP board.
pub fn layout_of(setup: &BridgeSetup) -> Done<Layout> {
    Layout::new(&setup.game.name, setup.rules()?.start().as_ref()).map_err(BridgeError::Unsuitable)
}

/// Returns the command that starts GoGui with an engine, given the engine's own command line.
///
/// # Errors
/// GoGui cannot read a word back; the text names it.
pub fn gogui_command(engine: &[String]) -> Result<Vec<String>, String> {
    let words = engine.iter().map(|word| program_word(word));
    let line = words.collect::<Result<Vec<_>, _>>()?.join(" ");
    Ok(["gogui", "-program", &line].map(str::to_owned).to_vec())
}

/// Quotes a word as GoGui splits a command line: at white space outside quotation marks, without escapes.
fn program_word(word: &str) -> Result<String, String> {
    let is_plain = !word.is_empty() && !word.contains(char::is_whitespace);
    if word.contains('"') || !is_plain && word.ends_with('\\') {
        return Err(format!(
            "{word}: GoGui reads no word with a quotation mark, and none with a blank and a backslash at its end"
        ));
    }
    Ok(match is_plain {
        true => word.to_owned(),
        false => format!("\"{word}\""),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Click;

    fn vertex(game: &str, spot: &str) -> Option<String> {
        let (name, size) = game.split_once(' ').unwrap_or((game, ""));
        let entries = [&entropy::GAME, &gobblet::GAME, &projex::GAME, &susan::GAME];
        let entry = entries.into_iter().find(|entry| entry.name == name)?;
        let mut options = kit::Options::new(entry.source.options());
        if !size.is_empty() {
            options.set("Size", Some(size)).expect("a size");
        }
        let line = kit::game_entry::PositionLine {
            fen: None,
            moves: &[],
        };
        let board = entry.source.open(&options, line).expect("a board");
        let point = Layout::new(name, board.as_ref()).ok()?.point(spot)?;
        Some(Click::At(point).to_string())
    }

    #[test]
    fn spots_lie_where_gogui_draws_them() {
        for (game, spot, expected) in [
            ("susan 5", "a1", "E9"),
            ("susan 5", "a5", "J9"),
            ("susan 5", "e1", "A5"),
            ("susan 5", "i5", "E1"),
            ("projex 6", "F1", "F10"),
            ("projex 6", "J6", "K5"),
            ("projex 6", "A10", "A1"),
            ("projex 14", "Z14", "AA13"),
            ("gobblet 3", "b2", "B2"),
            ("gobblet 3", "reserve p1 1", "D1"),
            ("gobblet 4", "reserve p2 4", "F4"),
            ("entropy", "e5", "E5"),
        ] {
            assert_eq!(vertex(game, spot).as_deref(), Some(expected), "{spot}");
        }
    }

    #[test]
    fn what_is_no_spot_has_no_point() {
        for spot in [
            "",
            "a",
            "a0",
            "z9",
            "e99",
            "a1b",
            "reserve",
            "reserve p3 1",
            "ä1",
        ] {
            for game in ["susan 4", "projex 4", "gobblet 4", "entropy"] {
                assert_eq!(vertex(game, spot), None, "{spot}");
            }
        }
    }

    /// GoGui's own splitting (`StringUtil.splitArguments` of GoGui 1.5 and 1.6).
    fn split_as_gogui_does(line: &str) -> Vec<String> {
        let (mut words, mut word) = (Vec::new(), String::new());
        let (mut is_escaped, mut is_quoted) = (false, false);
        for sign in line.chars() {
            if sign == '"' && !is_escaped {
                if is_quoted {
                    words.push(std::mem::take(&mut word));
                }
                is_quoted = !is_quoted;
            } else if sign.is_whitespace() && !is_quoted {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            } else {
                word.push(sign);
            }
            is_escaped = sign == '\\' && !is_escaped;
        }
        if !word.is_empty() {
            words.push(word);
        }
        words
    }

    #[test]
    fn gogui_reads_the_words_back() {
        let words = ["/a b/linesman", "", "it's", "name=My engine"];
        let line: Vec<String> = words
            .map(|word| program_word(word).expect("readable"))
            .to_vec();
        assert_eq!(split_as_gogui_does(&line.join(" ")), words);
        assert!(program_word("a\"b").is_err());
        assert!(program_word("ends with \\").is_err());
    }
}
