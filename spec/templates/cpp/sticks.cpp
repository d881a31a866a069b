// Sticks as a UGI engine: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
// A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
#include <algorithm>
#include <cctype>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

constexpr std::size_t LONGEST = 1 << 20; // bytes of a line

struct Wrong : std::runtime_error { // an error in a line, which then changes nothing
    using runtime_error::runtime_error;
};

int n_sticks = 21;           // the option
int sticks = 21, player = 1; // the position
int held = 0;                // the move of a search that waits for `stop`, or 0

// Without a flush the reply stays in the buffer.
void say(const std::string& line) { std::cout << line << std::endl; }

void expect(bool is_true, const std::string& what) {
    if (!is_true) throw Wrong(what);
}

std::string quote(const std::string& word) { return '"' + word.substr(0, 80) + '"'; }

bool is_number(const std::string& word, const char* signs, std::size_t most_digits = LONGEST) {
    const auto is_signed = !word.empty() && std::string(signs).find(word[0]) != std::string::npos;
    const auto digits = word.substr(is_signed);
    return !digits.empty() && digits.size() <= most_digits && digits.find_first_not_of("0123456789") == std::string::npos;
}

int parse_move(const std::string& word, int left) {
    const auto is_move = word.size() == 1 && word[0] >= '1' && word[0] <= '3' && word[0] - '0' <= left;
    expect(is_move, quote(word) + ": expected 1, 2 or 3, and no more than are left");
    return word[0] - '0';
}

void set_option(const Words& words) {
    const auto is_it = words.size() == 4 && words[0] == "name" && words[1] == "sticks" && words[2] == "value";
    const auto value = is_it && is_number(words[3], "+", 9) ? std::stoi(words[3]) : 0;
    expect(value >= 1 && value <= 99, "setoption: expected name Sticks value, and a number from 1 to 99");
    n_sticks = value;
}

void position(const Words& words) {
    auto left = n_sticks, to_move = 1;
    auto word = words.begin();
    if (words.size() >= 3 && words[0] == "fen") {
        const auto is_it = is_number(words[1], "", 2) && (words[2] == "p1" || words[2] == "p2");
        expect(is_it, "fen: expected 0 to 99 sticks, then p1 or p2");
        left = std::stoi(words[1]);
        to_move = words[2][1] - '0';
        word += 3;
    } else {
        expect(!words.empty() && words[0] == "startpos", "position: expected startpos, or the like of fen 21 p1");
        ++word;
    }
    expect(word == words.end() || *word++ == "moves", "position: expected moves or the end of the line");
    for (; word != words.end(); ++word, to_move = 3 - to_move) left -= parse_move(*word, left);
    sticks = left, player = to_move; // only now: a line with an error changes nothing
}

void stop() {
    if (held) say("bestmove " + std::to_string(held));
    held = 0;
}

void go(const Words& words) {
    const std::map<std::string, const char*> signs = { // allowed before the number; no number follows the last two
        { "p1time", "+-" }, { "p2time", "+-" }, { "p1inc", "+-" }, { "p2inc", "+-" }, { "movetime", "+-" },
        { "movestogo", "+" }, { "depth", "+" }, { "nodes", "+" }, { "infinite", nullptr }, { "searchmoves", nullptr } };
    std::set<std::string> names;
    std::set<int> listed;
    for (auto word = words.begin(); word != words.end();) {
        const auto name = *word++;
        const auto is_new = signs.count(name) && names.insert(name).second;
        expect(is_new, "unexpected " + quote(name) + " after go: expected limits, each once");
        if (const auto* sign = signs.at(name))
            expect(word != words.end() && is_number(*word++, sign), name + ": expected a whole number");
        if (name != "searchmoves") continue;
        while (word != words.end() && !signs.count(*word)) listed.insert(parse_move(*word++, sticks));
        expect(!listed.empty(), "searchmoves: expected legal moves");
    }
    auto best = 0;
    for (auto move = 1; move <= std::min(3, sticks); ++move) // a player to move at a multiple of four loses
        if ((listed.empty() || listed.count(move)) && (!best || (sticks - move) % 4 == 0)) best = move;
    if (!best) return say("info error game is over\nbestmove none");
    held = best;
    say("info depth 1 nodes 1 time 0 nps 1000 pv " + std::to_string(best));
    const Words ending = { "p1time", "p2time", "movetime", "depth", "nodes" };
    const auto is_given = [&](const std::string& name) { return names.count(name) > 0; };
    if (std::any_of(ending.begin(), ending.end(), is_given) && !is_given("infinite")) stop();
}

void end(const Words& words, std::size_t at) { // the command is carried out anyway
    if (words.size() > at) say("info error surplus word " + quote(words[at]) + ": expected the end of the line");
}

void query(const Words& words) {
    const std::map<std::string, std::string> answers = {
        { "p1turn", player == 1 ? "true" : "false" }, { "gameover", sticks ? "false" : "true" },
        { "result", sticks ? "none" : player == 1 ? "p2win" : "p1win" }, { "game", "sticks" },
        { "moves", std::string("1 2 3").substr(0, std::max(0, 2 * std::min(3, sticks) - 1)) },
        { "fen", std::to_string(sticks) + " p" + std::to_string(player) } };
    const auto known = answers.find(words.empty() ? "" : words[0]);
    expect(known != answers.end(), "query: expected p1turn, gameover, result, moves, fen or game");
    end(words, 1);
    say(known->second.empty() ? "response" : "response " + known->second);
}

void carry_out(std::string line) {
    expect(line.size() <= LONGEST, "line too long: expected at most " + std::to_string(LONGEST) + " bytes");
    for (auto& c : line) // in lower case, blanks as spaces
        c = !c || std::isspace((unsigned char)c) ? ' ' : c > ' ' && c < 127 ? (char)std::tolower(c) : '?';
    std::istringstream text(line);
    std::string command;
    if (!(text >> command)) return;
    Words words;
    for (std::string word; text >> word;) words.push_back(word);
    const std::map<std::string, std::function<void()>> bare = {
        { "isready", [] { say("readyok"); } }, { "stop", stop }, { "quit", [] { stop(); std::exit(0); } },
        { "ugi", [] { say("id name Sticks in C++\nid author Linesman\n"
                          "option name Sticks type spin default 21 min 1 max 99\nugiok"); } },
        { "uginewgame", [] { position({ "startpos" }); } } };
    const std::map<std::string, std::function<void(const Words&)>> others = {
        { "setoption", set_option }, { "position", position }, { "go", go }, { "query", query } };
    expect(bare.count(command) || others.count(command), "unknown command " + quote(command) + ": expected ugi, go, ...");
    const auto is_free = !held || command == "isready" || command == "stop" || command == "quit";
    expect(is_free, "a search is running, expected stop first");
    if (others.count(command)) return others.at(command)(words);
    end(words, 0);
    bare.at(command)();
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        try { carry_out(line); } catch (const Wrong& why) { say(std::string("info error ") + why.what()); }
    }
    stop(); // the input has ended
}
