//! An engine that answers at once, to measure the overhead of the referee.
//!
//! In SUSAN with `SlideLimit=0` it slides back and forth in its corner without end. As `instant-engine PLIES` it also
//! answers the queries of a game that is drawn after PLIES plies. The answers to all lines read in one read are written
//! in one write.

use std::io::{self, Read, Write};

const CORNERS: [[&str; 3]; 2] = [["a1", "a1->a2", "a2->a1"], ["i1", "i1->i2", "i2->i1"]];
const HELLO: &str = "id name Instant\nid author nobody\noption name SlideLimit type spin default 6 min 0 max 99\nugiok\n";

fn main() -> io::Result<()> {
    let plies = std::env::args().nth(1).and_then(|plies| plies.parse().ok());
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut buffer = Vec::new();
    let mut chunk = [0; 1 << 16];
    let mut n_moves = 0;
    loop {
        let n_bytes = input.read(&mut chunk)?;
        if n_bytes == 0 {
            return Ok(());
        }
        buffer.extend_from_slice(&chunk[..n_bytes]);
        let whole = memchr::memrchr(b'\n', &buffer).map_or(0, |end| end + 1);
        let mut answer = String::new();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &buffer[..whole]) {
            let line = &buffer[start..end];
            start = end + 1;
            match line {
                b"quit" => return Ok(()),
                b"ugi" => answer.push_str(HELLO),
                b"isready" => answer.push_str("readyok\n"),
                b"query gameover" => answer.push_str(over(n_moves, plies)),
                b"query result" => answer.push_str(result(n_moves, plies)),
                _ if line.starts_with(b"position") => n_moves = count_moves(line),
                _ if line.starts_with(b"go") => {
                    let turn = n_moves / 2;
                    let step = if turn == 0 { 0 } else { 2 - turn % 2 };
                    answer.push_str("bestmove ");
                    answer.push_str(CORNERS[n_moves % 2][step]);
                    answer.push('\n');
                }
                _ => {}
            }
        }
        buffer.drain(..whole);
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
}

/// Number of words after `position startpos moves`.
fn count_moves(line: &[u8]) -> usize {
    memchr::memchr_iter(b' ', line).count().saturating_sub(2)
}

fn over(n_moves: usize, plies: Option<usize>) -> &'static str {
    match plies {
        Some(plies) if n_moves >= plies => "response true\n",
        Some(_) => "response false\n",
        None => "",
    }
}

fn result(n_moves: usize, plies: Option<usize>) -> &'static str {
    match plies {
        Some(plies) if n_moves >= plies => "response draw\n",
        Some(_) => "response none\n",
        None => "",
    }
}
