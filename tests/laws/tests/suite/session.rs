//! Tests of an engine's answers: lines in, lines out, without threads or clocks.

use std::collections::HashSet;
use std::time::Instant;

use kit::session::{Job, Session};
use protocol::Reply;

/// A conversation with a Nim engine. A job runs to its end before the next line, unless it is held.
struct Talk {
    session: Session,
    answers: Vec<String>,
    held: Option<Job>,
    holds_jobs: bool,
}

impl Talk {
    fn new() -> Talk {
        Talk {
            session: Session::new(nim::GAME),
            answers: Vec::new(),
            held: None,
            holds_jobs: false,
        }
    }

    /// A conversation in which a job runs only when the test calls `runs`.
    fn holding_jobs() -> Talk {
        Talk {
            holds_jobs: true,
            ..Talk::new()
        }
    }

    /// Sends lines one after another.
    fn says(mut self, lines: &str) -> Talk {
        self.answers.clear();
        for line in lines.lines() {
            let was_closed = self.session.is_closed();
            let replies = self.session.receive(line, Instant::now());
            self.take(&replies);
            if self.session.is_closed() && !was_closed {
                self.answers.push("(quit)".to_owned());
            }
        }
        self
    }

    /// Runs the held job, then the commands that waited for it.
    fn runs(mut self) -> Talk {
        self.answers.clear();
        let job = self.held.take().expect("a job is held");
        self.run(job);
        self
    }

    fn take(&mut self, replies: &[Reply]) {
        self.hear(replies);
        match self.session.take_job() {
            Some(job) if self.holds_jobs => self.held = Some(job),
            Some(job) => self.run(job),
            None => {}
        }
    }

    fn run(&mut self, job: Job) {
        let mut told = Vec::new();
        let last = job(&mut |reply| told.push(reply));
        told.extend(last);
        self.hear(&told);
        self.session.finish();
        while let Some(replies) = self.session.next_waiting(Instant::now()) {
            self.take(&replies);
        }
    }

    fn hear(&mut self, replies: &[Reply]) {
        self.answers.extend(replies.iter().map(ToString::to_string));
    }

    /// The answers without the progress reports of a search.
    fn plain(&self) -> Vec<&str> {
        let answers = self.answers.iter().map(String::as_str);
        let is_plain =
            |line: &&str| !line.starts_with("info depth") && !line.starts_with("info seldepth");
        answers.filter(is_plain).collect()
    }

    #[track_caller]
    fn expect(self, answers: &str) -> Talk {
        assert_eq!(self.answers.join("\n"), answers);
        self
    }

    #[track_caller]
    fn last(&self) -> &str {
        self.answers.last().expect("an answer")
    }

    /// The word after `name` in the last `info` line that contains it.
    #[track_caller]
    fn info(&self, name: &str) -> String {
        let after = |line: &String| {
            let mut words = line.split(' ').skip_while(|&word| word != name);
            words.nth(1).map(str::to_owned)
        };
        self.answers
            .iter()
            .rev()
            .find_map(after)
            .unwrap_or_else(|| panic!("no {name} in {:?}", self.answers))
    }
}

#[test]
fn the_handshake_declares_every_option() {
    let talk = Talk::new().says("ugi");
    let text = talk.answers.join("\n");
    for option in [
        "option name Hash type spin default 16 min 1 max 65536",
        "option name Threads type spin default 1 min 1 max 256",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 30 min 0 max 10000",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 1000 min 0 max 3000",
        "option name Seed type spin default 0 min 0 max 9223372036854775807",
        "option name TablePath type string default <empty>",
        "option name Heaps type spin default 4 min 1 max 9",
    ] {
        assert!(text.contains(option), "{option} in {text}");
    }
    let developers = "\noption name Search type combo default best var best var pvs var random\noption name Disable ";
    let (_, last) = text
        .split_once(developers)
        .expect("the developers' options");
    assert_eq!(last.lines().count(), 2, "they are the last: {last}");
    assert!(text.starts_with("id name Linesman nim "));
    assert!(text.contains("\nid author Jane Doe\n"), "{text}");
    talk.says("uci").says("isready").expect("readyok");
    assert_eq!(Talk::new().says("ugi").last(), "ugiok");
    assert_eq!(Talk::new().says("uci").last(), "uciok");
}

/// `hold` keeps the next jobs until `run`; progress reports are left out.
#[test]
fn dialogues_go_as_written() {
    for dialogue in include_str!("session.txt").split("\n\n# ") {
        let (title, script) = dialogue.split_once('\n').expect("a title");
        let mut talk = Talk::new();
        let mut actual = String::new();
        for line in script.lines().filter_map(|line| line.strip_prefix("> ")) {
            talk = match line {
                "hold" => Talk::holding_jobs(),
                "run" => talk.runs(),
                line => talk.says(line),
            };
            actual += &format!("> {line}\n");
            talk.plain()
                .iter()
                .for_each(|answer| actual += &format!("{answer}\n"));
        }
        assert_eq!(actual.trim_end(), script.trim_end(), "{title}");
    }
}

#[test]
fn a_thousand_lines_wait_and_no_more() {
    let talk = Talk::holding_jobs()
        .says("go infinite")
        .says(&"query fen\n".repeat(1_002));
    let refused =
        "info error query: 1000 lines are waiting for the end of the search: send stop first";
    assert_eq!(talk.answers, [refused; 2]);
    let talk = talk.says("stop").runs();
    let answered = talk
        .answers
        .iter()
        .filter(|line| *line == "response 1/2/3/4 p1");
    assert_eq!(answered.count(), 1_000);
}

#[test]
fn four_mebibytes_wait_and_no_more() {
    let line = format!("position startpos moves{}", " a1".repeat(300_000));
    let lines = [line.as_str(); 6].join("\n");
    let talk = Talk::holding_jobs().says("go infinite").says(&lines);
    let refused =
        "info error position: 4194304 bytes are waiting for the end of the search: send stop first";
    assert_eq!(talk.answers, [refused; 2]);
    let talk = talk.says("stop").runs();
    assert_eq!(
        talk.plain().len(),
        1 + 4,
        "bestmove, then four illegal moves"
    );
}

#[test]
fn a_search_wins_and_tells_the_distance_in_the_dialects_unit() {
    let talk = Talk::new().says("position fen 1/3 p1\ngo depth 6");
    assert_eq!(talk.last(), "bestmove b2");
    assert_eq!(
        (talk.info("mate"), talk.info("pv")),
        ("3".into(), "b2".into())
    );
    let talk = talk.says("uci\nposition fen 1/3 p1\ngo depth 6");
    assert_eq!(talk.info("mate"), "2");
    let talk = talk.says("ugi\nposition fen 1/1 p1\ngo depth 6");
    assert_eq!(talk.info("mate"), "-2");
}

#[test]
fn every_last_info_has_nodes_time_and_nps() {
    for go in [
        "go depth 3",
        "go nodes 1",
        "go nodes 500",
        "go mate 3",
        "go movetime 5",
        "go p1time 50 p2time 50",
    ] {
        let talk = Talk::new().says(&format!("position startpos\n{go}"));
        let infos: Vec<_> = talk
            .answers
            .iter()
            .filter(|line| line.starts_with("info "))
            .collect();
        let last = infos
            .iter()
            .rfind(|line| !line.starts_with("info string"))
            .expect("an info");
        for word in [" nodes ", " time ", " nps "] {
            assert!(last.contains(word), "{go}: {word} in {last}");
        }
        assert!(talk.last().starts_with("bestmove "), "{go}");
    }
}

#[test]
fn mate_finds_a_win_or_says_that_there_is_none() {
    let talk = Talk::new().says("position fen 1/3 p1\ngo mate 3");
    assert_eq!(
        (talk.last(), talk.info("mate")),
        ("bestmove b2", "3".into())
    );
    let talk = talk.says("go mate 2");
    assert!(
        talk.answers
            .contains(&"info string no mate in 2".to_owned()),
        "{:?}",
        talk.answers
    );
    assert!(talk.last().starts_with("bestmove "));
    // With the same two stones to take: two moves of the winner, three plies.
    let talk = talk.says("uci\nposition fen 1/3 p1\ngo mate 2");
    assert_eq!(talk.info("mate"), "2");
}

#[test]
fn only_named_root_moves_are_searched() {
    let talk = Talk::new().says("position fen 1/3 p1\ngo depth 4 searchmoves b1 a1");
    assert!(["bestmove b1", "bestmove a1"].contains(&talk.last()));
}

#[test]
fn several_lines_are_ranked() {
    let talk = Talk::new().says("setoption name MultiPV value 3\nposition fen 1/3 p1\ngo depth 3");
    let ranks = |line: &&String| line.contains("depth 3 ") && line.contains(" multipv ");
    let ranked: Vec<_> = talk.answers.iter().filter(ranks).collect();
    assert_eq!(ranked.len(), 3, "{:?}", talk.answers);
    assert!(ranked[0].contains("multipv 1 score mate 3"));
    assert!(ranked[2].contains("multipv 3 score mate -"));
}

#[test]
fn a_pondered_move_is_told_only_where_pondering_is_on() {
    let talk = Talk::new().says("position startpos\ngo depth 4");
    assert_eq!(talk.last().split(' ').count(), 2);
    let talk = talk.says("setoption name Ponder value true\ngo depth 4");
    assert_eq!(
        talk.last().split(' ').nth(2),
        Some("ponder"),
        "{}",
        talk.last()
    );
}

#[test]
fn equal_lines_since_the_new_game_give_equal_moves_and_nodes() {
    let lines =
        "uginewgame\nposition startpos\ngo nodes 3000\nposition startpos moves d1 c1\ngo depth 5";
    let told = |talk: &Talk| (talk.last().to_owned(), talk.info("nodes"));
    let first = Talk::new().says("setoption name Seed value 7").says(lines);
    let expected = told(&first);
    let again = first.says("position startpos\ngo depth 3").says(lines);
    assert_eq!(told(&again), expected);
}

#[test]
fn a_node_limit_is_kept() {
    for limit in [1, 2, 77, 1000] {
        let talk = Talk::new().says(&format!("position startpos\ngo nodes {limit}"));
        let nodes: u64 = talk.info("nodes").parse().expect("a number");
        assert!(nodes <= limit, "{nodes} of {limit}");
    }
}

/// The moves of ten games that begin with these lines.
fn first_moves(lines: &str) -> Vec<String> {
    let mut talk = Talk::new().says(lines);
    let mut moves = Vec::new();
    for _ in 0..10 {
        talk = talk.says("uginewgame\nposition startpos\ngo nodes 100000");
        moves.push(talk.last().to_owned());
    }
    moves
}

#[test]
fn a_level_plays_unlike_games_unless_the_seed_is_set() {
    let unlike = |lines: &str| {
        let moves = first_moves(lines);
        moves.iter().any(|mv| *mv != moves[0])
    };
    for lines in [
        "setoption name Skill Level value 3",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 150",
        "setoption name Search value random",
    ] {
        assert!(unlike(lines), "{lines}");
        for seed in [5, 6] {
            let seeded = format!("{lines}\nsetoption name Seed value {seed}");
            assert!(!unlike(&seeded), "{seeded}");
        }
    }
    assert!(!unlike("isready"), "full strength");
}

#[test]
fn a_level_does_not_depend_on_limits_threads_or_earlier_searches() {
    let level = "setoption name Seed value 9\nsetoption name Skill Level value 8\n";
    let told = |lines: &str| {
        let talk = Talk::new().says(&format!("{level}{lines}"));
        (talk.last().to_owned(), talk.info("nodes"))
    };
    let expected = told("go nodes 1000000");
    for lines in [
        "go movetime 100000",
        "setoption name Threads value 2\nsetoption name Hash value 2\ngo movetime 100000",
        "setoption name Skill Level value 20\ngo depth 6\nsetoption name Skill Level value 8\ngo movetime 100000",
    ] {
        assert_eq!(told(lines), expected, "{lines}");
    }
}

#[test]
fn each_random_move_is_played() {
    let mut moves = HashSet::new();
    for seed in 1..200 {
        let lines = format!(
            "setoption name Search value random\nsetoption name Seed value {seed}\ngo nodes 1"
        );
        moves.insert(Talk::new().says(&lines).last().to_owned());
    }
    assert_eq!(moves.len(), 10, "{moves:?}");
}
