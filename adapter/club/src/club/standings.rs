//! Standings and ratings of the finished games.

use std::fmt::Write;

use record::game::GameRecord;
use record::stats::{Summary, Tally, Wdl};

use super::work::Work;
use crate::error::Answer;
use crate::script::{Line, Words};

/// Width of the column with names.
const NAME: usize = 20;

impl Work<'_> {
    /// `standings [GAME]`
    pub(super) fn standings(&mut self, line: &Line) -> Answer<String> {
        let (title, records) = self.finished(line)?;
        let mut tally = Tally::default();
        for record in &records {
            tally.count(record);
        }
        if tally.rows.is_empty() {
            return Ok(format!("{title}: no finished games."));
        }
        tally
            .rows
            .sort_by(|a, b| b.total().score().total_cmp(&a.total().score()));
        let mut text = format!(
            "{title}:\n\n{:NAME$}  points  games    won  drawn   lost\n",
            ""
        );
        for row in &tally.rows {
            let (name, total) = (&row.name, row.total());
            let (score, games) = (total.score(), total.games());
            let Wdl {
                wins,
                draws,
                losses,
            } = total;
            let _ = writeln!(
                text,
                "{name:NAME$}  {score:>6}  {games:>5}  {wins:>5}  {draws:>5}  {losses:>5}"
            );
        }
        Ok(text)
    }

    /// `ratings [GAME]`
    pub(super) fn ratings(&mut self, line: &Line) -> Answer<String> {
        let (title, records) = self.finished(line)?;
        if records.is_empty() {
            return Ok(format!("{title}: no finished games."));
        }
        let mut summary = Summary::new(&[], None);
        for record in &records {
            summary.count(record);
        }
        let ratings = summary.ratings();
        let mut text = format!(
            "{title}, Elo above the mean of all players, with 95 % confidence:\n\n{:NAME$}     Elo      +/-  games\n",
            ""
        );
        for player in &ratings.players {
            let (elo, error) = (player.elo.value, player.elo.error);
            let error = match error.is_finite() && error < 9999.0 {
                true => format!("{error:.0}"),
                false => "-".to_owned(),
            };
            let _ = writeln!(
                text,
                "{:NAME$}  {elo:>+6.0}  {error:>7}  {:>5}",
                player.name, player.games
            );
        }
        Ok(text)
    }

    /// Returns the finished games of one game, or of all, with a title.
    fn finished(&mut self, line: &Line) -> Answer<(String, Vec<GameRecord>)> {
        let mut words = Words::new(&line.rest);
        self.skip_token(&mut words)?;
        let game = match words.next() {
            Some(text) => Some(self.game_named(text)?),
            None => line.game,
        };
        words.end(&format!("{} GAME", line.word))?;
        let boards = self.boards_where("state = 'over'", [])?;
        let wanted = boards
            .into_iter()
            .filter(|board| game.is_none_or(|game| board.game_name() == game));
        let records = wanted.filter_map(|board| board.record).collect();
        Ok((game.unwrap_or("all games").to_owned(), records))
    }
}
