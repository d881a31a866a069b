//! Steps: malformed input is handled, and standard output holds only replies.

use protocol::line::LIMIT;

use crate::prelude::*;

/// Lines may end with CR LF.
pub(super) fn cr_lf(dialogue: &mut Dialogue<'_>) -> Outcome {
    let opening = dialogue.set_random(2, 90)?;
    let before = dialogue.snapshot()?;
    dialogue.ask("position startpos")?;
    let line = format!("position {opening}");
    let lines = format!("{line}\r\nisready\r\n");
    let asked = dialogue.send_bytes(lines.as_bytes(), &format!("{line} (and CR LF)"))?;
    let is_ready = |reply: &Reply| *reply == Reply::ReadyOk;
    let output = dialogue.receive_until("readyok", asked + dialogue.ping(), is_ready)?;
    if let Some(why) = output.iter().find_map(OutputLine::error) {
        let why = excerpt(why);
        return Err(fail!(
            "a position line that ends with CR LF is rejected: {why}"
        ));
    }
    let fault = "a position line that ends with CR LF is not executed";
    dialogue.ensure_same(&before, fault)?;
    let asked = dialogue.send_bytes(b"go depth 1\r\n", "go depth 1 (and CR LF)")?;
    let found = dialogue.await_best(asked)?.answered()?;
    dialogue.ensure_legal(&opening, &found.code)
}

/// A line over the length limit is ignored, as is a long invalid one.
pub(super) fn long_lines(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.set_random(2, 91)?;
    let before = dialogue.snapshot()?;
    for n_bytes in [LIMIT / 2, 2 * LIMIT] {
        let mut line = b"position startpos moves ".to_vec();
        line.resize(n_bytes, b'x');
        line.push(b'\n');
        let shown = format!("position startpos moves x... ({n_bytes} bytes)");
        dialogue.send_bytes(&line, &shown)?;
        let output = dialogue.sync()?;
        ensure!(
            output.len() <= 1 && output.iter().all(|output| output.error().is_some()),
            "answers a line of {n_bytes} bytes with {} lines: expected one info error",
            output.len()
        );
    }
    dialogue.ensure_same(&before, "a long line changes the position")?;
    dialogue.go("depth 1")?.answered()?;
    pass()
}

/// Arbitrary bytes do not end the engine or change the position.
pub(super) fn garbage(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.set_random(2, 92)?;
    let before = dialogue.snapshot()?;
    let mut rng = dialogue.rng(93);
    let random: Vec<u8> = std::iter::repeat_with(|| rng.u8(..)).take(4096).collect();
    let all: Vec<u8> = (0..=255).collect();
    for (bytes, shown) in [
        (&all[..], "(all 256 bytes)"),
        (&random, "(4096 random bytes)"),
        (b"\0\0\0", "(three NULs)"),
        (b"\xff\xfe\xc0\x80", "(bytes that are not UTF-8)"),
        (
            b"position fen \xff\xff\xff moves \0\x1b[31m",
            "position fen (bytes that are not UTF-8)",
        ),
        (
            b"setoption name \xf0\x9f value \xf0",
            "setoption name (bytes that are not UTF-8)",
        ),
    ] {
        dialogue.send_bytes(&[bytes, b"\n"].concat(), shown)?;
        only_errors(&dialogue.sync()?, &format!("answers {shown} with"))?;
    }
    dialogue.ensure_same(&before, "garbage changes the position")?;
    dialogue.go("depth 1")?.answered()?;
    pass()
}

/// In all steps, the engine writes only replies to standard output.
pub(super) fn standard_output(dialogue: &mut Dialogue<'_>) -> Outcome {
    dialogue.set_random(2, 94)?;
    dialogue.go("depth 2")?.answered()?;
    dialogue.ask("stop")?;
    dialogue.receive_for(PAUSE);
    let (before, here) = (&dialogue.case.non_replies, &dialogue.transcript.non_replies);
    let n_lines = before.n_lines + here.n_lines;
    match before.first.as_ref().or(here.first.as_ref()) {
        None => pass(),
        Some(line) => Err(fail!(
            "{n_lines} lines are not replies; the first: \"{}\"",
            excerpt(line)
        )),
    }
}
