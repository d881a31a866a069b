/* What the protocol (engine.c) and the game (game.c) have of each other. */
#ifndef ENGINE_H
#define ENGINE_H
#include <stdio.h>
#define SAY(...) (printf(__VA_ARGS__), fflush(stdout)) /* without a flush the reply stays in the buffer */

/* The protocol. */
int must_stop(void);                         /* 1 if the search must end. To be called at each position. */
void report(int depth, const char *move);    /* Writes `info`. */
int wrong(const char *word, const char *expected); /* Writes `info error`. Returns 0. */
extern int max_depth, is_stopped;

/* The game. */
extern const char *const NAME, *const AUTHOR, *const OPTIONS; /* OPTIONS has a line for each */
int to_move(const char ***moves);            /* The player to move, and the legal moves, NULL at the end. */
void answer(char **words);                   /* Carries out `setoption`, `uginewgame`, `position` or `query`. */
int search(const char **moves, const char **best); /* Finds the best of the moves. Returns the depth searched. */
#endif
