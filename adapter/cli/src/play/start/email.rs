//! `--mail`: reads an e-mail, finds or creates its game and plays its turn. A text of any other kind may contain
//! boards and moves.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use referee::host::Host;
use table::email::Email;
use table::figure::{FigureReader, recognise};
use table::journal::read_table;
use table::{TableError, open};

use super::arguments::{self, Defaults, SeatArgs};
use super::begun::{Begun, Opening, open_socket, setup};
use super::ledgers::ledgers;
use super::{new_table, resume};
use crate::args::{PlayArgs, TableArgs};
use crate::game_name::{ANY_WITH_RULES, missing_game, parse_game, rules};
use crate::platform::CaughtSignals;
use crate::play::text::count;
use crate::usage::{Failure, usage};

/// Maximum number of bytes read of an e-mail.
const MAX_BYTES: u64 = 1 << 24;

/// Opens the table of an e-mail's game: that of `--continue`, or of the ledger in this folder with its id, or else a
/// new one with the moves in the e-mail. Of a mailbox with letters of Linesman, the one with the most moves counts; other
/// letters are read as one text.
pub(crate) fn begin(args: &PlayArgs, path: &Path, host: Host) -> Result<Begun, Failure> {
    let letters = mail::letters(&read(path)?);
    let of_linesman = |letter: &&String| Email::parse(letter).id.is_some();
    let last = letters.iter().filter(of_linesman).max_by_key(|letter| {
        let email = Email::parse(letter);
        let numbers = email
            .quoted
            .iter()
            .chain(&email.new)
            .map(|(number, _)| *number);
        numbers.max()
    });
    let named = args.resume.clone().flatten();
    let text = last.cloned().unwrap_or_else(|| letters.join("\n\n"));
    let email = Email::parse(&text);
    if named.is_none() && last.is_none() {
        return begin_from_text(args, path, text, host);
    }
    match named.or_else(|| find(&email)) {
        None => begin_new(args, path, &text, &email, host),
        Some(ledger) => Ok(Begun {
            opening: Opening::Email(text),
            ..resume::open(args, &ledger, host)?
        }),
    }
}

/// Starts a game between two people from a text without an e-mail of Linesman; the console asks for missing details. If
/// no game is named, it is the one whose boards and moves are in the text.
fn begin_from_text(
    args: &PlayArgs,
    path: &Path,
    text: String,
    host: Host,
) -> Result<Begun, Failure> {
    let game = match &args.game {
        Some(game) => game.clone(),
        None => recognise(host.registry, &text)
            .map_err(|why| refusal(path, &why))?
            .to_string(),
    };
    let rules = rules(host.registry, &parse_game(&game, host.registry)?)?;
    let mut reader = FigureReader::new(rules.entry(), rules.options());
    reader.push_text(&text);
    if !reader.has_games() && !reader.has_rows() {
        let why = format!(
            "it quotes no e-mail of Linesman, and contains no board and no moves of {game}"
        );
        return Err(refusal(path, &why));
    }
    let people_unless = |named: &[String]| match named {
        [] => vec!["human".to_owned()],
        named => named.to_vec(),
    };
    let people = PlayArgs {
        game: Some(game),
        mail: None,
        resume: None,
        table: TableArgs {
            p1: people_unless(&args.table.p1),
            p2: people_unless(&args.table.p2),
            ..args.table.clone()
        },
        ..args.clone()
    };
    Ok(Begun {
        opening: Opening::Figure(text),
        ..new_table::begin(&people, host, false)?
    })
}

/// An error that names the e-mail's file.
pub(crate) fn refusal(path: &Path, why: &str) -> Failure {
    Failure::Trouble(format!("--mail {}: {why}", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let is_read = if path == Path::new("-") {
        io::stdin().lock().take(MAX_BYTES).read_to_end(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut text))
    };
    is_read.map_err(|error| refusal(path, &error.to_string()))?;
    Ok(text)
}

/// The ledger in this folder with the e-mail's game.
fn find(email: &Email) -> Option<PathBuf> {
    let id = email.id.as_ref()?;
    let is_it = |path: &PathBuf| {
        let journal = read_table(path).ok().and_then(|saved| saved.journal);
        journal.is_some_and(|journal| journal.id == *id)
    };
    ledgers().into_iter().find(is_it)
}

/// Creates the game that an e-mail describes.
fn begin_new(
    args: &PlayArgs,
    path: &Path,
    text: &str,
    email: &Email,
    host: Host,
) -> Result<Begun, Failure> {
    if args.listen.is_some() {
        return Err(arguments::no_guest());
    }
    let server = open_socket(args, None)?;
    let journal = email.journal().map_err(|why| refusal(path, &why))?;
    let spec = email.game.as_deref().or(args.game.as_deref());
    let spec = spec.ok_or_else(|| missing_game(host.registry, ANY_WITH_RULES))?;
    let game = parse_game(spec, host.registry)?;
    rules(host.registry, &game)?;
    let asked = args.game.as_deref();
    let asked = asked.map(|text| parse_game(text, host.registry));
    let asked = asked.transpose()?;
    if let Some(asked) = asked.filter(|asked| asked.name != game.name) {
        let why = format!("the e-mail is from a game of {game}: expected this game, not {asked}");
        return Err(usage("GAME", &why));
    }
    let defaults = Defaults::of(&args.table)?;
    let seats = [
        side(&defaults, "--p1", &args.table.p1, email, 0)?,
        side(&defaults, "--p2", &args.table.p2, email, 1)?,
    ];
    let plan = arguments::plan(
        &args.table,
        game,
        &seats,
        journal.opening.clone(),
        host.registry,
    )?;
    let n_moves = journal.opening.moves.len() + journal.tree.n_nodes() - 1;
    let note = format!(
        "the game was read from the e-mail, with {}",
        count(n_moves, "move")
    );
    let helper = defaults.helper()?;
    let signals = CaughtSignals::catch()?;
    let setup = setup(&args.table, plan, helper, Some(journal), Vec::new(), host);
    let table = open(setup.clone());
    Ok(Begun {
        signals,
        table: table.map_err(|error: TableError| refusal(path, &error.to_string()))?,
        setup,
        server,
        opening: match email.ends_otherwise() {
            true => Opening::Email(text.to_owned()),
            false => Opening::Told(note),
        },
    })
}

/// The players of a side: by default a person.
fn side(
    defaults: &Defaults,
    flag: &str,
    texts: &[String],
    email: &Email,
    index: usize,
) -> Result<Vec<SeatArgs>, Failure> {
    let mut seats = arguments::side(defaults, flag, texts, "human")?;
    if texts.is_empty() {
        seats[0].spec.name.clone_from(&email.players[index]);
    }
    Ok(seats)
}
