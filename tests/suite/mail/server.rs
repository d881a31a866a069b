//! A club behind a real mail server, OpenSMTPD, on the loopback interface.

use std::fs::{self, Permissions};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::Letter;
use crate::support::{Folder, installed, python};

/// Timeout of a delivery; nothing takes nearly as long.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Poll interval for e-mails and for the server's start.
const POLL: Duration = Duration::from_millis(10);

/// OpenSMTPD's socket, because of which only one server can run on a machine.
const SOCKET: &str = "/var/run/smtpd.sock";

/// Submits the message on standard input to the server, as a player's mail program does.
const SUBMIT: &str = "\
import smtplib, sys
port, sender, recipient = sys.argv[1], sys.argv[-3], sys.argv[-1]
with smtplib.SMTP('127.0.0.1', int(port)) as server:
    server.sendmail(sender, [recipient], sys.stdin.buffer.read())
";

/// A mail server that is stopped on drop.
struct Server {
    child: Child,
    folder: Folder,
    python: String,
    port: u16,
}

fn skip(why: &str) -> Option<Server> {
    let _ = writeln!(std::io::stdout(), "SKIPPED: {why}");
    None
}

impl Server {
    /// Starts the server; `None`, with the reason reported, if it cannot run.
    fn start() -> Option<Server> {
        let (smtpd, python) = (installed("smtpd")?, python()?);
        // The club's e-mails go to the server through its sendmail.
        let sendmail = fs::canonicalize("/usr/sbin/sendmail").unwrap_or_default();
        if !sendmail.ends_with("smtpctl") {
            return skip("/usr/sbin/sendmail is not OpenSMTPD's");
        }
        if !rustix::process::getuid().is_root() {
            return skip("OpenSMTPD is started by root alone");
        }
        if UnixStream::connect(SOCKET).is_ok() {
            return skip("another OpenSMTPD runs here");
        }
        // Another program may take the port between the choice and the start.
        loop {
            if let Some(server) = Server::launch(&smtpd, &python) {
                return Some(server);
            }
        }
    }

    /// Starts the server on a free port; `None` if the port is taken meanwhile.
    fn launch(smtpd: &str, python: &str) -> Option<Server> {
        let folder = Folder::new("mail-server");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let path = |name: &str| folder.path(name).display().to_string();
        fs::write(folder.path("submit.py"), SUBMIT).expect("it is written");
        // The server delivers as a user without permission to read the build folder.
        fs::copy(env!("CARGO_BIN_EXE_linesman-test"), folder.path("linesman")).expect("a copy");
        fs::create_dir(folder.path("boxes")).expect("a folder");
        let create = format!(
            "{} club create {} --address games@club{port}.test --host host@players{port}.test",
            path("linesman"),
            path("club.db")
        );
        assert_eq!(folder.shell(&create).done().status, Some(0));
        // A file `kill` makes the filter kill itself once.
        let filter = format!(
            "rm {} && kill -9 $$\nexec {} mail --store {}\n",
            path("kill"),
            path("linesman"),
            path("club.db")
        );
        fs::write(folder.path("filter"), filter).expect("it is written");
        for open in ["", "boxes", "club.db"] {
            let anybody = Permissions::from_mode(0o777);
            fs::set_permissions(folder.path(open), anybody).expect("it is ours");
        }
        let settings = format!(
            "table users {{ \"@\" = \"nobody\" }}\n\
             listen on 127.0.0.1 port {port} hostname localhost\n\
             action \"games{port}\" mda \"sh {filter} 2>> {log} || exit 75\" virtual <users>\n\
             action \"box{port}\" maildir \"{boxes}/%{{dest.user}}\" virtual <users>\n\
             match from any for rcpt-to \"games@club{port}.test\" action \"games{port}\"\n\
             match from any for domain \"players{port}.test\" action \"box{port}\"\n",
            filter = path("filter"),
            log = path("errors"),
            boxes = path("boxes"),
        );
        fs::write(folder.path("smtpd.conf"), settings).expect("it is written");
        let mut child = Command::new(smtpd)
            .args(["-d", "-f"])
            .arg(folder.path("smtpd.conf"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.path("log")).expect("a file"))
            .spawn()
            .expect("it starts");
        let deadline = Instant::now() + TIME_LIMIT;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if child.try_wait().expect("it can be waited for").is_some() {
                let log = folder.read("log");
                assert!(log.contains("Address already in use"), "{log}");
                return None;
            }
            assert!(Instant::now() < deadline, "{}", folder.read("log"));
            thread::sleep(POLL);
        }
        Some(Server {
            child,
            folder,
            python: python.to_owned(),
            port,
        })
    }

    /// The address of a player. It is different in each test, because the server's queue persists after the test.
    fn address(&self, name: &str) -> String {
        format!("{name}@players{}.test", self.port)
    }

    /// Sends a message to the club, as this player's mail program would.
    fn send(&self, name: &str, header: &str, subject: &str, text: &str) {
        let from = self.address(name);
        self.submit(&from, &from, header, subject, text);
    }

    /// Sends a message to the club with this sender in the envelope.
    fn submit(&self, envelope: &str, from: &str, header: &str, subject: &str, text: &str) {
        let club = format!("games@club{}.test", self.port);
        let message = format!("From: {from}\nTo: {club}\nSubject: {subject}\n{header}\n{text}\n");
        let mut child = Command::new(&self.python)
            .arg(self.folder.path("submit.py"))
            .args([&self.port.to_string(), "-f", envelope, "--", &club])
            .stdin(Stdio::piped())
            .spawn()
            .expect("python runs");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(message.as_bytes()).expect("it reads");
        drop(stdin);
        assert!(
            child.wait().expect("it ends").success(),
            "{}",
            self.folder.read("log")
        );
    }

    fn answer(&self, name: &str, letter: &Letter, text: &str) {
        let header = format!("In-Reply-To: <{0}>\nReferences: <{0}>\n", letter.id);
        self.send(name, &header, &format!("Re: {}", letter.subject), text);
    }

    /// Waits for an e-mail in a player's mailbox whose subject contains these words.
    fn letter(&self, name: &str, subject: &str) -> Letter {
        let deadline = Instant::now() + TIME_LIMIT;
        loop {
            let files = fs::read_dir(self.folder.path(&format!("boxes/{name}/new")));
            let paths = files
                .into_iter()
                .flatten()
                .map(|file| file.expect("a file").path());
            let letters =
                paths.map(|path| Letter::parse(&fs::read_to_string(path).expect("a letter")));
            if let Some(letter) = letters
                .into_iter()
                .find(|letter| letter.subject.contains(subject))
            {
                return letter;
            }
            assert!(
                Instant::now() < deadline,
                "no letter to {name} about {subject}: {} {}",
                self.folder.read("log"),
                self.folder.read("errors")
            );
            thread::sleep(POLL);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // On SIGTERM it removes its socket.
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
    }
}

#[test]
fn a_club_behind_a_mail_server() {
    let Some(server) = Server::start() else {
        return;
    };
    server.send("ann", "", "signup ann", "");
    server.send("bob", "", "signup bob", "");
    let (ann, bob) = (
        server.letter("ann", "account"),
        server.letter("bob", "account"),
    );
    assert_eq!(ann.to, server.address("ann"));
    server.answer("bob", &bob, "whoami\n");
    server.letter("bob", "Re: Your account");
    server.answer("ann", &ann, "challenge susan:Size=3 bob\n");
    let challenge = server.letter("bob", "ann challenges you");
    server.answer("bob", &challenge, "accept\n");
    let first = server.letter("ann", "Your move 1");
    server.answer("ann", &first, "b2\n");
    let second = server.letter("bob", "Your move 2");
    assert!(second.text.contains("1. b2"), "{}", second.text);
    server.answer("bob", &second, "c3\n");
    let third = server.letter("ann", "Your move 3");
    assert!(
        third.references.contains(&first.id),
        "one thread: {}",
        third.raw
    );
    server.answer("ann", &ann, "challenge susan:Size=3 level=0 linesman\n");
    server.letter("ann", "[susan 2]");

    // A message with an empty sender is neither executed nor answered.
    let from = server.address("carl");
    server.submit("", &from, "", "signup carl", "");
    // A message whose filter is killed stays in the queue.
    fs::write(server.folder.path("kill"), "").expect("it is written");
    let anybody = Permissions::from_mode(0o666);
    fs::set_permissions(server.folder.path("kill"), anybody).expect("it is ours");
    server.send("dora", "", "signup dora", "");
    let deadline = Instant::now() + TIME_LIMIT;
    while !server.folder.read("log").contains("result=TempFail") {
        assert!(Instant::now() < deadline, "{}", server.folder.read("log"));
        thread::sleep(POLL);
    }
    let scheduled = Command::new("smtpctl").args(["schedule", "all"]).output();
    assert!(scheduled.expect("smtpctl runs").status.success());
    server.letter("dora", "Your account dora");
    let boxes = fs::read_dir(server.folder.path("boxes")).expect("a folder");
    let mut names: Vec<_> = boxes
        .map(|entry| entry.expect("a box").file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["ann", "bob", "dora"],
        "no answer to carl, no report"
    );
}
