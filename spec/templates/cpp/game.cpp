// Sticks: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
// A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
#include "engine.hpp"

#include <algorithm>
#include <cctype>

namespace {

int n_sticks = 21;           // the option
int sticks = 21, player = 1; // the position

void expect(bool is_true, const std::string& what) {
    if (!is_true) throw Wrong(what);
}

Words legal(int left) {
    Words moves = {"1", "2", "3"};
    moves.resize(std::min(left, 3));
    return moves;
}

// Returns a number of at most two digits; -1 for any other word.
int number(const std::string& word) {
    const auto is_number = word.size() <= 2 && word.find_first_not_of("0123456789") == std::string::npos && !word.empty();
    return is_number ? std::stoi(word) : -1;
}

void set_option(const Words& words) {
    const auto is_it = words.size() == 5 && words[1] == "name" && words[2] == "sticks" && words[3] == "value";
    expect(is_it && number(words[4]) > 0, "setoption: expected name Sticks value, and a number from 1 to 99");
    n_sticks = number(words[4]);
}

void position(const Words& words) {
    auto left = n_sticks, to_play = 1;
    std::size_t at = 2;
    if (words.size() >= 4 && words[1] == "fen") {
        left = number(words[2]);
        expect(left >= 0 && (words[3] == "p1" || words[3] == "p2"), "fen: expected 0 to 99 sticks, then p1 or p2");
        to_play = words[3][1] - '0';
        at = 4;
    } else {
        expect(words.size() >= 2 && words[1] == "startpos", "position: expected startpos or the like of fen 21 p1");
    }
    expect(at == words.size() || words[at] == "moves", "position: expected moves or the end of the line");
    for (++at; at < words.size(); at++, to_play = 3 - to_play) {
        const auto moves = legal(left);
        const auto is_legal = std::find(moves.begin(), moves.end(), words[at]) != moves.end();
        expect(is_legal, quote(words[at]) + ": expected 1, 2 or 3, and no more than are left");
        left -= number(words[at]);
    }
    sticks = left, player = to_play; // only now: a line with an error changes nothing
}

Words query(const Words& words) {
    std::string moves, result = sticks ? "none" : "p" + std::to_string(3 - player) + "win";
    for (const auto& move : legal(sticks)) moves += ' ' + move;
    const std::map<std::string, std::string> answers = {
        {"p1turn", player == 1 ? " true" : " false"}, {"gameover", sticks ? " false" : " true"}, {"result", ' ' + result},
        {"moves", moves}, {"fen", ' ' + std::to_string(sticks) + " p" + std::to_string(player)}, {"game", " sticks"}};
    const auto found = answers.find(words.size() > 1 ? words[1] : "");
    expect(found != answers.end(), "query: expected p1turn, gameover, result, moves, fen or game");
    Words lines;
    if (words.size() > 2) lines.push_back("info error surplus word " + quote(words[2]) + ": expected the end of the line");
    lines.push_back("response" + found->second);
    return lines;
}

// A player to move at a multiple of four loses.
std::vector<int> best_first(int left, const Words& codes) {
    std::vector<int> moves;
    for (const auto& code : codes) moves.push_back(number(code));
    std::stable_partition(moves.begin(), moves.end(), [&](int move) { return (left - move) % 4 == 0; });
    return moves;
}

// Returns 1 if the player to move wins, -1 if the other one does, 0 if that is deeper.
int negamax(int left, int depth, Search& control) {
    if (left == 0) return -1;
    if (control.must_stop() || depth == 0) return 0;
    auto best = -1;
    for (const auto move : best_first(left, legal(left))) {
        best = std::max(best, -negamax(left - move, depth - 1, control));
        if (best == 1) break;
    }
    return best;
}

}

namespace game {

const std::string NAME = "Sticks in C++", AUTHOR = "Linesman";
const Words OPTIONS = {"option name Sticks type spin default 21 min 1 max 99"};

std::pair<int, Words> to_move() { return {player, legal(sticks)}; }

Words answer(const Words& mixed) {
    auto words = mixed;
    const auto lower = [](unsigned char c) { return std::tolower(c); };
    for (auto& word : words) std::transform(word.begin(), word.end(), word.begin(), lower);
    if (words[0] == "query") return query(words);
    if (words[0] == "setoption") set_option(words);
    else position(words[0] == "uginewgame" ? Words{"position", "startpos"} : words);
    return {};
}

// Deeper and deeper, until it must stop or a win is found.
std::pair<int, std::string> search(const Words& codes, Search& control) {
    const auto moves = best_first(sticks, codes);
    auto best = moves[0], depth = 0, value = 0;
    while (depth < std::min<double>(sticks, control.depth) && !control.is_stopped && value == 0) {
        auto best_of_depth = 0;
        depth++, value = -2;
        for (const auto move : moves) {
            const auto own = -negamax(sticks - move, depth - 1, control);
            if (own > value) value = own, best_of_depth = move;
        }
        if (control.is_stopped) break; // this depth is incomplete
        best = best_of_depth;
        control.report(depth, std::to_string(best));
    }
    return {std::max(depth, 1), std::to_string(best)};
}

}
