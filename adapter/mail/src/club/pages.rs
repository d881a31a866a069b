//! The club's pages: boards, the games of a user and the standings, for all readers and without changes.

use std::fmt::Write;

use kit::View;
use kit::diagram::svg::{self, Theme, escape};
use rusqlite::TransactionBehavior;

use super::Club;
use super::board::{Board, BoardState};
use super::work::Work;
use crate::error::{Answer, ClubError, refuse};
use crate::game::Engines;
use crate::script::Line;
use crate::store;

/// Maximum number of finished games in a list.
const MAX_LISTED: usize = 200;

const STYLE: &str = include_str!("pages.css");

/// A page of the club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Status of HTTP: 200 or 404.
    pub status: u16,
    /// The page.
    pub html: String,
}

impl Club {
    /// Returns the page at a path, as in `/board/12`.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn page(&mut self, path: &str, now: i64) -> Result<Page, ClubError> {
        let tx = self
            .db
            .transaction_with_behavior(TransactionBehavior::Deferred)?;
        let mut work = Work::new(&tx, &self.host, now)?;
        let base = store::get_or_empty(&tx, "url")? + "/";
        let (status, title, body) = match work.page(path) {
            Ok((title, body)) => (200, title, body),
            Err(ClubError::Refused(why)) => (
                404,
                "Not found".to_owned(),
                format!("<p>{}</p>", escape(&why)),
            ),
            Err(error) => return Err(error),
        };
        let (title, base) = (escape(&title), escape(&base));
        Ok(Page {
            status,
            html: format!(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
                 <meta name=\"viewport\" content=\"width=device-width\">\n<base href=\"{base}\">\n\
                 <title>{title}</title>\n<style>\n{STYLE}</style>\n\
                 <nav><a href=\".\">Games</a><a href=\"finished\">Finished games</a><a href=\"standings\">Standings</a>\
                 </nav>\n<h1>{title}</h1>\n{body}\n</html>\n"
            ),
        })
    }

    /// Sets the address of the club's pages, which e-mails then contain; none if it is empty.
    ///
    /// # Errors
    /// It is not an address of HTTP, or the store cannot be used.
    pub fn set_url(&mut self, url: &str) -> Result<(), ClubError> {
        let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '?' | '#');
        let is_http = ["http://", "https://"].iter().any(|scheme| {
            let rest = url.strip_prefix(scheme);
            rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_plain))
        });
        if !url.is_empty() && !is_http {
            let why = format!("{url:?}: expected an address, as in https://games.example.org");
            return Err(ClubError::Other(why));
        }
        Ok(store::set(&self.db, "url", url.trim_end_matches('/'))?)
    }
}

impl Work<'_> {
    /// Returns the title and the body of a page.
    fn page(&mut self, path: &str) -> Answer<(String, String)> {
        let path = decode(path);
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        match parts[..] {
            [""] => {
                let boards = self.boards_where("state = 'playing'", [])?;
                Ok((format!("Games of {}", self.own), self.list(&boards, None)))
            }
            ["finished"] => {
                let boards = self.boards_where("state = 'over'", [])?;
                Ok(("Finished games".to_owned(), self.latest(&boards)))
            }
            ["standings"] => self.standings_page(""),
            ["standings", game] => self.standings_page(game),
            ["user", name] => {
                let user = self.known_user(name)?;
                let open = self.open_boards(user.id)?;
                let over = "state = 'over' AND (p1 = ?1 OR p2 = ?1)";
                let over = self.boards_where(over, [user.id])?;
                let lists = [self.list(&open, Some(&user.name)), self.latest(&over)];
                let body = format!("{}\n<h2>Finished games</h2>\n{}", lists[0], lists[1]);
                Ok((format!("Games of {}", user.name), body))
            }
            ["board", id] => self.board_page(id, None),
            ["board", id, number] => self.board_page(id, Some(number)),
            _ => refuse!("there is no such page"),
        }
    }

    /// A list of boards with links; `of` is the user whose name needs no link.
    fn list(&self, boards: &[Board], of: Option<&str>) -> String {
        if boards.is_empty() {
            return "<p>None.</p>".to_owned();
        }
        let mut html = "<ul>\n".to_owned();
        for board in boards {
            let summary = self.summary(board);
            let summary: Vec<&str> = summary.split_whitespace().collect();
            let summary = escape(&summary.join(" "));
            let names = board.names.iter().filter(|name| of != Some(name));
            let names: String = names.map(|name| format!(" {}", user_link(name))).collect();
            let _ = writeln!(
                html,
                "<li><a href=\"board/{}\">{summary}</a>{names}",
                board.id
            );
        }
        html + "</ul>"
    }

    /// The latest of these boards, the last one first.
    fn latest(&self, boards: &[Board]) -> String {
        let latest: Vec<Board> = boards.iter().rev().take(MAX_LISTED).cloned().collect();
        self.list(&latest, None)
    }

    fn standings_page(&mut self, game: &str) -> Answer<(String, String)> {
        let line = Line {
            rest: game.to_owned(),
            ..Line::default()
        };
        let links: String = self
            .games()
            .iter()
            .map(|game| format!("<a href=\"standings/{game}\">{game}</a>"))
            .collect();
        let texts = [self.standings(&line)?, self.ratings(&line)?];
        let texts = texts.map(|text| format!("<pre>{}</pre>", escape(&text)));
        Ok((
            "Standings".to_owned(),
            format!("<nav>{links}</nav>\n{}", texts.concat()),
        ))
    }

    /// The board after a move, by default the last one.
    fn board_page(&self, id: &str, number: Option<&str>) -> Answer<(String, String)> {
        let Ok(id) = id.parse() else {
            return refuse!("there is no such board");
        };
        let board = self.board(id)?;
        let names = board.names.join(" - ");
        let title = format!("{} {}: {names}", board.game, board.id);
        let links: String = board
            .names
            .iter()
            .map(|name| user_link(name) + " ")
            .collect();
        let mut html = format!("<p>{}</p>\n<p>{links}</p>\n", escape(&self.summary(&board)));
        if matches!(board.state, BoardState::Open | BoardState::Declined) {
            return Ok((title, html));
        }
        let closed = self.open(&board, Engines::Held)?.close()?;
        let snapshot = &closed.snapshot;
        let book = snapshot.opening.moves.iter().map(String::as_str);
        let codes = book.chain(snapshot.tree.line().map(|ply| ply.code.as_str()));
        let codes: Vec<&str> = codes.collect();
        let last = codes.len();
        let shown = number.map_or(Some(last), |number| number.parse().ok());
        let Some(shown) = shown.filter(|shown| *shown <= last) else {
            return refuse!("board {id} has only {last} moves");
        };
        let position = self.position(&board, snapshot, Some(shown))?;
        html += &svg::write(&position.diagram(View::default()), Theme::Auto);
        let link = |at: usize, text: &str, mark: &str| {
            format!("<a href=\"board/{id}/{at}\"{mark}>{text}</a>\n")
        };
        html += "\n<nav>";
        html += &link(0, "Start", "");
        html += &link(shown.saturating_sub(1), "Back", "");
        html += &link((shown + 1).min(last), "Forward", "");
        html += &link(last, "End", "");
        html += "</nav>\n<p class=\"moves\">";
        for (code, number) in codes.iter().zip(1..) {
            let mark = if number == shown {
                " aria-current=\"true\""
            } else {
                ""
            };
            html += &link(number, &format!("{number}. {}", escape(code)), mark);
        }
        let notes = self.notes(board.id)?;
        let _ = write!(html, "</p>\n<pre>{}</pre>", escape(notes.trim_start()));
        Ok((title, html))
    }

    /// The line of an e-mail with the address of the board's page, if the club has pages.
    pub(super) fn board_link(&self, board: &Board) -> Answer<String> {
        let url = store::get_or_empty(self.db, "url")?;
        Ok(match url.is_empty() {
            true => String::new(),
            false => format!("\n\nOn the web: {url}/board/{}", board.id),
        })
    }
}

/// The link to the page of a user.
fn user_link(name: &str) -> String {
    let address: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("<a href=\"user/{address}\">{}</a>", escape(name))
}

/// Decodes `%` and two hex digits in a path. Invalid UTF-8 is replaced.
fn decode(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
