//! The table for users of fastchess and cutechess-cli: every option of these programs is in it, and its commands work.

use crate::support::{Folder, SCRIPTED};

const PAGE: &str = include_str!("../../spec/match.md");

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

/// The rows of the table: their words and ours.
fn rows() -> Vec<[&'static str; 2]> {
    let (_, table) = PAGE.split_once("| theirs | ours |\n").expect("the table");
    let rows = table.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.split(" | ").collect();
        let [theirs, ours] = cells.as_slice() else {
            panic!("two cells: {line}");
        };
        Some([*theirs, ours.trim_end_matches(" |")])
    });
    rows.filter(|[theirs, _]| !matches!(*theirs, "theirs" | "---"))
        .collect()
}

/// The texts between backticks.
fn spans(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn every_option_of_theirs_has_a_row() {
    let options = FASTCHESS
        .split_whitespace()
        .chain(CUTECHESS.split_whitespace());
    for option in options {
        let is_listed = |[theirs, _]: &[&str; 2]| {
            let words = spans(theirs).flat_map(|span| span.split([' ', '[', ']']));
            let mut words = words.filter(|word| !word.is_empty());
            words.any(|word| {
                word == option || (option.ends_with(['=', '.']) && word.starts_with(option))
            })
        };
        assert!(rows().iter().any(is_listed), "{option} is missing");
    }
}

/// Flags are completed to a match that is not played; commands run as they are.
#[test]
fn what_is_said_to_work_works() {
    let folder = Folder::new("from-fastchess");
    let write = |name: &str, text: &str| folder.write(name, text);
    write("book.txt", "startpos moves e5\nstartpos moves a1\n");
    write("tree.txt", "e5\n  a1\n  b2 2\n");
    write("match.toml", "game = 'susan'\ngames = 2\n");
    std::fs::create_dir_all(folder.path("config/linesman")).expect("a new folder");
    let engines = format!("[[engine]]\nname = 'Mine'\ncmd = '{SCRIPTED}'\n");
    write("config/linesman/engines.toml", &engines);
    let begin = "match susan --games 2 --each nodes=50 --ledger l.jsonl --pgn games.pgn";
    folder.linesman(begin).exits(0);
    let command = |span: &str| match span.strip_prefix("linesman ") {
        None if span.starts_with("--") && span != "--games" && span != "--only" => {
            Some(format!("match susan {span} --dry-run"))
        }
        words => words.map(str::to_owned),
    };
    let mut n_run = 0;
    for [theirs, ours] in rows() {
        let commands: Vec<String> = spans(ours).filter_map(command).collect();
        let is_explained = ours.starts_with("no flag: ") || ours.starts_with("no word: ");
        assert!(
            !commands.is_empty() || is_explained,
            "{theirs}: expected a command, or the reason that there is none"
        );
        for words in commands {
            folder.linesman(&words).exits(0);
            n_run += 1;
        }
    }
    assert!(n_run > 60, "{n_run}");
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
        let done = folder.linesman(&format!("match susan {flag} 3")).exits(2);
        let is_told = [": Linesman has ", ": write --"]
            .iter()
            .any(|told| done.stderr.contains(&format!("unknown flag {flag}{told}")));
        assert!(is_told, "{flag}: {}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{flag}: {}", done.stderr);
    }
}
