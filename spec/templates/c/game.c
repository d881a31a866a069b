/* Sticks: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
   A move is the number to take. A position is the sticks left and the player to move: `21 p1`. */
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include "engine.h"

const char *const NAME = "Sticks in C", *const AUTHOR = "Linesman";
const char *const OPTIONS = "option name Sticks type spin default 21 min 1 max 99\n";
static const char *const CODES[] = { "1", "2", "3" };

static int n_sticks = 21;           /* the option */
static int sticks = 21, player = 1; /* the position */

static int least(int a, int b) { return a < b ? a : b; }

int to_move(const char ***moves) {
    static const char *legal[4];
    memcpy(legal, CODES, sizeof CODES);
    legal[least(sticks, 3)] = NULL;
    return *moves = legal, player;
}

static int number(const char *word) { /* of at most two digits; -1 for any other word */
    size_t length = word ? strlen(word) : 0;
    return length == 1 || length == 2 ? (strspn(word, "0123456789") == length ? atoi(word) : -1) : -1;
}

static int is(const char *word, const char *text) { return word && !strcmp(word, text); }

static int setoption(char **words) {
    int is_named = is(words[0], "name") && is(words[1], "sticks") && is(words[2], "value");
    if (!is_named || number(words[3]) <= 0 || words[4])
        return wrong("setoption", "name Sticks value, and a number from 1 to 99");
    return n_sticks = number(words[3]);
}

static int position(char **words) {
    int left = n_sticks, to_play = 1;
    if (is(*words, "fen")) {
        if ((left = number(words[1])) < 0) return wrong("fen", "0 to 99 sticks");
        if (!is(words[2], "p1") && !is(words[2], "p2")) return wrong("fen", "p1 or p2 behind the sticks");
        to_play = words[2][1] - '0', words += 3;
    } else if (is(*words, "startpos")) words++;
    else return wrong("position", "startpos or fen");
    if (*words && !is(*words++, "moves")) return wrong(words[-1], "moves or the end of the line");
    for (; *words; words++, to_play = 3 - to_play) {
        int taken = strlen(*words) == 1 ? number(*words) : 0;
        if (taken < 1 || taken > least(left, 3)) return wrong(*words, "a legal move");
        left -= taken;
    }
    return sticks = left, player = to_play; /* only now: a line with an error changes nothing */
}

static int query(char **words) {
    static const char *const questions[] = { "p1turn", "gameover", "result", "moves", "fen", "game" };
    int i = 0;
    while (i < 6 && !is(*words, questions[i])) i++;
    if (i == 6) return wrong(*words ? *words : "", "p1turn, gameover, result, moves, fen or game");
    if (words[1]) wrong(words[1], "the end of the line");
    if (i == 0) return SAY("response %s\n", player == 1 ? "true" : "false");
    if (i == 1) return SAY("response %s\n", sticks ? "false" : "true");
    if (i == 2) return SAY("response %s\n", sticks ? "none" : player == 1 ? "p2win" : "p1win");
    if (i == 3) return SAY("response%.*s\n", 2 * least(sticks, 3), " 1 2 3");
    return i == 4 ? SAY("response %d p%d\n", sticks, player) : SAY("response sticks\n");
}

void answer(char **words) {
    static char *start[] = { "startpos", NULL };
    for (char **word = words; *word; word++)
        for (char *c = *word; *c; c++) *c = tolower((unsigned char)*c);
    if (is(*words, "setoption")) setoption(words + 1);
    else if (is(*words, "query")) query(words + 1);
    else position(is(*words, "uginewgame") ? start : words + 1);
}

/* A player to move at a multiple of four loses: the moves that lead there first. */
static int best_first(int left, int n, const int *moves, int *sorted) {
    int k = 0;
    for (int i = 0; i < n; i++) if ((left - moves[i]) % 4 == 0) sorted[k++] = moves[i];
    for (int i = 0; i < n; i++) if ((left - moves[i]) % 4 != 0) sorted[k++] = moves[i];
    return n;
}

/* Returns 1 if the player to move wins, -1 if the other one does, 0 if that is deeper. */
static int negamax(int left, int depth) {
    static const int all[] = { 1, 2, 3 };
    int moves[3], best = -1;
    if (left == 0) return -1;
    if (must_stop() || depth == 0) return 0;
    int n = best_first(left, least(left, 3), all, moves);
    for (int i = 0; i < n && best < 1; i++) {
        int value = -negamax(left - moves[i], depth - 1);
        if (value > best) best = value;
    }
    return best;
}

/* Deeper and deeper, until it must stop or a win is found. */
int search(const char **codes, const char **best) {
    int numbers[99], moves[99], n = 0, depth = 0, value = 0;
    for (; codes[n] && n < 99; n++) numbers[n] = number(codes[n]);
    n = best_first(sticks, n, numbers, moves);
    *best = CODES[moves[0] - 1];
    while (depth < least(sticks, max_depth) && !is_stopped && !value) {
        int best_of_depth = 0;
        depth++, value = -2;
        for (int i = 0; i < n; i++) {
            int own = -negamax(sticks - moves[i], depth - 1);
            if (own > value) value = own, best_of_depth = moves[i];
        }
        if (is_stopped) break; /* this depth is incomplete */
        report(depth, *best = CODES[best_of_depth - 1]);
    }
    return depth ? depth : 1;
}
