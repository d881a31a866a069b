//! Challenges. A board gets its number when a challenge is made, and its game when the challenge is accepted.

use kit::Side;
use kit::fen::counted;
use kit::search::{Ladder, Level};
use record::game_spec::GameSpec;
use record::registry::Rules;
use rusqlite::params;
use table::level::{Rating, score};
use table::{CommandId, LevelChoice};

use super::{AtBoard, Board, BoardState, Work};
use crate::{
    Answer, ClubError, ENGINE_NAME, Engines, Line, User, Words, game, letter, misread, new_token,
    refuse, word, wrap,
};

/// Maximum number of games and own challenges of a user at a time.
const MAX_BOARDS: i64 = 100;

/// Maximum number of unanswered challenges of one user to another.
const MAX_CHALLENGES: i64 = 5;

/// Number of moves from which a player can no longer delete a game.
const MAX_DELETED: usize = 2;

/// Maximum days per move.
const MAX_DAYS: i64 = 60;

/// Arguments of a challenge after its game: the level of the engine, the days for each move, and the users.
type Wish<'a> = (Option<LevelChoice>, Option<i64>, Vec<&'a str>);

/// Parses words: `level=5`, `days=3`, an option of the game as `-size=5` or `Size=5`, which is added to it, or a name.
fn wish<'a>(words: Words<'a>, spec: &mut GameSpec) -> Answer<Wish<'a>> {
    let (mut level, mut days, mut names) = (None, None, Vec::new());
    for text in words {
        let Some((name, value)) = text.split_once('=') else {
            names.push(text);
            continue;
        };
        let name = name.trim_start_matches('-');
        match name.to_ascii_lowercase().as_str() {
            "level" => match value.parse() {
                Ok(choice) => level = Some(choice),
                Err(why) => return refuse!("level {}: {why}", word(value)),
            },
            "days" => match value.parse() {
                Ok(n @ 1..=MAX_DAYS) => days = Some(n),
                _ => return refuse!("days {}: choose 1 to {MAX_DAYS}", word(value)),
            },
            _ => spec.options.push((name.to_owned(), value.to_owned())),
        }
    }
    Ok((level, days, names))
}

impl Work<'_> {
    /// `challenge GAME[:Options] [level=N] [days=N] USER [USER] TOKEN`
    pub(super) fn challenge(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let challenger = self.account(line, &mut words)?;
        let mut spec = match line.game {
            Some(name) => GameSpec::new(name, []),
            None => self.game(words.next().unwrap_or_default())?,
        };
        let (wished, days, names) = wish(words, &mut spec)?;
        let rules = self.rules(&spec)?;
        let players = self.players(&challenger, &names)?;
        let opponent = players.iter().find(|player| player.id != challenger.id);
        let Some(opponent) = opponent else {
            return refuse!("you cannot play against yourself: name another user");
        };
        if wished.is_some() && rules.are_of_program() {
            return refuse!("{ENGINE_NAME} has no levels in {}", spec.name);
        }
        self.check_number_of_boards(&challenger)?;
        if !opponent.is_engine() {
            if wished.is_some() {
                return refuse!("level is for games against {ENGINE_NAME}");
            }
            if !opponent.is_reachable() {
                return refuse!("{opponent} has not confirmed their address yet");
            }
            self.refuse_unwanted(&challenger, opponent)?;
            let open = "boards WHERE state = 'open' AND challenger = ?1 AND ?2 IN (p1, p2)";
            let n_open = self.count(open, [challenger.id, opponent.id])?;
            if n_open >= MAX_CHALLENGES {
                return refuse!("{n_open} challenges to {opponent} are unanswered, the maximum");
            }
        }
        let (level, follows) = match wished {
            Some(LevelChoice::Adaptive) => (
                Some(self.adaptive_level(&rules, &challenger)?),
                format!(", by the results of {challenger}"),
            ),
            Some(LevelChoice::Fixed(level)) => (Some(level), String::new()),
            None => (None, String::new()),
        };
        let [p1, p2] = players.each_ref().map(|player| player.id);
        let (game, by) = (rules.spec().to_string(), challenger.id);
        let tokens = [new_token()?, new_token()?];
        self.db.execute(
            "INSERT INTO boards (game, state, p1, p2, challenger, token1, token2, level, days, created, since)
             VALUES (?1, 'open', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
            params![game, p1, p2, by, tokens[0], tokens[1], level, days, self.now],
        )?;
        let board = self.board(self.db.last_insert_rowid())?;
        if opponent.is_engine() {
            let level = level.map(|level| Level::new(level, rules.ladder()));
            let level = level.map(|level| format!(" {ENGINE_NAME} plays at {level}{follows}."));
            let level = level.unwrap_or_default();
            return self.begin(&board, &format!("{challenger} plays {opponent}.{level}"));
        }
        self.mail_challenge(&board, &challenger, opponent)?;
        let id = board.id;
        Ok(wrap(&format!(
            "{opponent} is challenged to {game} on board {id}, and gets an e-mail."
        )))
    }

    /// The level that follows a user's finished games of this game against the engine.
    fn adaptive_level(&self, rules: &Rules, user: &User) -> Answer<u32> {
        let ladder = rules.ladder().unwrap_or(Ladder::UNMEASURED);
        let mut rating = Rating::first(ladder);
        let games = "state = 'over' AND plies > 0 AND level IS NOT NULL AND ?1 IN (p1, p2)";
        for board in self.boards_where(games, [user.id])? {
            let played = self.rules(&board.spec()?);
            let is_same = played.is_ok_and(|played| played.is_same(rules));
            if let Some(side) = board.side_of(user.id).filter(|_| is_same)
                && let Some((record, level)) = board.record.zip(board.level)
                && let Some(score) = score(record.result, side)
            {
                rating.count(ladder, level, score);
            }
        }
        Ok(rating.level(ladder))
    }

    /// `forget TOKEN`: forgets the results that an adaptive level follows.
    pub(super) fn forget(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let user = self.account(line, &mut words)?;
        words.end("forget TOKEN")?;
        let update = "UPDATE boards SET level = NULL WHERE state = 'over' AND ?1 IN (p1, p2)";
        self.db.execute(update, [user.id])?;
        Ok("A level adaptive no longer follows your games so far.".to_owned())
    }

    /// Parses a word as a game with options.
    fn game(&self, text: &str) -> Answer<GameSpec> {
        let mut spec = GameSpec::parse(text).map_err(ClubError::Refused)?;
        self.game_named(&spec.name)?.clone_into(&mut spec.name);
        Ok(spec)
    }

    /// Returns the two players by side. The challenger begins, unless both are named in another order.
    fn players(&self, challenger: &User, names: &[&str]) -> Answer<[User; 2]> {
        match names {
            [one] => Ok([challenger.clone(), self.known_user(one)?]),
            [one, two] => {
                let players = [self.known_user(one)?, self.known_user(two)?];
                match players.iter().any(|player| player.id == challenger.id) {
                    true => Ok(players),
                    false => refuse!("{challenger} is neither of the users: name yourself as one"),
                }
            }
            _ => misread!("write challenge GAME USER TOKEN, or two users, who begins first"),
        }
    }

    fn check_number_of_boards(&self, user: &User) -> Answer<()> {
        match self.count("boards WHERE state = 'playing' AND ?1 IN (p1, p2) OR state = 'open' AND challenger = ?1", [user.id])? {
            n @ MAX_BOARDS.. => refuse!("{user} already has {n} games, the maximum"),
            _ => Ok(()),
        }
    }

    fn mail_challenge(&self, board: &Board, challenger: &User, opponent: &User) -> Answer<()> {
        let Some(side) = board.side_of(opponent.id) else {
            return Ok(());
        };
        let token = board.token(side);
        let Board { id, game, .. } = board;
        let days = board.days.map_or_else(String::new, |days| {
            format!(", with {} for each move", counted(days as usize, "day"))
        });
        let first = board.name(Side::P1);
        let news = format!(
            "{challenger} challenges you to a game of {game} on board {id}{days}. {first} begins."
        );
        let body = letter(
            &[
                &format!("Hello {opponent},"),
                &news,
                "Reply to this e-mail with the word accept or decline, or send one of these commands:",
            ],
            &[
                &format!("accept {id} {opponent} {token}"),
                &format!("decline {id} {opponent} {token}"),
                &format!("help {}", board.game_name()),
            ],
            token,
        );
        let news = format!("{challenger} challenges you");
        self.post_about(board, opponent, &news, body)
    }

    /// `accept BOARD TOKEN` or `accept BOARD USER TOKEN`: accepts a challenge or the opponent's proposal.
    pub(super) fn accept(&mut self, line: &Line) -> Answer<String> {
        let at = self.seat_of_answer(line)?;
        if at.board.state == BoardState::Playing {
            return self.act(&at, CommandId::Accept);
        }
        let AtBoard { board, user, .. } = at;
        if board.state != BoardState::Open {
            return refuse!("board {} is no longer a challenge", board.id);
        }
        if board.challenger == user.id {
            return refuse!("it is your own challenge: only the opponent can accept it");
        }
        self.check_number_of_boards(&user)?;
        self.begin(&board, &format!("{user} accepts the challenge."))
    }

    /// `decline BOARD TOKEN` or `decline BOARD USER TOKEN`: declines or withdraws a challenge, or declines the
    /// opponent's proposal.
    pub(super) fn decline(&mut self, line: &Line) -> Answer<String> {
        let at = self.seat_of_answer(line)?;
        match at.board.state {
            BoardState::Playing => self.act(&at, CommandId::Decline),
            BoardState::Open => self.call_off(&at, "declines"),
            _ => refuse!("board {} is no longer a challenge", at.board.id),
        }
    }

    /// `delete BOARD USER TOKEN`: deletes a challenge, or a game that has hardly begun; for the host, any game in play.
    pub(super) fn delete_board(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        words.end("delete BOARD USER TOKEN")?;
        at.check_explicit("delete")?;
        let (id, plies) = (at.board.id, at.board.plies);
        if !matches!(at.board.state, BoardState::Open | BoardState::Playing) {
            return refuse!("board {id} is no game in play");
        }
        if plies >= MAX_DELETED && !self.is_host() {
            return refuse!(
                "board {id} has {plies} moves, too many to delete it: write resign or draw"
            );
        }
        self.call_off(&at, "deletes")
    }

    /// Ends a challenge or a game without a result, and mails the opponent. `verb` is `declines` or `deletes`.
    fn call_off(&mut self, at: &AtBoard, verb: &str) -> Answer<String> {
        let AtBoard { board, user, .. } = at;
        let update = "UPDATE boards SET state = 'declined' WHERE id = ?1";
        self.db.execute(update, [board.id])?;
        let other = self.user(board.players[at.side.other().index()])?;
        let (game, id) = (&board.game, board.id);
        let body = format!("{user} {verb} the game of {game} on board {id}.\n");
        self.post_about(board, &other, &format!("{user} {verb}"), body)?;
        Ok(format!("The game on board {id} is called off."))
    }

    /// Parses `BOARD USER TOKEN`, or `BOARD TOKEN` with the account token.
    fn seat_of_answer(&mut self, line: &Line) -> Answer<AtBoard> {
        let mut words = Words::new(&line.rest);
        let mut left = words;
        let board = self.named_board(line, &mut left)?;
        let last = left.rest();
        let form = format!("{} BOARD TOKEN", line.word);
        let is_single = last.split_whitespace().count() == 1;
        if is_single && (self.is_host() || self.find_user(last)?.is_none()) {
            let user = self.account(line, &mut left)?;
            left.end(&form)?;
            return AtBoard::new(board, user, true);
        }
        let at = self.seat(line, &mut words)?;
        words.end(&form)?;
        Ok(at)
    }

    /// Begins the game of a board.
    fn begin(&mut self, board: &Board, news: &str) -> Answer<String> {
        let spec = board.spec()?;
        let file = Board::file(&spec.name, board.id);
        let lines = game::begin(spec, &board.names, board.level, &file, self.host.registry)?;
        self.add_lines(board.id, &lines)?;
        let update = "UPDATE boards SET state = 'playing', since = ?2 WHERE id = ?1";
        self.db.execute(update, params![board.id, self.now])?;
        let board = self.board(board.id)?;
        let open = self.open(&board, Engines::Held)?;
        self.finish(&board, open, &format!("{news} {} begins.", board.mover()))?;
        Ok(String::new())
    }
}
