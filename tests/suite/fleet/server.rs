//! A nats-server of a test's own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::support::{Run, installed};

/// How long anything may take. The machine may be busy.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A server with JetStream on a port of its own, and files of its own, which are deleted at the end.
pub(super) struct Server {
    program: String,
    folder: TempDir,
    port: u16,
    config: String,
    process: Process,
}

/// A process that ends with its value.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// Starts a server; `None` where there is none, which is reported.
    pub(super) fn start(test: &str) -> Option<Server> {
        Server::start_with(test, |_| String::new())
    }

    /// As [`start`](Server::start), with lines of a configuration file, which may name files of the folder that is given.
    pub(super) fn start_with(
        test: &str,
        config: impl FnOnce(&std::path::Path) -> String,
    ) -> Option<Server> {
        let program = installed("nats-server")?;
        let folder = tempfile::Builder::new()
            .prefix(&format!("linesman-{test}-"))
            .tempdir();
        let folder = folder.expect("a folder for the server");
        let config = config(folder.path());
        let (process, port) = launch(&program, &folder, 0, &config);
        Some(Server {
            program,
            folder,
            port,
            config,
            process,
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(super) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// kill -9, and a new server with the same files at the same port.
    pub(super) fn restart(&mut self) {
        self.process.0.kill().expect("it runs");
        self.process.0.wait().expect("it was killed");
        (self.process, _) = launch(&self.program, &self.folder, self.port, &self.config);
    }

    /// kill -9, and a new server that has lost all its files.
    pub(super) fn restart_empty(&mut self) {
        self.process.0.kill().expect("it runs");
        self.process.0.wait().expect("it was killed");
        std::fs::remove_dir_all(self.folder.path().join("js")).expect("its files");
        (self.process, _) = launch(&self.program, &self.folder, self.port, &self.config);
    }

    /// A plain connection, which takes the lines of the protocol of NATS.
    pub(super) fn client(&self) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut client = Client {
            reader: BufReader::new(stream.try_clone().expect("a second handle")),
            stream,
        };
        client.line();
        client.send(b"CONNECT {\"verbose\":false,\"headers\":true}\r\n");
        client
    }
}

/// Starts a server; at a free port for port 0. Returns when it takes connections.
fn launch(program: &str, folder: &TempDir, port: u16, config: &str) -> (Process, u16) {
    let ports = folder.path().join("ports");
    let _ = std::fs::remove_dir_all(&ports);
    std::fs::create_dir_all(&ports).expect("a folder");
    let file = folder.path().join("server.conf");
    let text = format!("ports_file_dir: \"{}\"\n{config}", ports.display());
    std::fs::write(&file, text).expect("a file");
    let port_word = if port == 0 {
        "-1".to_owned()
    } else {
        port.to_string()
    };
    let store = folder.path().join("js");
    let child = Command::new(program)
        .args(["-js", "-a", "127.0.0.1", "-p", &port_word, "-sd"])
        .arg(&store)
        .arg("-c")
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let process = Process(child.expect("it starts"));
    let deadline = Instant::now() + PATIENCE;
    loop {
        assert!(Instant::now() < deadline, "nats-server does not start");
        let told = std::fs::read_dir(&ports)
            .expect("a folder")
            .flatten()
            .next();
        let text = told.and_then(|entry| std::fs::read_to_string(entry.path()).ok());
        if let Some(port) = text.as_deref().and_then(port_of)
            && TcpStream::connect(("127.0.0.1", port)).is_ok()
        {
            return (process, port);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The port in the file that the server writes: `{"nats":["nats://127.0.0.1:1234"]}`.
fn port_of(text: &str) -> Option<u16> {
    let ports: serde_json::Value = serde_json::from_str(text).ok()?;
    let address = ports["nats"][0].as_str().or(ports["tls"][0].as_str())?;
    address.rsplit(':').next()?.parse().ok()
}

/// Sends SIGTERM.
pub(super) fn terminate(run: &Run) {
    signal(run, Signal::TERM);
}

/// Sends SIGINT.
pub(super) fn interrupt(run: &Run) {
    signal(run, Signal::INT);
}

/// Sends SIGKILL: the process can do nothing any more.
pub(super) fn kill(run: &Run) {
    signal(run, Signal::KILL);
}

fn signal(run: &Run, signal: Signal) {
    let pid = i32::try_from(run.pid()).ok().and_then(Pid::from_raw);
    kill_process(pid.expect("a process"), signal).expect("it runs");
}

/// A connection that knows only lines.
pub(super) struct Client {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    /// Publishes bytes.
    pub(super) fn publish(&mut self, subject: &str, payload: &[u8]) {
        let head = format!("PUB {subject} {}\r\n", payload.len());
        self.send(&[head.as_bytes(), payload, b"\r\n"].concat());
    }

    /// Asks for one answer.
    pub(super) fn request(&mut self, subject: &str, payload: &[u8]) -> Vec<u8> {
        let inbox = format!("_INBOX.test.{}", fastrand::u64(..));
        self.send(format!("SUB {inbox} 1\r\nUNSUB 1 1\r\n").as_bytes());
        let head = format!("PUB {subject} {inbox} {}\r\n", payload.len());
        self.send(&[head.as_bytes(), payload, b"\r\n"].concat());
        loop {
            let line = self.line();
            if let Some(words) = line.strip_prefix("MSG ") {
                let n_bytes = words.rsplit(' ').next().and_then(|n| n.trim().parse().ok());
                let mut payload = vec![0; n_bytes.expect("a length")];
                self.reader.read_exact(&mut payload).expect("a payload");
                return payload;
            }
            if line.starts_with("HMSG ") {
                return Vec::new();
            }
        }
    }

    /// Waits until the server has all that was sent.
    pub(super) fn flush(&mut self) {
        self.send(b"PING\r\n");
        while !self.line().starts_with("PONG") {}
    }

    fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("it reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a line");
        if line.starts_with("PING") {
            self.send(b"PONG\r\n");
        }
        line
    }
}
