//! The page for users of fastchess and cutechess-cli: every option of these programs is on it, and its commands work.

use crate::support::{Folder, SCRIPTED};

const PAGE: &str = include_str!("../../spec/from-fastchess.md");

/// All options and tournament types in fastchess's man page.
const FASTCHESS: &str = "-version -help -quick -concurrency -force-concurrency -rounds -games -repeat -sprt model= \
    roundrobin gauntlet -seeds -variant -noswap -reverse -wait -each -engine cmd= name= args= tc= timemargin= st= nodes= \
    restart= plies= proto= dir= option. -draw movenumber= movecount= score= -resign twosided= -maxmoves -tb -tbpieces \
    -tbignore50 -tbadjudicate -openings format=epd format=pgn order= plies= start= -srand format=fastchess \
    format=cutechess -pgnout notation= append= nodes= seldepth= nps= hashfull= tbhits= pv= timeleft= latency= min \
    match_line= -epdout -event -site -ratinginterval -scoreinterval -report -config discard= outname= stats= -recover \
    -autosaveinterval --compliance -crc32 -check-mate-pvs -show-latency -testEnv -strict -log level= compress= realtime= \
    engine= -use-affinity -startup-ms -ucinewgame-ms -ping-ms";

/// All options and tournament types in cutechess-cli's man page.
const CUTECHESS: &str = "-engine -each -variant -concurrency -draw -resign -maxmoves -tb -tbpieces -tbignore50 gauntlet \
    knockout pyramid -event -games -rounds -sprt -ratinginterval -outcomeinterval -debug -openings policy= -bookmode \
    -pgnout min fi -epdout -recover -repeat -noswap -reverse -seeds -site -srand -wait -resultformat -version -help \
    -engines conf= name= cmd= dir= stderr= proto= tc= tc=inf option. arg= initstr= restart= trust st= timemargin= book= \
    bookdepth= whitepov ponder depth= nodes= tscale= debug";

/// The cells of the table rows: their option, the program that has it, ours.
fn rows() -> Vec<[&'static str; 3]> {
    let rows = PAGE.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.split(" | ").collect();
        let [theirs, of, here] = cells.as_slice() else {
            panic!("three cells: {line}");
        };
        Some([*theirs, *of, here.trim_end_matches(" |")])
    });
    rows.filter(|[theirs, ..]| !matches!(*theirs, "theirs" | "---"))
        .collect()
}

/// The texts between backticks.
fn spans(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_option_of_theirs_has_a_row() {
    for (whose, options) in [("fastchess", FASTCHESS), ("cutechess-cli", CUTECHESS)] {
        for option in options.split_whitespace() {
            let is_told = |[theirs, of, _]: &[&str; 3]| {
                let words = spans(theirs).flat_map(|span| span.split([' ', '[', ']']));
                let mut words = words.filter(|word| !word.is_empty());
                let holds = |word: &str| {
                    word == option || (option.ends_with(['=', '.']) && word.starts_with(option))
                };
                (*of == "both" || *of == whose) && words.any(holds)
            };
            assert!(rows().iter().any(is_told), "{option} of {whose} is missing");
        }
    }
}

#[test]
fn what_is_said_to_work_works() {
    let folder = Folder::new("from-fastchess");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path(name), text).expect("a new file");
    write("book.txt", "startpos moves e5\nstartpos moves a1\n");
    write("tree.txt", "e5\n  a1\n  b2 2\n");
    write("match.toml", "game = 'susan'\ngames = 2\n");
    std::fs::create_dir_all(folder.path("config/linesman")).expect("a new folder");
    let engines = format!("[[engine]]\nname = 'Mine'\ncmd = '{SCRIPTED}'\n");
    write("config/linesman/engines.toml", &engines);
    let begin = "match susan --games 2 --each nodes=50 --ledger l.jsonl --pgn games.pgn";
    assert_eq!(folder.linesman(begin).done().status, Some(0));
    let mut n_run = 0;
    for [theirs, _, here] in rows() {
        let commands = spans(here).filter_map(|span| span.strip_prefix("linesman "));
        let commands: Vec<&str> = commands
            .filter(|words| words.contains(' ') || words.starts_with("--"))
            .collect();
        assert!(
            !commands.is_empty()
                || here.starts_with("Nothing")
                || here.starts_with("`linesman engines`"),
            "{theirs}: expected a command, or Nothing"
        );
        for words in commands {
            let done = folder.linesman(words).done();
            assert_eq!(done.status, Some(0), "{theirs}: {words}: {}", done.stderr);
            n_run += 1;
        }
    }
    assert!(n_run > 60, "{n_run}");
    assert_eq!(folder.linesman("engines").done().status, Some(0));
}

/// An option of theirs used as a flag leads to ours: either it is the same, or the error names ours.
#[test]
fn flags_of_theirs_are_explained() {
    let folder = Folder::new("from-flags");
    let flags = FASTCHESS
        .split_whitespace()
        .chain(CUTECHESS.split_whitespace());
    for flag in
        flags.filter(|word| word.starts_with('-') && *word != "-help" && *word != "-version")
    {
        let done = folder.linesman(&format!("match susan {flag} 3")).done();
        assert_eq!(done.status, Some(2), "{flag}: {}", done.stderr);
        let is_told = done
            .stderr
            .contains(&format!("unknown flag {flag}: expected "));
        assert!(is_told, "{flag}: {}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{flag}: {}", done.stderr);
    }
}

/// A line of theirs is played as it is; or Linesman's command is shown, with a line for each difference.
#[test]
fn a_command_line_of_theirs() {
    let folder = Folder::new("from-line");
    let theirs = "-variant susan -engine cmd=SCRIPTED name=A -engine cmd=SCRIPTED name=B -each proto=ugi tc=10 -rounds 1 -repeat -pgnout file=g.pgn";
    let done = folder.linesman(&format!("fastchess {theirs}")).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(done.lines("Finished game").len(), 2, "{:?}", done.stdout);
    assert!(folder.read("g.pgn").contains("[White \"A\"]"));
    let done = folder
        .linesman(&format!("fastchess {theirs} -wait 5 -tb x"))
        .done();
    assert_eq!(done.status, Some(2));
    assert!(
        done.stdout[0].starts_with("linesman match susan --engine"),
        "{:?}",
        done.stdout
    );
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("error: -wait: ") && lines[1].starts_with("error: -tb: "),
        "{lines:?}"
    );
    // The command that is shown is sound.
    let shown = done.stdout[0].replacen("linesman", "LINESMAN", 1);
    let done = folder.shell(&format!("{shown} --dry-run")).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for (words, first) in [
        ("--print-command", "linesman match susan"),
        ("--dry-run", "Game 1"),
    ] {
        let done = folder
            .linesman(&format!(
                "cutechess {words} -engine cmd=SCRIPTED -each tc=9 -variant susan"
            ))
            .done();
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        assert!(done.stdout[0].starts_with(first), "{:?}", done.stdout);
        // At the end, they could be options of theirs.
        let done = folder.linesman(&format!("cutechess -variant susan {words}"));
        let why = format!("error: {words}: left out: expected before the other program's");
        let done = done.done();
        assert!(done.stderr.contains(&why), "{}", done.stderr);
    }
}

/// Their words among Linesman's lead to a hint, and nothing is written.
#[test]
fn words_of_theirs_are_explained() {
    let folder = Folder::new("from-words");
    for (words, hint) in [
        ("--pgn file=out.pgn", "expected --pgn out.pgn"),
        ("--log file=l level=trace", "expected --log l"),
        ("--openings file=o format=epd", "expected no format"),
        ("--engine cmd=builtin --dry-run", "expected builtin alone"),
    ] {
        let done = folder.linesman(&format!("match susan {words}")).done();
        assert_eq!(done.status, Some(2), "{words}");
        assert!(done.stderr.contains(hint), "{words}: {}", done.stderr);
    }
    assert!(!folder.path("file=out.pgn").exists());
}
