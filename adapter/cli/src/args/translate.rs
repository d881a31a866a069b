//! Command lines of fastchess and cutechess-cli as arguments of `linesman match`.

use clap::Args;

use super::foreign::hint;
use crate::engines::words::quote;

/// The arguments of `fastchess` and `cutechess`.
#[derive(Debug, Args)]
pub(crate) struct ForeignArgs {
    /// Show the command of Linesman instead of running it
    #[arg(long)]
    pub(crate) print_command: bool,

    /// Show the schedule without playing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// The arguments of the other program
    #[arg(
        value_name = "ARGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) words: Vec<String>,
}

/// The program whose command line is translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    Fastchess,
    Cutechess,
}

/// A translated command line.
#[derive(Debug, Default)]
pub(crate) struct Translation {
    /// The words after `linesman match`.
    pub(crate) words: Vec<String>,
    /// Differences from the other program, each with its word.
    pub(crate) differences: Vec<String>,
}

impl Translation {
    /// The command, quoted for a shell.
    pub(crate) fn command(&self) -> String {
        let words = self.words.iter().map(|word| quote(word.clone()));
        let words: Vec<String> = ["linesman", "match"]
            .map(str::to_owned)
            .into_iter()
            .chain(words)
            .collect();
        words.join(" ")
    }
}

/// Words of an engine that have no counterpart, with the reason.
const WITHOUT_COUNTERPART: &[(&str, &str)] = &[
    ("initstr", "option.NAME= sets an option"),
    (
        "tscale",
        "--startup-ms and --ping-ms set the timeouts directly",
    ),
    ("whitepov", "scores are for the side to move"),
    ("debug", "the protocol has no such command"),
    (
        "book",
        "--openings book=FILE gives the same book to all engines, in Linesman's format",
    ),
    ("bookdepth", "--openings book=FILE plies=N"),
];

/// Options whose effect is Linesman's default, or that affect nothing here.
const DEFAULTS: &[&str] = &[
    "recover",
    "force-concurrency",
    "autosaveinterval",
    "bookmode",
];

/// A translation in progress.
struct Translator {
    runner: Runner,
    game: Option<String>,
    engines: Vec<Vec<String>>,
    each: Vec<String>,
    /// Flags other than those of the engines.
    flags: Vec<String>,
    rounds: Option<usize>,
    games: Option<usize>,
    ping_ms: Option<usize>,
    has_openings: bool,
    repeats: bool,
    is_reversed: bool,
    differences: Vec<String>,
}

/// Translates the words after the program's name. `is_known` tells whether Linesman knows a game.
pub(crate) fn translate(
    runner: Runner,
    words: &[String],
    is_known: impl Fn(&str) -> bool,
) -> Translation {
    let mut translator = Translator {
        runner,
        game: None,
        engines: Vec::new(),
        each: Vec::new(),
        flags: Vec::new(),
        rounds: None,
        games: None,
        ping_ms: None,
        has_openings: false,
        repeats: runner == Runner::Fastchess,
        is_reversed: false,
        differences: Vec::new(),
    };
    let is_option = |word: &&String| word.starts_with('-') && word.len() > 1;
    let first = words.iter().position(|word| is_option(&word));
    for stray in &words[..first.unwrap_or(words.len())] {
        translator.differs(stray, "left out: an option with a dash was expected");
    }
    let mut rest = &words[first.unwrap_or(words.len())..];
    while let Some((option, after)) = rest.split_first() {
        let n_values = after
            .iter()
            .position(|word| is_option(&word))
            .unwrap_or(after.len());
        translator.option(option, &after[..n_values]);
        rest = &after[n_values..];
    }
    translator.finish(is_known)
}

impl Translator {
    fn differs(&mut self, word: &str, why: &str) {
        self.differences.push(format!("{word}: {why}"));
    }

    /// The difference of an option that has no counterpart; its hint is that of `match`.
    fn hinted(&mut self, option: &str) {
        let why = hint(option.trim_start_matches('-'));
        let why = why.map_or("left out: not an option of its manual".to_owned(), |why| {
            format!("left out: {why}")
        });
        self.differs(option, &why);
    }

    fn flag(&mut self, flag: &str, values: &[String]) {
        self.flags.push(flag.to_owned());
        self.flags.extend_from_slice(values);
    }

    fn number(&mut self, option: &str, values: &[String]) -> Option<usize> {
        let number = values.first().and_then(|text| text.parse().ok());
        if number.is_none() {
            self.differs(option, "left out: a whole number was expected");
        }
        number
    }

    fn option(&mut self, option: &str, values: &[String]) {
        let name = option.trim_start_matches('-');
        let text = values.join(" ");
        match name {
            "engine" => {
                let words = self.engine_words(values);
                self.engines.push(words);
            }
            "each" => {
                let words = self.engine_words(values);
                self.each.extend(words);
            }
            "variant" => self.game = Some(text),
            "rounds" => self.rounds = self.number(option, values),
            "games" => self.games = self.number(option, values),
            "repeat" => match values.first().map(String::as_str) {
                None | Some("2") => self.repeats = true,
                Some(_) => self.differs(option, "each opening is played twice with sides swapped"),
            },
            "noswap" | "strict" => self.flag(&format!("--{name}"), &[]),
            "concurrency" | "seeds" | "srand" | "startup-ms" | "event" | "site" => {
                self.flag(&format!("--{name}"), values);
            }
            // One timeout serves for both.
            "ping-ms" | "ucinewgame-ms" => {
                let ms = self.number(option, values);
                if ms.is_some() && self.ping_ms.is_some_and(|other| ms != Some(other)) {
                    self.differs(option, "--ping-ms, the larger of two numbers");
                }
                self.ping_ms = self.ping_ms.max(ms);
            }
            "use-affinity" => self.flag("--affinity", values),
            "ratinginterval" => self.flag("--rating-interval", values),
            "reverse" => self.is_reversed = true,
            "maxmoves" => {
                if let Some(moves) = self.number(option, values) {
                    self.flag("--max-plies", &[(2 * moves).to_string()]);
                }
            }
            "tournament" => match text.as_str() {
                "roundrobin" | "round-robin" => self.flag("--format", &["round-robin".to_owned()]),
                "gauntlet" | "knockout" => self.flag("--format", values),
                _ => self.differs(&format!("{option} {text}"), "played as a round robin"),
            },
            "sprt" => self.sprt(values),
            "draw" => self.flag("--draw", values),
            "resign" => {
                let words = values.iter().filter(|word| *word != "twosided=false");
                let words = words.map(|word| word.replace("twosided=true", "twosided"));
                let words: Vec<String> = words.collect();
                self.flag("--resign", &words);
            }
            "tbadjudicate" if matches!(text.as_str(), "" | "BOTH") => {
                self.flag("--adjudicate-table", &[]);
            }
            "openings" => self.openings(values),
            "output" if text == "format=cutechess" => {
                self.flag("--output", &["cutechess".to_owned()]);
            }
            "output" => {}
            "pgnout" => self.pgn(values),
            "epdout" => self.file("--epdout", values),
            "log" => self.log(values),
            "config" => self.config(values),
            "quick" => self.quick(values),
            "print-command" | "dry-run" => {
                self.differs(
                    option,
                    "left out: expected before the other program's arguments",
                );
            }
            _ if DEFAULTS.contains(&name) => {}
            _ => self.hinted(option),
        }
    }

    /// The words of an engine.
    fn engine_words(&mut self, values: &[String]) -> Vec<String> {
        let mut words = Vec::new();
        for word in values {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match key {
                "args" => {
                    let args = shlex::split(value).unwrap_or_else(|| vec![value.to_owned()]);
                    words.extend(args.iter().map(|arg| format!("arg={arg}")));
                }
                "plies" => words.push(format!("depth={value}")),
                "proto" if value == "xboard" => words.push("proto=cecp".to_owned()),
                "trust" => {}
                _ => match WITHOUT_COUNTERPART.iter().find(|(known, _)| *known == key) {
                    Some((_, why)) => self.differs(word, &format!("left out: {why}")),
                    None => words.push(word.clone()),
                },
            }
        }
        words
    }

    fn sprt(&mut self, values: &[String]) {
        let mut words = values.to_vec();
        if words.iter().any(|word| word == "model=bayesian") {
            self.differs("model=bayesian", "tested by logistic Elo");
            words.retain(|word| word != "model=bayesian");
        } else if self.runner == Runner::Fastchess
            && !words.iter().any(|word| word.starts_with("model="))
        {
            words.push("model=normalized".to_owned());
        }
        self.flag("--sprt", &words);
    }

    fn openings(&mut self, values: &[String]) {
        self.has_openings = true;
        let mut words = Vec::new();
        for word in values {
            match word.split_once('=') {
                Some(("format", _)) | Some(("policy", "default" | "round")) => {}
                Some(("policy", _)) => self.differs(word, "all pairings play the same openings"),
                _ => words.push(word.clone()),
            }
        }
        self.flag("--openings", &words);
    }

    /// A flag with a file, which the other program names bare or by `file=`.
    fn file(&mut self, flag: &str, values: &[String]) {
        let (files, others) = split_file(values);
        self.flag(flag, &files);
        for word in others {
            self.differs(&word, "left out: the file must be new");
        }
    }

    fn pgn(&mut self, values: &[String]) {
        let (files, others) = split_file(values);
        self.flag("--pgn", &files);
        if !others.iter().any(|word| word == "append=false") {
            self.flag("--pgn-append", &[]);
        }
        let comments = ["pv", "nodes", "nps"].into_iter();
        let comments = comments.filter(|name| others.contains(&format!("{name}=true")));
        let comments: Vec<&str> = comments.collect();
        if !comments.is_empty() {
            self.flag("--pgn-comments", &[comments.join(",")]);
        }
        for word in others {
            let (key, value) = word.split_once('=').unwrap_or((&word, "true"));
            let is_same = matches!(key, "append" | "pv" | "nodes" | "nps" | "fi");
            if !is_same && value != "false" {
                let why =
                    "left out: a comment has score, depth and time; linesman stats shows more";
                self.differs(&word, why);
            }
        }
    }

    fn log(&mut self, values: &[String]) {
        let (files, others) = split_file(values);
        self.flag("--log", &files);
        for word in others {
            match word.split_once('=') {
                Some(("level", level)) => match level.to_lowercase().as_str() {
                    known @ ("trace" | "debug" | "info" | "warn") => {
                        self.flag("--log-level", &[known.to_owned()]);
                    }
                    _ => {
                        self.flag("--log-level", &["warn".to_owned()]);
                        self.differs(&word, "the log has warnings too");
                    }
                },
                Some(("engine" | "append" | "realtime", "true")) | Some(("compress", "false")) => {}
                _ => self.differs(&word, "left out: the log is appended line by line"),
            }
        }
    }

    fn config(&mut self, values: &[String]) {
        for word in values {
            match word.split_once('=') {
                Some(("outname", file)) => self.flag("--save-config", &[file.to_owned()]),
                Some(("file", _)) => self.differs(
                    word,
                    "left out: linesman match --resume LEDGER resumes a match",
                ),
                _ => self.differs(word, "left out: the results are in the ledger"),
            }
        }
    }

    fn quick(&mut self, values: &[String]) {
        for word in values {
            match word.split_once('=') {
                Some(("cmd", _)) => self.engines.push(vec![word.clone()]),
                Some(("book", file)) => {
                    self.has_openings = true;
                    let words = [format!("file={file}"), "order=random".to_owned()];
                    self.flag("--openings", &words);
                }
                _ => self.differs(word, "left out: expected cmd= or book="),
            }
        }
        let why = "add --each tc=, --games and --concurrency, which it sets by itself";
        self.differs("-quick", why);
    }

    fn finish(mut self, is_known: impl Fn(&str) -> bool) -> Translation {
        let game = match self.game.take() {
            Some(game) if is_known(&game) => game,
            game => {
                let theirs = game.as_deref().unwrap_or("standard");
                let is_chess = matches!(theirs, "standard" | "chess") && is_known("chess");
                if !is_chess {
                    let why = "not a game of linesman games: any plays it by the engines' answers, \
                               and --rules cmd=PROGRAM by a program's";
                    self.differs(&format!("-variant {theirs}"), why);
                }
                if is_chess { "chess" } else { "any" }.to_owned()
            }
        };
        if self.is_reversed {
            match self.engines.len() {
                2 => self.engines.reverse(),
                _ => self.differs("-reverse", "name the engines in the other order"),
            }
        }
        let is_theirs = |words: &[String]| words.iter().any(|word| word.starts_with("cmd="));
        let has_proto = |words: &[String]| words.iter().any(|word| word.starts_with("proto="));
        if !has_proto(&self.each) {
            for words in &mut self.engines {
                if is_theirs(words) && !has_proto(words) {
                    words.push("proto=uci".to_owned());
                }
            }
        }
        let (rounds, games) = match self.runner {
            Runner::Fastchess => (self.rounds.unwrap_or(2), self.games.unwrap_or(2)),
            Runner::Cutechess => (self.rounds.unwrap_or(1), self.games.unwrap_or(1)),
        };
        let plays_once = !self.repeats || games % 2 == 1;
        if self.has_openings && plays_once && rounds * games > 1 {
            let why = "each opening is played twice with sides swapped";
            self.differs("-openings without -repeat", why);
        }
        if !self.has_openings {
            self.flag("--openings", &["none".to_owned()]);
        }
        if let Some(ms) = self.ping_ms {
            self.flag("--ping-ms", &[ms.to_string()]);
        }
        let is_silent = |flags: &[String]| !flags.iter().any(|flag| flag == "--output");
        if self.runner == Runner::Cutechess && is_silent(&self.flags) {
            self.flag("--output", &["cutechess".to_owned()]);
        }
        let mut words = vec![game];
        for engine in self.engines {
            words.push("--engine".to_owned());
            words.extend(engine);
        }
        if !self.each.is_empty() {
            words.push("--each".to_owned());
            words.extend(self.each);
        }
        words.extend(["--games".to_owned(), (rounds * games).to_string()]);
        words.extend(self.flags);
        Translation {
            words,
            differences: self.differences,
        }
    }
}

/// The file among the words, bare or by `file=`, and the other words.
fn split_file(values: &[String]) -> (Vec<String>, Vec<String>) {
    let mut files = Vec::new();
    let mut others = Vec::new();
    for word in values {
        match word.strip_prefix("file=") {
            Some(file) => files.push(file.to_owned()),
            None if files.is_empty() && !word.contains('=') => files.push(word.clone()),
            None => others.push(word.clone()),
        }
    }
    (files, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Runner::{Cutechess, Fastchess};

    fn translated(runner: Runner, line: &str) -> Translation {
        let words = shlex::split(line).expect("sound quotes");
        translate(runner, &words, |game| game.starts_with("susan"))
    }

    #[test]
    fn a_line_that_can_be_translated_has_no_differences() {
        for (runner, line, expected) in [
            (
                Fastchess,
                "-variant susan -engine cmd=./a name=A args='-x 1' -engine cmd=b proto=xboard -each tc=10+0.1 -rounds 5 -repeat \
                 -concurrency 2 -openings file=o.txt format=epd order=random -pgnout file=g.pgn nodes=true -recover \
                 -sprt elo0=0 elo1=5 -maxmoves 100 -resign movecount=3 score=400 twosided=true",
                "susan --engine cmd=./a name=A arg=-x arg=1 proto=uci --engine cmd=b proto=cecp --each tc=10+0.1 --games 10 \
                 --concurrency 2 --openings file=o.txt order=random --pgn g.pgn --pgn-append --pgn-comments nodes \
                 --sprt elo0=0 elo1=5 model=normalized --max-plies 200 --resign movecount=3 score=400 twosided",
            ),
            (
                Cutechess,
                "-engine cmd=a -engine cmd=b -each proto=uci tc=40/60 -games 2 -rounds 3 -repeat -variant susan:Size=4 -pgnout g.pgn \
                 -tournament gauntlet -log file=l level=WARN -reverse",
                "susan:Size=4 --engine cmd=b --engine cmd=a --each proto=uci tc=40/60 --games 6 --pgn g.pgn --pgn-append \
                 --format gauntlet --log l --log-level warn --openings none --output cutechess",
            ),
        ] {
            let found = translated(runner, line);
            assert_eq!(found.differences, [""; 0], "{line}");
            let words: Vec<&str> = expected.split_whitespace().collect();
            assert_eq!(found.words, words);
        }
    }

    #[test]
    fn each_difference_has_a_line() {
        let found = translated(
            Cutechess,
            "x -variant fischerandom -engine cmd=a whitepov -wait 5 -tb p -openings file=o -games 4 -sprt elo0=0 elo1=1 model=bayesian -foo",
        );
        let words: Vec<&str> = found
            .differences
            .iter()
            .filter_map(|line| Some(line.split_once(": ")?.0))
            .collect();
        let expected = [
            "x",
            "whitepov",
            "-wait",
            "-tb",
            "model=bayesian",
            "-foo",
            "-variant fischerandom",
            "-openings without -repeat",
        ];
        assert_eq!(words, expected);
        assert!(
            found
                .command()
                .starts_with("linesman match any --engine cmd=a proto=uci")
        );
    }

    #[test]
    fn two_timeouts_are_one_flag() {
        for (line, n_differences) in [
            ("-ping-ms 60000 -ucinewgame-ms 5000", 1),
            ("-ucinewgame-ms 5000 -ping-ms 60000", 1),
            ("-ping-ms 60000 -ucinewgame-ms 60000", 0),
            ("-ucinewgame-ms 60000", 0),
        ] {
            let line = format!("-variant susan -engine cmd=a {line}");
            let found = translated(Fastchess, &line);
            let flags = found.command().matches("--ping-ms 60000").count();
            let all = found.command().matches("--ping-ms").count();
            assert_eq!((flags, all), (1, 1), "{line}: {}", found.command());
            assert_eq!(found.differences.len(), n_differences, "{line}");
        }
    }

    /// Chess is the variant of a line without one.
    #[test]
    fn chess_by_rules_of_a_program_needs_no_variant() {
        let words = ["-engine", "cmd=a"].map(str::to_owned);
        let found = translate(Fastchess, &words, |game| game == "chess");
        assert_eq!(found.differences, [""; 0]);
        assert_eq!(found.words[0], "chess");
    }
}
