//! `--mail`: a letter is read, its game found or begun, its move taken.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kit::Side;
use referee::session::journal::read_table;
use referee::session::mail::Email;
use referee::session::{Table, TableError};
use referee::tournament::Host;

use super::plan::{Defaults, Seat, build, rules};
use super::resume;
use crate::args::PlayArgs;
use crate::plan::{parse_game, usage};
use crate::usage::Failure;

/// A letter longer than this is none.
const MAX_BYTES: u64 = 1 << 24;

/// The game that a letter is of, with its new move, and what there is to tell of it. The game is that of `--continue`, or of
/// its ledger in this folder, or else begins here as the letter tells it.
pub(crate) fn sit_down(
    args: &PlayArgs,
    path: &Path,
    host: Host,
) -> Result<(Table, Option<Side>, String), Failure> {
    let letter = read(path)?;
    let named = args.resume.clone().flatten();
    let Some(ledger) = named.or_else(|| find(&letter)) else {
        let session = begin(args, path, &letter, host)?;
        let n_moves = session.moves().len();
        return Ok((
            session,
            None,
            format!("the game is taken from the letter, with {n_moves} moves"),
        ));
    };
    let (mut session, remote) = resume::open(args, &ledger, host)?;
    match session.take_letter(&letter) {
        Ok((number, code)) => Ok((
            session,
            remote,
            format!("move {number} is taken from the letter: {code}"),
        )),
        Err(error @ TableError::Records(_)) => Err(error.into()),
        Err(why) => Err(refusal(path, &why.to_string())),
    }
}

fn refusal(path: &Path, why: &str) -> Failure {
    Failure::Trouble(format!("--mail {}: {why}", path.display()))
}

fn read(path: &Path) -> Result<Email, Failure> {
    let trouble = |error: io::Error| refusal(path, &error.to_string());
    let mut text = Vec::new();
    if path == Path::new("-") {
        io::stdin()
            .lock()
            .take(MAX_BYTES)
            .read_to_end(&mut text)
            .map_err(trouble)?;
    } else {
        let file = File::open(path).map_err(trouble)?;
        file.take(MAX_BYTES)
            .read_to_end(&mut text)
            .map_err(trouble)?;
    }
    Ok(Email::parse(&String::from_utf8_lossy(&text)))
}

/// The ledger in this folder that holds the letter's game.
fn find(letter: &Email) -> Option<PathBuf> {
    let id = letter.id.as_ref()?;
    let is_it = |path: &PathBuf| {
        let tale = read_table(path).ok().and_then(|story| story.journal);
        tale.is_some_and(|tale| tale.id == *id)
    };
    resume::ledgers().into_iter().find(is_it)
}

/// Begins the game here that a letter tells.
fn begin(args: &PlayArgs, path: &Path, letter: &Email, host: Host) -> Result<Table, Failure> {
    let tale = letter.journal().map_err(|why| refusal(path, &why))?;
    let spec = letter
        .game
        .as_deref()
        .or(args.game.as_deref())
        .unwrap_or_default();
    let game = parse_game(spec)?;
    rules(host.registry, &game)?;
    let asked = args.game.as_deref().map(parse_game).transpose()?;
    if let Some(asked) = asked.filter(|asked| asked.name != game.name) {
        return Err(usage(
            "GAME",
            &format!("the letter is of {game}: expected it, not {asked}"),
        ));
    }
    let habits = Defaults::of(args)?;
    let seats = [
        seat(&habits, "--p1", args.p1.as_deref(), letter, 0)?,
        seat(&habits, "--p2", args.p2.as_deref(), letter, 1)?,
    ];
    let plan = build(args, game, &seats, tale.opening.clone())?;
    let session = Table::begin(plan, habits.helper()?, Some(tale), host);
    session.map_err(|error| refusal(path, &error.to_string()))
}

/// Both players of a game by mail are people, unless a flag says otherwise.
fn seat(
    habits: &Defaults,
    flag: &str,
    text: Option<&str>,
    letter: &Email,
    index: usize,
) -> Result<Seat, Failure> {
    let mut seat = habits.seat(flag, text.unwrap_or("human"))?;
    if text.is_none() {
        seat.spec.name.clone_from(&letter.players[index]);
    }
    Ok(seat)
}
