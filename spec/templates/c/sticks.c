/* Sticks as a UGI engine: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
   A move is the number to take. A position is the sticks left and the player to move: `21 p1`. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SAY(...) (printf(__VA_ARGS__), fflush(stdout)) /* without a flush the reply stays in the buffer */
enum { LONGEST = 1 << 20 };            /* bytes of a line */
static int n_sticks = 21;              /* the option */
static int sticks = 21, player = 1;    /* the position */
static int held;                       /* the move of a search that waits for `stop`, or 0 */
static char line[LONGEST + 1];
static const char *word;               /* the word of the line read last; "" at its end */

static int next(void) { return (word = strtok(NULL, " ")) ? 1 : (word = "", 0); }
static int is(const char *text) { return !strcmp(word, text); }
static int wrong(const char *expected) { return SAY("info error \"%.80s\": expected %s\n", word, expected); }
static void end(void) { if (next()) wrong("the end of the line"); } /* the command is carried out anyway */
static int is_number(int may_be_negative) {
    const char *digits = word + (*word == '+' || (*word == '-' && may_be_negative));
    return *digits && strspn(digits, "0123456789") == strlen(digits);
}
static int is_move(int left) { return strlen(word) == 1 && *word >= '1' && *word <= '3' && *word - '0' <= left; }

static int setoption(void) {
    if (!(next() && is("name") && next() && is("sticks") && next() && is("value"))) return wrong("name Sticks value 21");
    int value = next() && is_number(0) ? atoi(word) : 0;
    if (value < 1 || value > 99 || next()) return wrong("a number from 1 to 99");
    return n_sticks = value;
}

static int position(void) {
    int left = n_sticks, to_move = 1;
    if (next() && is("fen")) {
        if (!(next() && isdigit(*word) && is_number(0) && strlen(word) <= 2)) return wrong("0 to 99 sticks");
        left = atoi(word);
        if (!(next() && (is("p1") || is("p2")))) return wrong("p1 or p2");
        to_move = word[1] - '0';
    } else if (!is("startpos")) return wrong("startpos or fen");
    if (next() && !is("moves")) return wrong("moves or the end of the line");
    for (; next(); to_move = 3 - to_move) {
        if (!is_move(left)) return wrong("a legal move");
        left -= *word - '0';
    }
    return sticks = left, player = to_move; /* only now: a line with an error changes nothing */
}

static int stop(void) { if (held) SAY("bestmove %d\n", held); return held = 0; }

enum { P1INC, P2INC, P1TIME, P2TIME, MOVETIME, DEPTH, NODES, MOVESTOGO, INFINITE, SEARCHMOVES, N_LIMITS };
static int limit(void) { /* index of the limit named by the word; N_LIMITS for any other word */
    static const char *names[] = { "p1inc", "p2inc", "p1time", "p2time", "movetime", "depth", "nodes", "movestogo",
                                   "infinite", "searchmoves" };
    int i = 0;
    while (i < N_LIMITS && !is(names[i])) i++;
    return i;
}

static int go(void) {
    int seen[N_LIMITS] = { 0 }, listed[4] = { 0 }, ends = 0, best = 0, i;
    for (next(); *word;) {
        if ((i = limit()) == N_LIMITS || seen[i]++) return wrong("limits, each once");
        next();
        if (i < INFINITE && !is_number(i <= MOVETIME)) return wrong("a whole number"); /* times can be negative */
        if (i < INFINITE) next();
        if (i == SEARCHMOVES) do
            if (!is_move(sticks)) return wrong("a legal move"); else listed[*word - '0'] = 1;
        while (next() && limit() == N_LIMITS);
        ends |= i >= P1TIME && i <= NODES;
    }
    for (i = 1; i <= 3 && i <= sticks; i++) /* a player to move at a multiple of four loses */
        if ((listed[i] || !seen[SEARCHMOVES]) && (!best || (sticks - i) % 4 == 0)) best = i;
    if (!best) return SAY("info error game is over\nbestmove none\n");
    SAY("info depth 1 nodes 1 time 0 nps 1000 pv %d\n", held = best);
    return ends && !seen[INFINITE] ? stop() : 1;
}

static int query(void) {
    next();
    if (is("p1turn")) return end(), SAY("response %s\n", player == 1 ? "true" : "false");
    if (is("gameover")) return end(), SAY("response %s\n", sticks ? "false" : "true");
    if (is("result")) return end(), SAY("response %s\n", sticks ? "none" : player == 1 ? "p2win" : "p1win");
    if (is("moves")) return end(), SAY("response%.*s\n", 2 * (sticks < 3 ? sticks : 3), " 1 2 3");
    if (is("fen")) return end(), SAY("response %d p%d\n", sticks, player);
    if (is("game")) return end(), SAY("response sticks\n");
    return wrong("p1turn, gameover, result, moves, fen or game");
}

/* Reads a line, in lower case, blanks as spaces. Returns its length, or -1 at the end of the input. */
static int read_line(void) {
    int c, last = 0, length = 0;
    for (; (c = getchar()) != EOF && c != '\n'; length++, last = c)
        if (length < LONGEST) line[length] = !c || isspace(c) ? ' ' : isprint(c) ? tolower(c) : '?';
    line[length < LONGEST ? length : LONGEST] = '\0';
    return c == EOF && length == 0 ? -1 : length - (last == '\r');
}

static int carry_out(void) {
    if (is("quit")) exit((end(), stop()));
    if (is("stop")) return end(), stop();
    if (is("isready")) return end(), SAY("readyok\n");
    if (held) return wrong("stop first, since a search is running");
    if (is("ugi")) return end(), SAY("id name Sticks in C\nid author Linesman\n"
                                     "option name Sticks type spin default 21 min 1 max 99\nugiok\n");
    if (is("uginewgame")) return end(), sticks = n_sticks, player = 1;
    if (is("setoption")) return setoption();
    if (is("position")) return position();
    if (is("go")) return go();
    if (is("query")) return query();
    return wrong("ugi, isready, setoption, uginewgame, position, go, stop, query or quit");
}

int main(void) {
    for (int length; (length = read_line()) >= 0;)
        if (length > LONGEST) SAY("info error line too long: expected at most %d bytes\n", LONGEST);
        else if ((word = strtok(line, " "))) carry_out();
    return stop(); /* the input has ended */
}
