/* The protocol of an engine. A search polls the input, to carry out the commands that cannot wait.
   The game and its search are in game.c. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include "engine.h"
enum { LONGEST = 1 << 20 }; /* bytes of a line */
enum { RESERVE = 50 };      /* ms of a clock that are not used */
enum { P1TIME, P2TIME, MOVETIME, P1INC, P2INC, DEPTH, NODES, MOVESTOGO, INFINITE, PONDER, SEARCHMOVES, N_LIMITS };
static const char *const LIMITS[] = { "p1time", "p2time", "movetime", "p1inc", "p2inc", "depth", "nodes", "movestogo",
                                      "infinite", "ponder", "searchmoves" };

struct line { struct line *next; int length; char text[]; };
static struct line *waiting; /* lines that came during a search and are carried out after it */
static char input[1 << 16];  /* bytes that are not yet read */
static int n_input, at_input, has_ended;

int max_depth, is_stopped;   /* of the search */
static int is_pondering, is_bounded;
static double nodes, max_nodes, max_ms, begin;

int wrong(const char *word, const char *expected) {
    char shown[81];
    int n = 0;
    for (; n < 80 && word[n]; n++) shown[n] = isprint((unsigned char)word[n]) ? word[n] : '?';
    shown[n] = '\0';
    return SAY("info error \"%s\": expected %s\n", shown, expected), 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/* Reads a line. Without one: NULL, at the end of the input or, if it may not wait, at once. */
static struct line *read_line(int may_wait) {
    static struct line *line;
    static int room;
    for (;;) {
        for (; at_input < n_input || (has_ended && line && line->length); at_input++) {
            int c = at_input < n_input ? input[at_input] : '\n';
            int is_new = !line;
            if (is_new || line->length + 1 >= room) line = realloc(line, sizeof *line + (room = 2 * room + 80));
            if (is_new) line->length = 0;
            if (c == '\n') {
                struct line *done = line;
                line->text[line->length] = '\0';
                return line = NULL, room = 0, at_input++, done;
            }
            if (line->length <= LONGEST + 1) line->text[line->length++] = c ? c : ' ';
        }
        struct pollfd standard_input = { 0, POLLIN, 0 };
        if (has_ended || (!may_wait && poll(&standard_input, 1, 0) <= 0)) return NULL;
        n_input = (int)read(0, input, sizeof input), at_input = 0;
        if (n_input <= 0) n_input = 0, has_ended = 1;
    }
}

static int is_alone(const struct line *line, const char *word) { /* the line is this word */
    const char *text = line->text + strspn(line->text, " \t\v\f\r");
    size_t length = strlen(word);
    return !strncasecmp(text, word, length) && !text[length + strspn(text + length, " \t\v\f\r")];
}

/* Carries out a command during the search, or lets it wait. */
static void notice(struct line *line) {
    struct line **end = &waiting;
    while (*end) end = &(*end)->next;
    line->next = NULL;
    if (is_alone(line, "isready")) SAY("readyok\n");
    else if (is_pondering && is_alone(line, "ponderhit")) is_pondering = 0, begin = now();
    else {
        if (is_alone(line, "stop") || is_alone(line, "quit")) is_stopped = 1;
        if (is_alone(line, "quit")) end = &waiting; /* drops those that wait */
        if (end != &waiting || !is_alone(line, "stop")) { *end = line; return; } /* `stop` ends searches that wait, too */
    }
    free(line);
}

static int must_hold(void) { return !is_stopped && (is_pondering || !is_bounded); } /* `bestmove` must not come yet */

int must_stop(void) {
    if (is_stopped) return 1;
    int is_over = ++nodes >= max_nodes;
    if ((long long)nodes % 1024 == 0) {
        for (struct line *line; (line = read_line(0));) notice(line);
        if (has_ended && must_hold()) is_stopped = 1;
        is_over |= now() - begin >= max_ms;
    }
    return is_stopped |= is_over && is_bounded && !is_pondering;
}

void report(int depth, const char *move) {
    double ms = now() - begin, counted = nodes ? nodes : 1;
    SAY("info depth %d nodes %.0f time %d nps %.0f pv %s\n", depth, counted, (int)ms, counted * 1e3 / (ms + 0.001), move);
}

static int limit(const char *word) { /* its index; N_LIMITS for any other word */
    int i = 0;
    while (i < N_LIMITS && strcasecmp(word, LIMITS[i])) i++;
    return i;
}

static int is_number(const char *word, int may_be_negative) {
    const char *digits = word + (*word == '+' || (*word == '-' && may_be_negative));
    return *digits && strspn(digits, "0123456789") == strlen(digits);
}

static int is_among(const char *word, const char **moves) {
    while (*moves && strcmp(*moves, word)) moves++;
    return *moves != NULL;
}

static double at_most(double a, double b) { return a < b ? a : b; }

static int go(char **words) {
    const char **legal, **moves, *best;
    double number[N_LIMITS] = { 0 };
    int seen[N_LIMITS] = { 0 }, player = to_move(&legal), depth;
    moves = legal;
    while (*words) {
        int i = limit(*words);
        if (i == N_LIMITS || seen[i]++) return wrong(*words, "limits, each once");
        words++;
        if (i < INFINITE && !(*words && is_number(*words, i <= P2INC))) return wrong(LIMITS[i], "a whole number behind it");
        if (i < INFINITE) number[i] = strtod(*words++, NULL);
        if (i == SEARCHMOVES) {
            int n = 0;
            while (words[n] && limit(words[n]) == N_LIMITS) n++;
            for (int k = 0; k < n; k++) if (!is_among(words[k], legal)) return wrong(words[k], "a legal move");
            if (!n) return wrong("searchmoves", "legal moves behind it");
            moves = calloc(n + 1, sizeof *moves);
            memcpy(moves, words, n * sizeof *moves), words += n;
        }
    }
    if (!*moves) return SAY("info error game is over\nbestmove none\n");
    double share = number[MOVESTOGO] ? at_most(number[MOVESTOGO], 20) : 20;
    int own = player == 1 ? P1TIME : P2TIME, clock = seen[own] ? own : P1TIME + P2TIME - own;
    max_ms = seen[MOVETIME] ? number[MOVETIME] : 1e18;
    if (seen[clock]) max_ms = at_most(max_ms, number[clock] / share + number[player == 1 ? P1INC : P2INC]);
    if (seen[clock]) max_ms = at_most(max_ms, number[clock] - RESERVE);
    max_nodes = seen[NODES] ? number[NODES] : 1e18;
    max_depth = seen[DEPTH] ? (int)at_most(number[DEPTH], INT_MAX) : INT_MAX;
    is_bounded = (seen[P1TIME] || seen[P2TIME] || seen[MOVETIME] || seen[DEPTH] || seen[NODES]) && !seen[INFINITE];
    is_pondering = seen[PONDER], is_stopped = 0, nodes = 0, begin = now();
    struct line *line = waiting, *next;
    for (waiting = NULL; line; line = next) next = line->next, notice(line);
    depth = search(moves, &best);
    report(depth, best);
    while (must_hold() && (line = read_line(1))) notice(line);
    SAY("bestmove %s\n", best);
    if (moves != legal) free(moves);
    return 1;
}

static void relay(char **words, int n) { /* to the game; the option Ponder is for the client alone */
    int is_ponder = n == 5 && !strcmp(words[0], "setoption") && !strcasecmp(words[2], "ponder");
    if (!is_ponder || (strcasecmp(words[4], "true") && strcasecmp(words[4], "false"))) answer(words);
}

static int carry_out(char **words, int n) {
    static const char *const simple[] = { "ugi", "isready", "uginewgame", "stop", "quit" };
    int i = 0;
    for (char *c = words[0]; *c; c++) *c = tolower((unsigned char)*c);
    if (!strcmp(*words, "go")) return go(words + 1);
    if (!strcmp(*words, "setoption") || !strcmp(*words, "position") || !strcmp(*words, "query")) return relay(words, n), 1;
    while (i < 5 && strcmp(*words, simple[i])) i++;
    if (i == 5) return wrong(*words, "ugi, isready, setoption, uginewgame, position, go, stop, query or quit");
    if (n > 1) wrong(words[1], "the end of the line"), words[1] = NULL;
    if (i == 0) SAY("id name %s\nid author %s\noption name Ponder type check default false\n", NAME, AUTHOR);
    if (i == 0) SAY("%sugiok\n", OPTIONS);
    if (i == 1) SAY("readyok\n");
    if (i == 2) answer(words);
    if (i == 4) exit(0);
    return 1;
}

int main(void) {
    for (struct line *line; (line = waiting) || (line = read_line(1)); free(line)) {
        char **words = malloc((line->length / 2 + 2) * sizeof *words);
        int n = 0;
        if (line == waiting) waiting = line->next;
        if (line->length - (line->length && line->text[line->length - 1] == '\r') > LONGEST)
            SAY("info error line too long: expected at most %d bytes\n", LONGEST);
        else
            for (char *word = strtok(line->text, " \t\v\f\r"); word; word = strtok(NULL, " \t\v\f\r")) words[n++] = word;
        words[n] = NULL;
        if (n) carry_out(words, n);
        free(words);
    }
    return 0;
}
