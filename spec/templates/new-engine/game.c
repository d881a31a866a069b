/* A game by the rules of a program, and a player that moves at random.
   Replace the random choice in search() by your search, and the program by rules of your own. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include "engine.h"

const char *const NAME = "Mine", *const AUTHOR = "me";
const char *const OPTIONS = "OPTION";
static char *const RULES[] = { "RULE", NULL }; /* the command of the program */

static FILE *questions, *answers;

static void fail(const char *why) {
    fprintf(stderr, "%s: %s\n", RULES[0], why);
    exit(1);
}

static void start(void) {
    int to[2], from[2];
    if (pipe(to) || pipe(from)) fail("no pipe");
    pid_t child = fork();
    if (child < 0) fail("no process");
    if (child == 0) {
        dup2(to[0], 0), dup2(from[1], 1);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execvp(RULES[0], RULES);
        fail("it does not start");
    }
    close(to[0]), close(from[1]);
    questions = fdopen(to[1], "w"), answers = fdopen(from[0], "r");
    srand((unsigned)time(NULL) ^ (unsigned)getpid() << 16);
}

static void ask(const char *line) { fputs(line, questions), fputc('\n', questions); }

/* Returns the next answer of the program; NULL at `readyok`. */
static char *next(void) {
    static char *line;
    static size_t room;
    fflush(questions);
    if (getline(&line, &room, answers) < 0) fail("the program has ended");
    line[strcspn(line, "\r\n")] = '\0';
    return strcmp(line, "readyok") ? line : NULL;
}

static int is_declared(char **words) { /* the name of the option has perhaps several words */
    const char *at = OPTIONS;
    while ((at = strstr(at, "option name "))) {
        int n = 2;
        for (at += strlen("option name "); words[0] && words[1] && words[n]; n++) {
            size_t length = strlen(words[n]);
            if (strncasecmp(at, words[n], length) || at[length] != ' ') break;
            at += length + 1;
        }
        if (n > 2 && !strncmp(at, "type ", 5) && (!words[n] || !strcasecmp(words[n], "value"))) return 1;
    }
    return 0;
}

void answer(char **words) {
    if (!questions) start();
    if (!strcmp(words[0], "setoption") && !is_declared(words)) {
        wrong("setoption", "an option of this engine");
        return;
    }
    for (; *words; words++) fputs(*words, questions), fputc(' ', questions);
    ask("\nisready");
    for (char *line; (line = next());) SAY("%s\n", line);
}

int to_move(const char ***moves) {
    static const char **legal;
    static char *text;
    int player = 2, n = 0;
    if (!questions) start();
    ask("query p1turn\nquery moves\nisready");
    for (char *line; (line = next());)
        if (!strcmp(line, "response true")) player = 1;
        else if (strcmp(line, "response false")) free(text), text = strdup(line);
    legal = realloc(legal, (strlen(text) / 2 + 2) * sizeof *legal);
    strtok(text, " ");
    while ((legal[n] = strtok(NULL, " "))) n++;
    return *moves = legal, player;
}

/* A search calls must_stop() at each position. */
int search(const char **moves, const char **best) {
    int n = 0;
    while (moves[n]) n++;
    return *best = moves[rand() % n], 1;
}
