//! Guests at a socket.

use super::guest::{Guest, Invitation};
use super::pty::{Terminal, talk};
use crate::support::{CLOSE_INHERITED, Folder, Run, begins, has, lacks, peak_memory};

/// A host that plays p1 and waits for a guest.
fn host(folder: &Folder, rest: &str) -> (Terminal, Invitation) {
    let words = format!("play susan --listen 127.0.0.1:0 {rest}");
    let mut terminal = Terminal::new(folder, &words);
    let invitation = Invitation::seen(&mut terminal);
    (terminal, invitation)
}

/// As [`host`], in a separate folder.
fn host_alone() -> (Terminal, Invitation) {
    let mut terminal = Terminal::alone("play susan --listen 127.0.0.1:0");
    let invitation = Invitation::seen(&mut terminal);
    (terminal, invitation)
}

/// As [`host`], after a guest has joined and the host has moved.
fn joined((mut terminal, invitation): (Terminal, Invitation)) -> (Terminal, Invitation, Guest) {
    let mut guest = invitation.join("");
    terminal.talk("=> o joined / e5");
    guest.sees("2. o> ");
    (terminal, invitation, guest)
}

#[test]
fn a_whole_game_over_a_socket() {
    let folder = Folder::new("console-socket");
    let words = "play gobblet --listen 127.0.0.1:0 --ledger l";
    let mut terminal = Terminal::new(&folder, words);
    let invitation = Invitation::seen(&mut terminal);
    let mut guest = invitation.connect();
    // Telnet negotiates before the person types.
    guest.types(format!("xjoin {}\r\n", invitation.word).as_bytes());
    guest.sees("To join, type: join PASSWORD");
    guest.types(b"\xff\xfd\x03\xff\xfb\x18\xff\xfa\x1f\x00\x28\x00\x0c\xff\xf0");
    guest.types(format!("join {}\r\n", invitation.word).as_bytes());
    talk!(
        [guest, terminal],
        "guest => you play yellow / terminal => yellow joined
        guest: 1@a1 => 1@a1 waits for your turn
        guest: save x => save x waits behind 1@a1
        terminal: 3@b2
        guest => 1. red: 3@b2 | Only the host can use save.
        terminal => 2. yellow: 1@a1"
    );
    guest.types(b"\x1b[A\r\n");
    talk!(
        [guest, terminal],
        "guest => control characters / terminal => 3. red> / terminal: 3@a3 / guest => 4. yellow>"
    );
    guest.types(b"1 b1\r\0");
    talk!(
        [guest, terminal],
        "terminal => 5. red> / terminal: 2@c1 / guest => Game over: red wins: line c1 b2 a3, 1-0
        terminal => Game over: red wins: line | game over>"
    );
    terminal.quits();
    let rest = guest.rest();
    lacks(&rest, "ledger");
    lacks(&rest, "--continue");
    has(&folder.read("l"), "\"result\":\"1-0\"");
}

#[test]
fn a_guest_who_drops_comes_back_to_his_seat() {
    let (mut terminal, invitation) = host_alone();
    let guest = invitation.join("p2");
    terminal.talk("=> o joined / e5");
    drop(guest);
    terminal.sees("o left");
    let mut guest = invitation.join("");
    guest.sees("return with the same line");
    guest.sees("2. o> ");
    terminal.sees("o joined");
    // No other guest gets the seat meanwhile.
    let mut other = invitation.connect();
    other.types(format!("join {} p2\n", invitation.word).as_bytes());
    talk!(
        [other, guest, terminal],
        "other => This seat is taken / guest: b2 / terminal => 2. o: b2 | 3. x> / guest: quit"
    );
    assert!(guest.rest().ends_with("goodbye\r\n"));
    terminal.sees("o left");
    other.types(format!("join {} p2\n", invitation.word).as_bytes());
    other.sees("you play o");
    terminal.quits();
}

#[test]
fn a_resumed_game_takes_guests_again() {
    let folder = Folder::new("console-resumed");
    let (terminal, _, mut guest) = joined(host(&folder, "--ledger l.jsonl"));
    terminal.quits();
    guest.sees("host closed the table");
    folder.write("word", "secret\n");
    let words = "play susan --continue --listen 127.0.0.1:0 --password-file word";
    let mut terminal = Terminal::new(&folder, words);
    let invitation = Invitation::seen(&mut terminal);
    assert_eq!(invitation.word, "secret");
    let mut guest = invitation.join("");
    talk!(
        [guest, terminal],
        "guest => 2. o> / guest: b2 / terminal => 3. x> / guest: resign
        terminal => Game over: x wins, 1-0 {o resigns}"
    );
    terminal.hangs_up();
    // The seats are the same as before.
    assert_eq!(folder.read("l.jsonl").matches("\"guests\"").count(), 1);
}

#[test]
fn a_resumed_game_opens_no_port_unasked() {
    let folder = Folder::new("console-no-port");
    let (terminal, _, _guest) = joined(host(&folder, "--ledger l"));
    terminal.quits();
    let continued = |words: &str| {
        let done = folder
            .linesman(&format!("play --continue l {words}"))
            .exits(0);
        done.shows(0, "waiting for the other person");
        done.stdout.join("\n")
    };
    let told =
        "guests cannot join, so their seats are yours: to let them join, resume with --listen";
    assert!(continued("").contains(told));
    assert!(!continued("--p2 human").contains(told));
    let mut terminal = Terminal::new(&folder, "play --continue l --listen 127.0.0.1:0");
    Invitation::seen(&mut terminal).join("p2").sees("2. o> ");
    terminal.quits();
}

#[test]
fn strangers_take_no_seat() {
    let (mut terminal, invitation) = host_alone();
    for _ in 0..50 {
        drop(invitation.connect());
    }
    let mut stranger = invitation.connect();
    stranger.types(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(stranger.rest().ends_with("goodbye\r\n"));
    let mut stranger = invitation.connect();
    for word in ["a", "b", "c"] {
        stranger.types(format!("join {word}\n").as_bytes());
        stranger.sees("wrong password. To join, type: join PASSWORD [p1|p2|watch] [NAME]");
    }
    assert_eq!(stranger.rest(), "\r\ngoodbye\r\n");
    let mut guest = invitation.join("");
    terminal.sees("o joined");
    terminal.types("e5");
    guest.sees("2. o> ");
    terminal.quits();
}

#[test]
fn silent_connections_make_way_for_a_guest() {
    let (mut terminal, invitation) = host_alone();
    let mut silent: Vec<_> = (0..40).map(|_| invitation.connect()).collect();
    let mut guest = invitation.connect();
    let name = "x".repeat(61);
    guest.types(format!("join {} {name}\n", invitation.word).as_bytes());
    guest.sees("The name is too long. Choose one of at most 60 characters.");
    guest.types(format!("join {}\n", invitation.word).as_bytes());
    guest.sees("you play o");
    terminal.sees("o joined");
    // The oldest ones were closed for the later ones, not by the limit of time.
    let oldest = silent.remove(0).rest();
    assert!(
        oldest.ends_with("too many connections: this one is closed\r\n"),
        "{oldest}"
    );
    terminal.quits();
}

#[test]
fn an_address_that_guesses_passwords_has_to_wait() {
    let folder = Folder::new("console-guesses");
    folder.write("word", "secret\n");
    let (mut terminal, invitation) = host(&folder, "--password-file word");
    let guest = invitation.join("");
    let seen = terminal.sees("o joined");
    lacks(&seen, "guessed");
    drop(guest);
    let guess = |_: &i32| {
        let mut stranger = invitation.connect();
        stranger.types(b"join a\njoin b\njoin c\n");
        stranger
            .rest()
            .contains("too many wrong passwords: try again in ")
    };
    assert_eq!((0..10).position(|number| guess(&number)), Some(2));
    let mut other = invitation.connect();
    talk!([other], "other: join secret => too many wrong passwords");
    terminal.quits();
}

#[test]
fn a_password_is_asked_for_at_the_terminal_and_not_shown() {
    let folder = Folder::new("console-asked");
    let words = "play susan --listen 127.0.0.1:0 --password";
    let mut terminal = Terminal::new(&folder, words);
    terminal.talk("=> Password for guests: / correct-horse");
    let seen = terminal.sees("waiting for the other person");
    lacks(&seen, "correct-horse");
    terminal.sees("to watch: join correct-horse watch");
    terminal.quits();
    // Ctrl-C leaves.
    let mut terminal = Terminal::new(&folder, words);
    terminal.sees("Password for guests: ");
    terminal.presses("correct");
    terminal.controls('c');
    terminal.leaves_with(0);
}

#[test]
fn the_password_of_guests_is_shown_and_replaced() {
    let (mut terminal, invitation) = host_alone();
    terminal.types("password");
    terminal.sees(&format!("\r\njoin {}", invitation.word));
    terminal.types("password new");
    let seen = terminal.sees("the new password: join ");
    lacks(&seen, &invitation.word);
    let mut other = invitation.connect();
    let old = format!("other: join {} => wrong password", invitation.word);
    talk!([other], &old);
    terminal.quits();
}

#[test]
fn a_flood_ends_the_guest_and_nothing_else() {
    let folder = Folder::new("console-flood");
    // An engine plays against the guest, and the host types nothing.
    let host = folder.linesman("play susan --listen 127.0.0.1:0 --p1 builtin --st 0.02");
    let invitation = Invitation::told(&host);
    // More lines than allowed, then a line without an end.
    for flood in [b"x\n".repeat(1 << 20), vec![b'x'; 1 << 20]] {
        let mut flooder = invitation.join("");
        while flooder.try_to_type(&flood).is_ok() {}
        heard(&host, "o left");
    }
    let mut polite = invitation.join("");
    polite.types(&[b'x'; 5000]);
    polite.types(b"\n\n");
    polite.sees("The line is longer than 4096 bytes");
    polite.sees("Type a move or a command");
    polite.types(b"clock\n");
    polite.sees("x has no clock, o has no clock");
    let peak = peak_memory(host.pid()).unwrap_or_default();
    assert!(peak < 256.0, "{peak} MiB");
}

/// Waits for a line with this text.
fn heard(host: &Run, text: &str) {
    while let Some(line) = host.line() {
        if line.contains(text) {
            return;
        }
    }
    panic!("{text:?} is not heard");
}

#[test]
fn a_guest_who_floods_is_told_so() {
    let (mut terminal, invitation) = host_alone();
    let mut flooder = invitation.join("");
    flooder.types(&b"draw\n".repeat(5000));
    let rest = flooder.rest();
    assert!(
        rest.ends_with("too much input: connection closed\r\n"),
        "{rest}"
    );
    let seen = terminal.sees("o left");
    assert!(seen.matches("offers a draw").count() <= 2, "{seen}");
    terminal.quits();
}

#[test]
fn a_guest_who_does_not_read_holds_nobody_up() {
    let (mut terminal, invitation) = host_alone();
    let mut deaf = invitation.join("");
    let _ = deaf.try_to_type(&b"?\n".repeat(50_000));
    terminal.talk("e5 => o left / clock => x has no clock, o has no clock");
    terminal.quits();
}

#[test]
fn a_spectator_sees_and_speaks_but_does_not_play() {
    let (mut terminal, invitation) = host_alone();
    let mut guest = invitation.join("");
    let mut spectator = invitation.join("watch");
    talk!(
        [spectator, guest, terminal],
        "spectator => you are watching / guest => (watching) joined / terminal: e5
        spectator => 1. x: e5 | o to move / spectator: b2 => You do not play in this game.
        spectator: undo => You are watching. Only players can use undo."
    );
    spectator.types(b"say well\xe2\x80\xae\n");
    talk!(
        [spectator, guest, terminal],
        r"guest => (watching): well\u{202e} / terminal => (watching): well\u{202e}
        guest: say hello / terminal => o: hello / spectator => o: hello
        terminal: say hi / guest => x: hi"
    );
    terminal.quits();
}

#[test]
fn moves_are_taken_back_with_the_others_consent() {
    let (mut terminal, _, mut guest) = joined(host_alone());
    talk!(
        [terminal, guest],
        "terminal: undo
        guest => x asks to take back 1 move: yes agrees, no or a move declines
        guest: no / terminal => declined / terminal: undo
        guest => x asks to take back 1 move / guest: yes
        terminal => 1. e5 was taken back; move 1 is next
        guest => 1. e5 was taken back; move 1 is next
        terminal: hint => is asked to allow them for both
        guest => x asks to allow hints and analysis for both: yes agrees
        guest: yes / terminal => accepted / terminal: hint
        guest => x asked an engine for a hint / terminal => hint: / terminal: auto p1
        guest => x is played by an engine, o is played by a person | 2. o>
        guest: draw"
    );
    guest.sees(" declines the draw");
    terminal.quits();
}

/// The program is killed and continues the game: the password is still valid.
#[test]
fn the_password_survives_the_program() {
    let folder = Folder::new("console-survives");
    let (terminal, invitation, mut guest) = joined(host(&folder, "--ledger l"));
    let mut watcher = invitation.connect();
    watcher.types(format!("join {} watch Eve\r\n", invitation.word).as_bytes());
    watcher.sees("you are watching");
    terminal.kills();
    guest.types(b"b2\r\n");
    guest.rest();
    let words = "play --continue l --listen 127.0.0.1:0";
    let mut terminal = Terminal::new(&folder, words);
    let again = Invitation::seen(&mut terminal);
    assert_eq!(again.word, invitation.word);
    let mut guest = again.connect();
    let dialogue = format!(
        "guest: join {0}x => wrong password / guest: join {0} Bob
        terminal => Bob (o) joined | 2. waiting for Bob (o)> / guest: d4 / terminal => 2. o (Bob): d4",
        again.word
    );
    talk!([guest, terminal], &dialogue);
    terminal.quits();
}

#[test]
fn a_removed_guest_does_not_know_the_password() {
    let (mut terminal, invitation, guest) = joined(host_alone());
    terminal.types("kick nobody");
    terminal.sees("kick: nobody here is called \"nobody\": type guest 1");
    terminal.types("kick guest 1");
    let (_, renewed) = terminal.finds(r"the new password: join \S+\r\n");
    has(&guest.rest(), "the host removed you");
    let word = renewed.trim().rsplit(' ').next().expect("a word");
    let mut stranger = invitation.connect();
    let dialogue = format!(
        "stranger: join {} => wrong password / stranger: join {word} p2 Bob => you play o
        terminal => 2. waiting for Bob (o)>",
        invitation.word
    );
    talk!([stranger, terminal], &dialogue);
    terminal.quits();
}

/// Those who connect and stay silent take the descriptors of nobody else: neither of a guest nor of the table, whose
/// engine starts with the game.
#[test]
fn silent_connections_leave_the_descriptors_of_the_table() {
    let folder = Folder::new("console-descriptors");
    let words = "play susan --listen 127.0.0.1:0 --p1 builtin --st 0.02 --ledger l";
    let host = folder.shell(&format!(
        "{CLOSE_INHERITED}; ulimit -Sn 96; exec LINESMAN {words}"
    ));
    let invitation = Invitation::told(&host);
    let silent: Vec<Guest> = (0..60).map(|_| invitation.connect()).collect();
    let mut guest = invitation.join("");
    guest.sees("2. o> ");
    guest.types(b"resign\n");
    guest.sees("{o resigns}");
    has(&folder.read("l"), "\"result\":\"1-0\"");
    drop(silent);
    let folder = Folder::new("console-few-descriptors");
    let done = folder
        .shell(&format!("ulimit -Sn 64; exec LINESMAN {words}"))
        .exits(1);
    begins(&done.stderr, "error: --listen: ");
    has(
        &done.stderr,
        "open files are needed and 64 are allowed: first run ulimit -n ",
    );
    assert!(!folder.has("l"));
}
