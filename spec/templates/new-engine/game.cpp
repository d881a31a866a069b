// A game by the rules of a program, and a player that moves at random.
// Replace the random choice in `search` by your search, and the program by rules of your own.
#include "engine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <unistd.h>

namespace game {

const std::string NAME = "Mine", AUTHOR = "me";
const Words OPTIONS = {"OPTION"};

}

namespace {

const Words RULES = {"RULE"}; // the command of the program

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "%s: %s\n", RULES[0].c_str(), why.c_str());
    std::_Exit(1);
}

struct Program {
    std::FILE *questions, *answers;

    Program() {
        int to[2], from[2];
        if (pipe(to) || pipe(from)) fail("no pipe");
        const auto child = fork();
        if (child < 0) fail("no process");
        if (child == 0) {
            dup2(to[0], 0), dup2(from[1], 1);
            for (const auto end : {to[0], to[1], from[0], from[1]}) close(end);
            std::vector<char*> words;
            for (const auto& word : RULES) words.push_back(const_cast<char*>(word.c_str()));
            words.push_back(nullptr);
            execvp(words[0], words.data());
            fail("it does not start");
        }
        close(to[0]), close(from[1]);
        questions = fdopen(to[1], "w"), answers = fdopen(from[0], "r");
    }

    // Writes these lines to the program. Returns its answers, which end at `readyok`.
    Words ask(const std::string& lines) {
        std::fputs((lines + "\nisready\n").c_str(), questions);
        std::fflush(questions);
        Words found(1);
        for (int c; (c = std::getc(answers)) != EOF;) {
            if (c != '\n') {
                if (c != '\r') found.back() += static_cast<char>(c);
            } else if (found.back() == "readyok") {
                found.pop_back();
                return found;
            } else {
                found.emplace_back();
            }
        }
        fail("the program has ended");
    }
};

Words ask(const std::string& lines) {
    static Program program;
    return program.ask(lines);
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

}

namespace game {

std::pair<int, Words> to_move() {
    const auto answers = ask("query p1turn\nquery moves");
    std::istringstream text(answers.at(1));
    Words moves;
    for (std::string word; text >> word;) moves.push_back(word);
    moves.erase(moves.begin());
    return {answers[0] == "response true" ? 1 : 2, moves};
}

Words answer(const Words& words) {
    std::string line;
    for (const auto& word : words) line += (line.empty() ? "" : " ") + word;
    if (words[0] == "setoption") {
        const auto name = lower(line).substr(0, lower(line).find(" value")).substr(3) + " type ";
        const auto is_it = [&](const auto& option) { return lower(option).rfind(name, 0) == 0; };
        if (std::none_of(OPTIONS.begin(), OPTIONS.end(), is_it)) throw Wrong("setoption: expected an option of this engine");
    }
    return ask(line);
}

// A search calls control.must_stop() at each position.
std::pair<int, std::string> search(const Words& moves, Search&) {
    static std::mt19937 random(std::random_device{}());
    return {1, moves[random() % moves.size()]};
}

}
