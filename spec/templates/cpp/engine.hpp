// What the protocol (engine.cpp) and the game (game.cpp) have of each other.
#pragma once
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using Words = std::vector<std::string>;
using Limits = std::map<std::string, double>; // the limits of a `go`, with their numbers

struct Wrong : std::runtime_error { // an error in a line, which then changes nothing
    using runtime_error::runtime_error;
};

// Writes a line at once.
void say(const std::string& line);
// A word for an error, printable and not too long.
std::string quote(const std::string& word);

// A search that runs: its limits, and the commands that arrive meanwhile.
class Search {
public:
    Search(const Limits& limits, double seconds);
    // Counts a position, and returns whether the search must end. To be called at each position.
    bool must_stop();
    // Returns whether `bestmove` must not be written yet.
    bool must_hold() const { return !is_stopped && (is_pondering || !is_bounded); }
    // Writes `info`.
    void report(int depth, const std::string& move) const;
    // Carries out a command during the search, or lets it wait.
    void notice(std::optional<std::string> line);

    double depth;
    bool is_stopped = false;

private:
    double elapsed() const;

    double max_nodes, nodes = 0, seconds;
    bool is_pondering, is_bounded = false;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

namespace game {
extern const std::string NAME, AUTHOR;
extern const Words OPTIONS;
// Returns the player to move and the legal moves.
std::pair<int, Words> to_move();
// Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer.
Words answer(const Words& words);
// Returns the depth searched and the best of these moves.
std::pair<int, std::string> search(const Words& moves, Search& control);
}
