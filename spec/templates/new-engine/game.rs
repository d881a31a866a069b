//! A game by the rules of a program, and a player that moves at random.
//! Replace the random choice in `search` by your search, and the program by rules of your own.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{exit, ChildStdin, ChildStdout, Command, Stdio};

use crate::Search;

pub const NAME: &str = "Mine";
pub const AUTHOR: &str = "me";
pub const OPTIONS: &[&str] = &["OPTION"];
const RULES: &[&str] = &["RULE"]; // the command of the program

pub struct Game {
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

fn fail(why: impl std::fmt::Display) -> ! {
    eprintln!("{}: {why}", RULES.join(" "));
    exit(1);
}

impl Game {
    pub fn new() -> Game {
        let mut program = Command::new(RULES[0]);
        program.args(&RULES[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let program = program.spawn().unwrap_or_else(|why| fail(why));
        match (program.stdin, program.stdout) {
            (Some(questions), Some(answers)) => Game { questions, answers: BufReader::new(answers) },
            _ => fail("no pipe"),
        }
    }

    /// Writes these lines to the program. Returns its answers, which end at `readyok`.
    fn ask(&mut self, lines: &str) -> Vec<String> {
        if let Err(why) = self.questions.write_all(format!("{lines}\nisready\n").as_bytes()) {
            fail(why);
        }
        let mut answers = Vec::new();
        for line in self.answers.by_ref().lines() {
            match line.as_deref().map(str::trim_end) {
                Ok("readyok") => return answers,
                Ok(line) => answers.push(line.to_owned()),
                Err(why) => fail(why),
            }
        }
        fail("the program has ended")
    }

    /// The player to move and the legal moves.
    pub fn to_move(&mut self) -> Result<(usize, Vec<String>), String> {
        let answers = self.ask("query p1turn\nquery moves");
        let [p1turn, moves] = answers.as_slice() else { return Err("the rules do not answer".to_owned()) };
        let player = if p1turn == "response true" { 1 } else { 2 };
        Ok((player, moves.split_whitespace().skip(1).map(str::to_owned).collect()))
    }

    /// Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer.
    pub fn answer(&mut self, words: &[String]) -> Result<Vec<String>, String> {
        let line = words.join(" ");
        if words[0] == "setoption" {
            let name = line.to_lowercase().replacen("setoption", "option", 1);
            let start = format!("{} type ", name.split(" value").next().unwrap_or_default());
            if !OPTIONS.iter().any(|option| option.to_lowercase().starts_with(&start)) {
                return Err("setoption: expected an option of this engine".to_owned());
            }
        }
        Ok(self.ask(&line))
    }

    /// The depth searched and the best of these moves. A search calls `search.must_stop()` at each position.
    pub fn search(&mut self, moves: &[String], _search: &mut Search) -> (u32, String) {
        let random = RandomState::new().build_hasher().finish() as usize;
        (1, moves[random % moves.len()].clone())
    }
}
