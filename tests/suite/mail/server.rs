//! A club behind real mail servers, OpenSMTPD and Postfix, on the loopback interface, with the documented settings.

use std::fs::{self, Permissions};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use laws::needed::lacking;
use rustix::process::{Pid, Signal, kill_process};

use super::Letter;
use crate::support::{Folder, has, program, python};

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

/// The unpacked package of Postfix (`.ci/run`), which cannot be installed next to OpenSMTPD.
const POSTFIX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/postfix/usr");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    OpenSmtpd,
    Postfix,
}

/// A mail server that is stopped on drop.
struct Server {
    kind: Kind,
    child: Child,
    folder: Folder,
    python: String,
    port: u16,
}

impl Server {
    /// Starts the server; `None`, with the reason reported, if it cannot run.
    fn start(kind: Kind) -> Option<Server> {
        let python = python()?;
        // The club's e-mails go to OpenSMTPD through its sendmail.
        let is_its_sendmail = || {
            let sendmail = fs::canonicalize("/usr/sbin/sendmail").unwrap_or_default();
            sendmail.ends_with("smtpctl")
        };
        let reason = if !rustix::process::getuid().is_root() {
            Some(("mail servers are started by root alone", "run it as root"))
        } else if kind == Kind::Postfix && !Path::new(POSTFIX).is_dir() {
            Some((
                "there is no Postfix in target/postfix",
                ".ci/run unpacks it",
            ))
        } else if kind == Kind::OpenSmtpd && !is_its_sendmail() {
            Some((
                "/usr/sbin/sendmail is not OpenSMTPD's",
                "apt-get install opensmtpd",
            ))
        } else if kind == Kind::OpenSmtpd && UnixStream::connect(SOCKET).is_ok() {
            Some(("another OpenSMTPD runs here", "stop it"))
        } else {
            None
        };
        if let Some((what, remedy)) = reason {
            lacking(what, remedy);
            return None;
        }
        // Another program may take the port between the choice and the start.
        loop {
            if let Some(server) = Server::launch(kind, &python) {
                return Some(server);
            }
        }
    }

    /// Starts the server on a free port; `None` if the port is taken meanwhile.
    fn launch(kind: Kind, python: &str) -> Option<Server> {
        let folder = Folder::new("mail-server");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let path = |name: &str| folder.path(name).display().to_string();
        folder.write("submit.py", SUBMIT);
        // The server delivers as a user without permission to read the build folder.
        for name in ["linesman", "linesman-club"] {
            fs::copy(program(name), folder.path(name)).expect("a copy");
        }
        fs::create_dir(folder.path("boxes")).expect("a folder");
        let create = format!(
            "{} create --store {} --address games@club{port}.test --host host@players{port}.test",
            path("linesman-club"),
            path("club.db")
        );
        folder.shell(&create).exits(0);
        let sendmail = match kind {
            Kind::OpenSmtpd => "/usr/sbin/sendmail".to_owned(),
            Kind::Postfix => path("bin/sendmail"),
        };
        // A file `kill` makes the filter kill itself once.
        let filter = format!(
            "#!/bin/sh\nrm {} 2>/dev/null && kill -9 $$\nexec {} mail --store {} --sendmail '{sendmail} -i' 2>> {}\n",
            path("kill"),
            path("linesman-club"),
            path("club.db"),
            path("errors")
        );
        folder.write("filter", filter);
        for open in ["", "boxes", "club.db", "filter"] {
            let anybody = Permissions::from_mode(0o777);
            fs::set_permissions(folder.path(open), anybody).expect("it is ours");
        }
        let mut command = match kind {
            Kind::OpenSmtpd => opensmtpd(&folder, port),
            Kind::Postfix => postfix(&folder, port),
        };
        let mut child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.path("stderr")).expect("a file"))
            .spawn()
            .expect("it starts");
        let deadline = Instant::now() + TIME_LIMIT;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if child.try_wait().expect("it can be waited for").is_some() {
                let log = read_log(&folder);
                has(&log, "Address already in use");
                return None;
            }
            assert!(Instant::now() < deadline, "{}", read_log(&folder));
            thread::sleep(POLL);
        }
        Some(Server {
            kind,
            child,
            folder,
            python: python.to_owned(),
            port,
        })
    }

    fn log(&self) -> String {
        read_log(&self.folder)
    }

    /// Delivers the messages in the queue now.
    fn flush(&self) {
        let mut command = match self.kind {
            Kind::OpenSmtpd => {
                let mut command = Command::new("smtpctl");
                command.args(["schedule", "all"]);
                command
            }
            Kind::Postfix => {
                let mut command = unpacked("sbin/postqueue");
                command.arg("-c").arg(self.folder.path("")).arg("-f");
                command
            }
        };
        let done = command.output().expect("it runs");
        assert!(done.status.success(), "{done:?}");
    }

    /// The address of a player. It is different in each test, because the server's queue persists after the test.
    fn address(&self, name: &str) -> String {
        format!("{name}@players{}.test", self.port)
    }

    /// Sends a message to the club, as this player's mail program would.
    fn send(&self, name: &str, header: &str, subject: &str, text: &str) {
        let from = self.address(name);
        let message = format!("From: {from}\nSubject: {subject}\n{header}\n{text}\n");
        assert!(self.submit(&from, "games", &message), "{}", self.log());
    }

    /// Sends a message from this sender to a name at the club's domain; `false` if the server rejects it.
    fn submit(&self, sender: &str, recipient: &str, message: &str) -> bool {
        let to = format!("{recipient}@club{}.test", self.port);
        let mut child = Command::new(&self.python)
            .arg(self.folder.path("submit.py"))
            .args([&self.port.to_string(), "-f", sender, "--", &to])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python runs");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(message.as_bytes()).expect("it reads");
        drop(stdin);
        child.wait().expect("it ends").success()
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
                self.log(),
                fs::read_to_string(self.folder.path("errors")).unwrap_or_default()
            );
            thread::sleep(POLL);
        }
    }
}

/// The output of the server.
fn read_log(folder: &Folder) -> String {
    let files = ["stderr", "log"].map(|name| fs::read_to_string(folder.path(name)));
    files.map(Result::unwrap_or_default).concat()
}

fn opensmtpd(folder: &Folder, port: u16) -> Command {
    let settings = format!(
        "table users {{ \"@\" = \"nobody\" }}\n\
         listen on 127.0.0.1 port {port} hostname localhost\n\
         action \"games{port}\" mda \"{} || exit 75\" virtual <users>\n\
         action \"box{port}\" maildir \"{}/%{{dest.user}}\" virtual <users>\n\
         match from any for rcpt-to \"games@club{port}.test\" action \"games{port}\"\n\
         match from any for domain \"players{port}.test\" action \"box{port}\"\n",
        folder.path("filter").display(),
        folder.path("boxes").display(),
    );
    folder.write("smtpd.conf", settings);
    let mut command = Command::new("smtpd");
    command.args(["-d", "-f"]).arg(folder.path("smtpd.conf"));
    command
}

/// A program of the unpacked Postfix.
fn unpacked(program: &str) -> Command {
    let mut command = Command::new(format!("{POSTFIX}/{program}"));
    command.env("LD_LIBRARY_PATH", format!("{POSTFIX}/lib/postfix"));
    command
}

fn postfix(folder: &Folder, port: u16) -> Command {
    let path = |name: &str| folder.path(name).display().to_string();
    let own = |name: &str, mode: u32| {
        // The user `mail` and the groups `mail` and `lp` exist on each Debian system.
        fs::create_dir_all(folder.path(name)).expect("a folder");
        chown(
            folder.path(name),
            Some(8),
            Some(if mode == 0o700 { 8 } else { 7 }),
        )
        .expect("root");
        fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).expect("it is ours");
    };
    for name in
        "active bounce corrupt defer deferred flush hold incoming private saved trace".split(' ')
    {
        own(&format!("queue/{name}"), 0o700);
    }
    own("data", 0o700);
    // Without set-group-id programs, each user may send.
    own("queue/public", 0o777);
    own("queue/maildrop", 0o777);
    fs::create_dir(folder.path("bin")).expect("a folder");
    let libraries = ["dns", "global", "master", "tls", "util"];
    let libraries = libraries.map(|name| format!("lib/postfix/libpostfix-{name}.so"));
    let programs = ["sbin/sendmail", "sbin/postdrop"].map(str::to_owned);
    for from in libraries.iter().chain(&programs) {
        let to = Path::new("bin").join(Path::new(from).file_name().expect("a name"));
        let copied = fs::copy(
            format!("{POSTFIX}/{from}"),
            folder.path(&to.display().to_string()),
        );
        copied.expect("a copy");
    }
    let anybody = Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("bin"), anybody).expect("it is ours");
    fs::create_dir(folder.path("queue/pid")).expect("a folder");
    for name in ["queue", "queue/pid"] {
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(name), mode).expect("it is ours");
    }
    let games = format!("games@club{port}.test linesman:\n");
    folder.write("transport", games);
    let boxes = ["ann", "bob", "carl", "dora", "host"];
    let boxes = boxes.map(|name| format!("{name}@players{port}.test {name}/\n"));
    folder.write("players", boxes.concat());
    let main = format!(
        "compatibility_level = 3.6\nqueue_directory = {queue}\ncommand_directory = {bin}\n\
         daemon_directory = {POSTFIX}/lib/postfix/sbin\ndata_directory = {data}\n\
         shlib_directory = {POSTFIX}/lib/postfix\nmail_owner = mail\nsetgid_group = lp\n\
         default_privs = nobody\ninet_interfaces = 127.0.0.1\ninet_protocols = ipv4\n\
         myhostname = club{port}.test\nmydestination = club{port}.test\nalias_maps =\nalias_database =\n\
         maillog_file = {log}\nmaillog_file_prefixes = /\n\
         import_environment = MAIL_CONFIG LD_LIBRARY_PATH={bin}\n\
         export_environment = MAIL_CONFIG LD_LIBRARY_PATH={bin}\n\
         virtual_mailbox_domains = players{port}.test\nvirtual_mailbox_base = {boxes}\n\
         virtual_mailbox_maps = texthash:{players}\nvirtual_uid_maps = static:65534\n\
         virtual_gid_maps = static:65534\n\
         transport_maps = texthash:{transport}\n\
         local_recipient_maps = proxy:unix:passwd.byname $alias_maps $transport_maps\n",
        bin = path("bin"),
        queue = path("queue"),
        data = path("data"),
        log = path("log"),
        boxes = path("boxes"),
        players = path("players"),
        transport = path("transport"),
    );
    folder.write("main.cf", main);
    let services = [
        format!("{port} inet n - n - - smtpd"),
        "pickup unix n - n 60 1 pickup".to_owned(),
        "cleanup unix n - n - 0 cleanup".to_owned(),
        "qmgr unix n - n 300 1 qmgr".to_owned(),
        "rewrite unix - - n - - trivial-rewrite".to_owned(),
        "bounce unix - - n - 0 bounce".to_owned(),
        "defer unix - - n - 0 bounce".to_owned(),
        "trace unix - - n - 0 bounce".to_owned(),
        "flush unix n - n 1000? 0 flush".to_owned(),
        "proxymap unix - - n - - proxymap".to_owned(),
        "error unix - - n - - error".to_owned(),
        "retry unix - - n - - error".to_owned(),
        "local unix - n n - - local".to_owned(),
        "virtual unix - n n - - virtual".to_owned(),
        "postlog unix-dgram n - n - 1 postlogd".to_owned(),
        format!(
            "linesman unix - n n - 1 pipe flags=R null_sender= user=nobody argv={}",
            path("filter")
        ),
    ];
    folder.write("master.cf", services.join("\n") + "\n");
    let mut command = unpacked("lib/postfix/sbin/master");
    command.arg("-c").arg(folder.path("")).arg("-d");
    command
}

impl Drop for Server {
    fn drop(&mut self) {
        // On SIGTERM it removes its socket.
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
    }
}

#[test]
fn a_club_behind_opensmtpd() {
    serve(Kind::OpenSmtpd);
}

#[test]
fn a_club_behind_postfix() {
    serve(Kind::Postfix);
}

/// Plays a few moves, then sends what must not be answered or lost.
fn serve(kind: Kind) {
    let server = or_skip!(Server::start(kind));
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
    has(&second.text, "1. b2");
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
    let signup = format!("From: {from}\nSubject: signup carl\n\n");
    assert!(server.submit("", "games", &signup), "{}", server.log());
    // A name that does not exist is rejected at once, so no report goes to a forged sender.
    assert!(!server.submit(&from, "absent", &signup));
    // A message whose filter is killed stays in the queue.
    server.folder.write("kill", "");
    let anybody = Permissions::from_mode(0o666);
    fs::set_permissions(server.folder.path("kill"), anybody).expect("it is ours");
    server.send("dora", "", "signup dora", "");
    let deferred = match kind {
        Kind::OpenSmtpd => "result=TempFail",
        Kind::Postfix => "status=deferred",
    };
    let deadline = Instant::now() + TIME_LIMIT;
    while !server.log().contains(deferred) {
        assert!(Instant::now() < deadline, "{}", server.log());
        thread::sleep(POLL);
    }
    server.flush();
    server.letter("dora", "Your account dora");
    let boxes = fs::read_dir(server.folder.path("boxes")).expect("a folder");
    let mut names: Vec<_> = boxes
        .map(|entry| entry.expect("a box").file_name())
        .collect();
    names.sort();
    let expected = ["ann", "bob", "dora"];
    assert_eq!(names, expected, "no answer to carl, no report");
}
