//! Standings and ratings of the finished games.

use record::stats::{Rating, Report, Row, Summary};

use super::work::Work;
use crate::error::Answer;
use crate::script::{Line, Words};

/// Width of the column with names.
const NAME: usize = 20;

impl Work<'_> {
    /// `standings [GAME]`, `ratings [GAME]`
    pub(super) fn standings(&mut self, line: &Line) -> Answer<String> {
        let (title, report) = self.finished(line)?;
        let mut rows = report.tally.rows;
        if rows.is_empty() {
            return Ok(format!("{title}: no finished games."));
        }
        let (about, head, lines): (_, _, Vec<String>) = match line.word {
            "ratings" => (
                ", Elo above the mean of all players, with 95 % confidence",
                "     Elo      +/-  games",
                report.ratings.players.iter().map(rating).collect(),
            ),
            _ => {
                rows.sort_by(|a, b| b.total().score().total_cmp(&a.total().score()));
                let head = "  points  games    won  drawn   lost";
                ("", head, rows.iter().map(standing).collect())
            }
        };
        let lines = lines.join("\n");
        Ok(format!("{title}{about}:\n\n{:NAME$}{head}\n{lines}\n", ""))
    }

    /// Returns the statistics of the finished games of one game, or of all, with a title.
    fn finished(&mut self, line: &Line) -> Answer<(String, Report)> {
        let mut words = Words::new(&line.rest);
        self.skip_token(&mut words)?;
        let game = match words.next() {
            Some(text) => Some(self.game_named(text)?),
            None => line.game,
        };
        words.end(&format!("{} GAME", line.word))?;
        let mut summary = Summary::new(&[], None);
        for board in self.boards_where("state = 'over'", [])? {
            let is_wanted = game.is_none_or(|game| board.game_name() == game);
            if let Some(record) = board.record.filter(|_| is_wanted) {
                summary.count(&record);
            }
        }
        Ok((game.unwrap_or("all games").to_owned(), summary.report()))
    }
}

fn standing(row: &Row) -> String {
    let (name, total) = (&row.name, row.total());
    let (score, games) = (total.score(), total.games());
    let (wins, draws, losses) = (total.wins, total.draws, total.losses);
    format!("{name:NAME$}  {score:>6}  {games:>5}  {wins:>5}  {draws:>5}  {losses:>5}")
}

fn rating(player: &Rating) -> String {
    let (name, elo, games) = (&player.name, player.elo.value, player.games);
    let error = match player.elo.error {
        error if error < 9999.0 => format!("{error:.0}"),
        _ => "-".to_owned(),
    };
    format!("{name:NAME$}  {elo:>+6.0}  {error:>7}  {games:>5}")
}
