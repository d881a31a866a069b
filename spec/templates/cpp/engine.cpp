// The protocol of an engine. A thread reads the commands, so that a search can carry out those that cannot wait.
// The game and its search are in game.cpp.
#include "engine.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <mutex>
#include <thread>

using Line = std::optional<std::string>; // none at the end of the input

constexpr std::size_t LONGEST = 1 << 20; // bytes of a line
constexpr double RESERVE = 0.05;         // seconds of a clock that are not used
const Words TIMES = {"p1time", "p2time", "p1inc", "p2inc", "movetime"}, COUNTS = {"movestogo", "depth", "nodes"},
            OTHERS = {"infinite", "ponder", "searchmoves"};
const Words ENDING = {"p1time", "p2time", "movetime", "depth", "nodes"}; // the limits that end a search

std::mutex mutex; // of those that arrived
std::condition_variable has_arrived;
std::deque<Line> arrived;
std::deque<Line> waiting; // lines that came during a search and are carried out after it

void say(const std::string& line) { std::cout << line << std::endl; } // without a flush the reply stays in the buffer

std::string quote(const std::string& word) {
    auto text = word.substr(0, 80);
    std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return '"' + text + '"';
}

void expect(bool is_true, const std::string& what) {
    if (!is_true) throw Wrong(what);
}

bool is_among(const std::string& word, const Words& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string lower(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return word;
}

// Returns the words of a line; the first one in lower case, or empty.
Words words_of(const std::string& line) {
    const std::string blanks(" \t\v\f\r\0", 6);
    Words words;
    for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string::npos;) {
        const auto end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    if (words.empty()) words.emplace_back();
    words[0] = lower(words[0]);
    return words;
}

Line next_line() {
    std::unique_lock lock(mutex);
    has_arrived.wait(lock, [] { return !arrived.empty(); });
    auto line = std::move(arrived.front());
    arrived.pop_front();
    return line;
}

bool is_line_there() {
    std::lock_guard lock(mutex);
    return !arrived.empty();
}

double number_or(const Limits& limits, const std::string& name, double otherwise) {
    const auto found = limits.find(name);
    return found == limits.end() ? otherwise : found->second;
}

constexpr double UNLIMITED = std::numeric_limits<double>::infinity();

Search::Search(const Limits& limits, double seconds)
    : depth(number_or(limits, "depth", UNLIMITED)), max_nodes(number_or(limits, "nodes", UNLIMITED)), seconds(seconds),
      is_pondering(limits.count("ponder") > 0) {
    for (const auto& name : ENDING) is_bounded |= limits.count(name) && !limits.count("infinite");
    for (auto& line : std::exchange(waiting, {})) notice(std::move(line));
}

double Search::elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool Search::must_stop() {
    if (is_stopped) return true;
    auto is_over = ++nodes >= max_nodes;
    if (static_cast<long long>(nodes) % 1024 == 0) {
        while (is_line_there()) notice(next_line());
        is_over |= elapsed() >= seconds;
    }
    return is_stopped |= is_over && is_bounded && !is_pondering;
}

void Search::report(int depth, const std::string& move) const {
    const auto time = elapsed(), counted = std::max(nodes, 1.0);
    const auto whole = [](double number) { return std::to_string(static_cast<long long>(number)); };
    say("info depth " + std::to_string(depth) + " nodes " + whole(counted) + " time " + whole(time * 1000) + " nps " +
        whole(counted / std::max(time, 1e-6)) + " pv " + move);
}

void Search::notice(Line line) {
    const auto words = line ? words_of(*line) : Words();
    const auto alone = words.size() == 1 ? words[0] : "";
    if (alone == "isready") return say("readyok");
    if (alone == "ponderhit" && is_pondering) {
        is_pondering = false;
        begin = std::chrono::steady_clock::now();
        return;
    }
    if (alone == "quit") waiting.clear();
    is_stopped |= alone == "stop" || alone == "quit" || (!line && must_hold());
    if (alone != "stop" || !waiting.empty()) waiting.push_back(std::move(line)); // it ends those that wait, too
}

// Returns the time for a move in seconds, by the clock of the player to move.
double seconds_for_move(const Limits& limits, int player) {
    const auto own = "p" + std::to_string(player), other = "p" + std::to_string(3 - player);
    const auto clock = number_or(limits, own + "time", number_or(limits, other + "time", UNLIMITED));
    const auto moves = number_or(limits, "movestogo", 0);
    const auto share = clock / (moves > 0 ? std::min(moves, 20.0) : 20.0) + number_or(limits, own + "inc", 0);
    return std::min({number_or(limits, "movetime", UNLIMITED), share, clock - RESERVE * 1000}) / 1000;
}

bool is_limit(const std::string& name) { return is_among(name, TIMES) || is_among(name, COUNTS) || is_among(name, OTHERS); }

double number(const std::string& name, const std::string& word) {
    const auto is_signed = word[0] == '+' || (word[0] == '-' && is_among(name, TIMES)); // only times can be negative
    const auto digits = word.substr(is_signed);
    const auto is_number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    expect(is_number, name + ": expected a whole number");
    return std::strtod(word.c_str(), nullptr);
}

void go(const Words& words) {
    const auto [player, legal] = game::to_move();
    auto moves = legal;
    Limits limits;
    for (auto word = words.begin(); word != words.end();) {
        const auto name = lower(*word++);
        const auto is_new = is_limit(name) && !limits.count(name);
        expect(is_new, "unexpected " + quote(name) + " after go: expected limits, each once");
        limits[name] = is_among(name, OTHERS) ? 0 : number(name, word == words.end() ? "" : *word++);
        if (name != "searchmoves") continue;
        const auto end = std::find_if(word, words.end(), [](const auto& text) { return is_limit(lower(text)); });
        moves.assign(word, end);
        const auto is_legal = [&legal = legal](const auto& move) { return is_among(move, legal); };
        expect(!moves.empty() && std::all_of(word, end, is_legal), "searchmoves: expected legal moves");
        word = end;
    }
    if (moves.empty()) return say("info error game is over\nbestmove none");
    Search search(limits, seconds_for_move(limits, player));
    const auto [depth, best] = game::search(moves, search);
    search.report(depth, best);
    while (search.must_hold()) search.notice(next_line());
    say("bestmove " + best);
}

// Lets the game carry out a command. The option `Ponder` is for the client alone.
void relay(const Words& words) {
    std::string line;
    for (const auto& word : words) line += lower(word) + ' ';
    const std::string ponder = "setoption name ponder value ";
    if (line == ponder + "true " || line == ponder + "false ") return;
    for (const auto& answer : game::answer(words)) say(answer);
}

void ugi() {
    say("id name " + game::NAME + "\nid author " + game::AUTHOR + "\noption name Ponder type check default false");
    for (const auto& option : game::OPTIONS) say(option);
    say("ugiok");
}

const std::map<std::string, std::function<void()>> COMMANDS = { // those without further words
    {"ugi", ugi}, {"isready", [] { say("readyok"); }}, {"uginewgame", [] { relay({"uginewgame"}); }},
    {"stop", [] {}}, {"quit", [] { std::_Exit(0); }}, {"", [] {}}};

void carry_out(const std::string& line) {
    const auto is_long = line.size() - (!line.empty() && line.back() == '\r') > LONGEST;
    expect(!is_long, "line too long: expected at most " + std::to_string(LONGEST) + " bytes");
    const auto words = words_of(line);
    if (words[0] == "go") return go(Words(words.begin() + 1, words.end()));
    if (words[0] == "setoption" || words[0] == "position" || words[0] == "query") return relay(words);
    const auto found = COMMANDS.find(words[0]);
    expect(found != COMMANDS.end(), "unknown command " + quote(words[0]) + ": expected ugi, isready, go, ...");
    if (words.size() > 1) say("info error surplus word " + quote(words[1]) + ": expected the end of the line");
    found->second();
}

void read() {
    for (bool is_open = true; is_open;) {
        std::string line;
        is_open = static_cast<bool>(std::getline(std::cin, line));
        std::lock_guard lock(mutex);
        arrived.push_back(is_open ? Line(std::move(line)) : std::nullopt);
        has_arrived.notify_one();
    }
}

int main() {
    std::thread(read).detach();
    for (;;) {
        Line line;
        if (waiting.empty()) {
            line = next_line();
        } else {
            line = std::move(waiting.front());
            waiting.pop_front();
        }
        if (!line) std::_Exit(0); // without an end of the thread
        try {
            carry_out(*line);
        } catch (const Wrong& why) {
            say(std::string("info error ") + why.what());
        }
    }
}
