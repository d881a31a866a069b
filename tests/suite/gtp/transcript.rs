//! Transcripts of the bridge, compared word for word.

use crate::support::{Folder, begins, has};

fn transcript(game: &str, commands: &str, expected: &str) {
    let folder = Folder::new("gtp-transcript");
    let commands = commands.replace('\n', "\\n");
    let line = format!("printf '{commands}\\n' | LINESMAN bridge gtp {game}");
    let done = folder.shell(&line).exits(0);
    assert_eq!(done.stdout.join("\n").trim_end(), expected.trim());
}

#[test]
fn susan_is_a_board_of_hexagons() {
    transcript(
        "susan:Size=3",
        "1 boardsize 5\n2 gogui-rules_board_size\nplay b C5\nplay w C4\nplay b C5\ngogui-rules_board\ngogui-rules_board_gfx\n\
         gogui-rules_legal_moves\nplay b D5\ngogui-rules_board\ngogui-rules_side_to_move\nplay b A1\nundo\n\
         gogui-rules_side_to_move\nlinesman-position\n9 quit",
        "\
=1 

=2 5 hex

= 

= 

= 

= 
? ? X . .
? . O . .
. . . . .
. . . . ?
. . . ? ?

= COLOR #80ff80 B4
COLOR #ffe060 C5
COLOR #80ff80 D5
TEXT Black to move

= B4 D5

= 

= 
? ? . X .
? . O . .
. . . . .
. . . . ?
. . . ? ?

= white

? white is to move

= 

= black

= x2/1o2/5/4/3 x 0

=9
",
    );
}

#[test]
fn gobblet_has_its_pieces_off_the_board_beside_it() {
    transcript(
        "gobblet",
        "gogui-rules_board\ngogui-rules_board_gfx\nplay b D3\ngogui-rules_legal_moves\nplay b B2\ngogui-rules_board\n\
         gogui-rules_board_gfx\ngogui-rules_final_result",
        "\
= 
? ? ? ? ?
? ? ? ? ?
. . . X O
. . . X O
. . . X O

= COLOR #f0dcb0 A1
COLOR #f0dcb0 A2
COLOR #f0dcb0 A3
COLOR #f0dcb0 B1
COLOR #f0dcb0 B2
COLOR #f0dcb0 B3
COLOR #f0dcb0 C1
COLOR #f0dcb0 C2
COLOR #f0dcb0 C3
LABEL D1 2S
LABEL D2 2M
LABEL D3 2L
LABEL E1 2S
LABEL E2 2M
LABEL E3 2L
TEXT Black to move

= 

= A1 A2 A3 B1 B2 B3 C1 C2 C3

= 

= 
? ? ? ? ?
? ? ? ? ?
. . . X O
. X . X O
. . . X O

= COLOR #f0dcb0 A1
COLOR #f0dcb0 A2
COLOR #f0dcb0 A3
COLOR #f0dcb0 B1
COLOR #f0dcb0 B2
COLOR #f0dcb0 B3
COLOR #f0dcb0 C1
COLOR #f0dcb0 C2
COLOR #f0dcb0 C3
LABEL B2 L
LABEL D1 2S
LABEL D2 2M
LABEL D3 L
LABEL E1 2S
LABEL E2 2M
LABEL E3 2L
TEXT White to move

? the game is not over
",
    );
}

#[test]
fn texts_have_the_names_of_gogui() {
    transcript(
        "susan:Size=3",
        "linesman-position ox1/x3/5/4/o2 x 0\nplay b C4\ngogui-rules_final_result\ngogui-rules_board_gfx",
        "\
= 

= 

= Black wins (White is surrounded on C5)

= CIRCLE C5
TEXT Black wins: White is surrounded on C5
",
    );
}

#[test]
fn errors_name_the_word_and_what_was_expected() {
    transcript(
        "entropy",
        "# a comment\n\n7 dance\nplay b Z9\nplay b C3\nplay w A5\nboardsize 9\n8 linesman-position nonsense\nundo\n\
         time_settings 60 0 0\nknown_command genmove\ngogui-rules_final_result",
        "\
?7 unknown command

? illegal move: Z9

? illegal move: C3

? black is to move

? unacceptable size: expected 5

?8 1 field, expected 3: ranks, player to move and passes, as in sssss/s3s/5/o3o/ooooo o 0

? cannot undo: the game is at its beginning

= 

= true

? the game is not over
",
    );
}

#[test]
fn graph_hockey_is_sent_to_the_browser() {
    let folder = Folder::new("gtp-graph-hockey");
    let done = folder.linesman("bridge gtp graph-hockey").exits(2);
    assert_eq!(done.stdout, [""; 0]);
    assert_eq!(
        done.stderr,
        "error: GAME: graph-hockey: a GTP board cannot show its moves: expected linesman gui graph-hockey\n"
    );
}

#[test]
fn an_error_at_the_start_is_the_answer_to_each_command() {
    let folder = Folder::new("gtp-start-error");
    for (words, why) in [
        ("graph-hockey", "linesman gui graph-hockey"),
        ("nonsense", "unknown game"),
        ("susan --frob", "--frob"),
        ("susan --engine builtin nodes=many", "nodes"),
    ] {
        let commands = "1 name\\nlist_commands\\n# comment\\nquit\\n";
        let line = format!("printf '{commands}' | LINESMAN bridge gtp {words}");
        let done = folder.shell(&line).exits(2);
        let answers: Vec<&String> = done.stdout.iter().filter(|line| !line.is_empty()).collect();
        let [name, commands, end] = answers[..] else {
            panic!("{words}: {answers:?}");
        };
        begins(name, "?1 ");
        has(&name, why);
        begins(commands, "? ");
        has(&commands, why);
        assert_eq!(end, "= ", "{words}");
    }
}

#[test]
fn the_command_of_gogui_is_shown() {
    let folder = Folder::new("gtp-command");
    let words = "bridge gtp susan --engine builtin 'name=My engine' --print-command";
    let done = folder.linesman(words).exits(0);
    let line = &done.stdout[0];
    begins(line, "gogui -program '/");
    assert!(
        line.ends_with(" bridge gtp susan --engine builtin \"name=My engine\"'"),
        "{line}"
    );
    folder
        .linesman("bridge gtp graph-hockey --print-command")
        .exits(2);
}
