// Connect Four as a rules program: the players take turns to drop a disc into a column of an upright board.
// Four discs of a colour in a row, column or diagonal win; a full board without them is a draw.
//
// A move is the number of a column from the left: `4`. A position is the rows from the top, with numbers for empty
// cells, then the side to move: `7/7/7/7/3y3/2rr3 y`. The answers are those of connect4.py.
//
// To compile it: cc -std=c11 -O2 -o connect4 connect4.c
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST = 4, MOST = 9, NO_CELL = -1 };

static const char HELLO[] =
    "id name Connect Four\nid author Linesman\noption name Columns type spin default 7 min 4 max 9\n"
    "option name Rows type spin default 6 min 4 max 9\nugiok\n";
static const char ABOUT[] =
    "{\"title\":\"Connect Four\",\"sides\":[\"red\",\"yellow\"],"
    "\"move\":\"`4` drops a disc into the fourth column\","
    "\"rules\":\"Be the first to have four discs in line: in a row, a column or a diagonal. Drop a disc "
    "into a column that is not full; it falls to the lowest empty cell. A full board without such a line is a "
    "draw.\"}";

// The board is its rows from the top, of `r`, `y` and `.`, each with a `/` at its end.
typedef struct {
    int columns, rows, turn;  // turn is 1 or 2
    int last;                 // the cell of the last disc, or NO_CELL
    int line[4];              // the cells of four discs in line; line[0] is NO_CELL if there are none
    int n_moves;
    char board[MOST * (MOST + 1) + 1];
} Position;

static int options[2] = {7, 6};  // Columns, Rows
static Position position;
static char held[5];  // the move of a search that waits for `stop`

// Finds four discs in line and counts the moves.
static void judge(Position *p) {
    int width = p->columns + 1, size = p->rows * width;
    int steps[] = {1, width - 1, width, width + 1};
    p->line[0] = NO_CELL;
    for (int s = 0; s < 4 && p->line[0] == NO_CELL; s++)
        for (int i = 0; i + 3 * steps[s] < size && p->line[0] == NO_CELL; i++) {
            int n = 1;
            while (n < 4 && p->board[i + n * steps[s]] == p->board[i]) n++;
            if (n == 4 && strchr("ry", p->board[i]))
                for (int j = 0; j < 4; j++) p->line[j] = i + j * steps[s];
        }
    p->n_moves = 0;
    for (int x = 0; x < p->columns && p->line[0] == NO_CELL; x++) p->n_moves += p->board[x] == '.';
}

static const char *result(const Position *p) {
    if (p->line[0] != NO_CELL) return p->board[p->line[0]] == 'r' ? "p1win" : "p2win";
    return p->n_moves ? "none" : "draw";
}

static bool is_legal(const Position *p, const char *code) {
    int x = code[0] - '1';
    return p->n_moves && code[0] && !code[1] && x >= 0 && x < p->columns && p->board[x] == '.';
}

static void play(Position *p, int x) {
    int width = p->columns + 1, y = p->rows - 1;
    while (p->board[y * width + x] != '.') y--;
    p->last = y * width + x;
    p->board[p->last] = "ry"[p->turn - 1];
    p->turn = 3 - p->turn;
    judge(p);
}

static bool fail(const char *what) {
    printf("info error %s\n", what);
    return false;
}

static Position start(void) {
    Position p = {.columns = options[0], .rows = options[1], .turn = 1, .last = NO_CELL};
    for (int y = 0; y < p.rows; y++) {
        memset(p.board + y * (p.columns + 1), '.', p.columns);
        p.board[y * (p.columns + 1) + p.columns] = '/';
    }
    judge(&p);
    return p;
}

// Reads a position string; sends an error and returns false if it is none.
static bool parse(const char *text, Position *p) {
    static const char SHAPE[] = "expected 4 to 9 rows of r, y and numbers of empty cells, then r or y to move";
    static const char DISCS[] =
        "expected no disc in the air, and as many red as yellow ones, or one more and y to move";
    size_t length = strlen(text) < 2 ? 0 : strlen(text) - 2;  // of the rows, without the side to move
    int more_red = 0, x = 0;
    bool floats = false;
    *p = (Position){.last = NO_CELL};
    for (size_t i = 0; i < length; i++) {
        int n = isdigit((unsigned char)text[i]) ? text[i] - '0' : 1;
        if (text[i] == '/') {
            if (x < LEAST || (p->rows && x != p->columns) || p->rows + 1 == MOST) return fail(SHAPE);
            p->columns = x;
            p->board[p->rows++ * (p->columns + 1) + x] = '/';
            x = 0;
        } else if (!strchr("ry123456789", text[i]) || x + n > (p->rows ? p->columns : MOST)) {
            return fail(SHAPE);
        } else {
            char cell = isdigit((unsigned char)text[i]) ? '.' : text[i];
            memset(p->board + p->rows * (p->columns + 1) + x, cell, n);
            more_red += (cell == 'r') - (cell == 'y');
            x += n;
        }
    }
    int width = p->columns + 1;
    if (p->rows + 1 < LEAST || x != p->columns) return fail(SHAPE);
    p->board[p->rows++ * width + x] = '/';
    for (int i = 0; i + width < p->rows * width; i++) floats |= p->board[i] != '.' && p->board[i + width] == '.';
    if (floats || more_red < 0 || more_red > 1 || strcmp(text + length, more_red ? " y" : " r")) return fail(DISCS);
    p->turn = more_red + 1;
    judge(p);
    return true;
}

static void print_fen(const Position *p) {
    int n_empty = 0;
    for (int i = 0; i < p->rows * (p->columns + 1); i++) {
        if (p->board[i] != '.' && n_empty) printf("%d", n_empty);
        n_empty = p->board[i] == '.' ? n_empty + 1 : 0;
        if (p->board[i] != '.') putchar(i + 1 == p->rows * (p->columns + 1) ? ' ' : p->board[i]);
    }
    printf("%c\n", "ry"[p->turn - 1]);
}

static void print_board(const Position *p) {
    for (int i = 0; i < p->rows * (p->columns + 1); i++) {
        if (p->board[i] != '/') printf("%c%c", p->board[i], p->board[i + 1] == '/' ? '\n' : ' ');
    }
    for (int x = 0; x < p->columns; x++) printf("%d%c", x + 1, x + 1 == p->columns ? '\n' : ' ');
    printf("fen: ");
    print_fen(p);
}

static void print_box(int x, int end, int bottom) {
    printf("\"form\":\"polygon\",\"points\":[[%d,2],[%d,2],[%d,%d],[%d,%d]]}", x, end, end, bottom, x, bottom);
}

// The centre of a cell, in tenths of a cell.
static void print_centre(const Position *p, int cell) {
    int width = p->columns + 1;
    printf("[%d,%d]", 10 * (cell % width) + 8, 10 * (cell / width) + 8);
}

static void print_disc(const Position *p, int cell, int radius) {
    printf("\"form\":\"circle\",\"centre\":");
    print_centre(p, cell);
    printf(",\"radius\":%d}", radius);
}

static void print_diagram(const Position *p) {
    int bottom = 10 * p->rows + 4, size = p->rows * (p->columns + 1);
    printf("response {\"width\":%d,\"height\":%d,\"shapes\":[{\"role\":\"board\",", 10 * p->columns + 6, bottom + 6);
    print_box(2, 10 * p->columns + 4, bottom);
    for (int i = 0; i < size; i++) {
        if (p->board[i] == '/') continue;
        printf(",{\"role\":\"cell\",");
        print_disc(p, i, 4);
    }
    if (p->last != NO_CELL) {
        printf(",{\"role\":\"to\",");
        print_disc(p, p->last, 5);
    }
    for (int i = 0; i < size; i++) {
        if (!strchr("ry", p->board[i])) continue;
        printf(",{\"role\":\"piece\",\"colour\":%d,", p->board[i] == 'r' ? 1 : 2);
        print_disc(p, i, 4);
    }
    if (p->line[0] != NO_CELL) {
        printf(",{\"role\":\"decisive\",\"form\":\"path\",\"lines\":[[");
        for (int i = 0; i < 4; i++) {
            printf("%s", i ? "," : "");
            print_centre(p, p->line[i]);
        }
        printf("]],\"width\":2}");
    }
    for (int x = 0; x < p->columns; x++)
        printf(",{\"role\":\"label\",\"form\":\"text\",\"at\":[%d,%d],\"size\":3,\"text\":\"%d\"}",
               10 * x + 8, bottom + 3, x + 1);
    printf("],\"spots\":[");
    for (int x = 0; x < p->columns; x++) {
        printf("%s{\"id\":\"%d\",\"outline\":{", x ? "," : "", x + 1);
        print_box(10 * x + 3, 10 * x + 13, bottom);
        putchar('}');
    }
    printf("],\"gestures\":[");
    for (int x = 0, n = 0; x < p->columns && p->n_moves; x++)
        if (p->board[x] == '.') printf("%s{\"code\":\"%d\",\"spots\":[\"%d\"]}", n++ ? "," : "", x + 1, x + 1);
    printf("]}\n");
}

static void query(const Position *p, const char *what) {
    if (!strcmp(what, "diagram")) {
        print_diagram(p);
        return;
    }
    printf("response");
    if (!strcmp(what, "p1turn")) puts(p->turn == 1 ? " true" : " false");
    if (!strcmp(what, "gameover")) puts(p->n_moves ? " false" : " true");
    if (!strcmp(what, "result")) printf(" %s\n", result(p));
    if (!strcmp(what, "game")) printf(" connect4 Columns=%d Rows=%d\n", p->columns, p->rows);
    if (!strcmp(what, "about")) printf(" %s\n", ABOUT);
    if (!strcmp(what, "fen")) {
        putchar(' ');
        print_fen(p);
    }
    if (!strcmp(what, "moves")) {
        for (int x = 0; x < p->columns && p->n_moves; x++)
            if (p->board[x] == '.') printf(" %d", x + 1);
        putchar('\n');
    }
}

static unsigned long long count(const Position *p, int x, int depth) {
    if (depth <= 1) return 1;
    Position after = *p;
    unsigned long long nodes = 0;
    play(&after, x);
    for (int next = 0; next < after.columns && after.n_moves; next++)
        if (after.board[next] == '.') nodes += count(&after, next, depth - 1);
    return nodes;
}

static void perft(const Position *p, int depth) {
    unsigned long long total = depth == 0;
    for (int x = 0; x < p->columns && p->n_moves && depth; x++) {
        if (p->board[x] != '.') continue;
        unsigned long long nodes = count(p, x, depth);
        printf("%d: %llu\n", x + 1, nodes);
        total += nodes;
    }
    printf("nodes %llu\n", total);
}

static void stop(void) {
    if (*held) printf("bestmove %s\n", held);
    *held = 0;
}

static void go(char **codes, int n_codes, bool ends) {
    char all[MOST][2];
    int n = 0;
    for (int i = 0; i < n_codes; i++)
        if (!is_legal(&position, codes[i])) {
            fail("searchmoves: expected legal moves");
            return;
        }
    for (int x = 0; x < position.columns && position.n_moves; x++)
        if (position.board[x] == '.') all[n++][0] = '1' + x;
    if (!n) {
        fail("game is over");
        puts("bestmove none");
        return;
    }
    held[0] = n_codes ? codes[rand() % n_codes][0] : all[rand() % n][0];
    if (ends) stop();
}

static void set_position(const char *text, char **codes, int n_codes) {
    Position p = start();
    if (text && !parse(text, &p)) return;
    for (int i = 0; i < n_codes; i++) {
        if (!is_legal(&p, codes[i])) {
            printf("info error %.80s: %s\n", codes[i], p.n_moves ? "expected a column with room" : "the game is over");
            return;
        }
        play(&p, codes[i][0] - '1');
    }
    position = p;
}

static void set_option(const char *name, const char *value) {
    int option = !strcmp(name, "columns") ? 0 : !strcmp(name, "rows") ? 1 : -1;
    if (option < 0 || atoi(value) < LEAST || atoi(value) > MOST)
        printf("info error %.80s %s: expected one of Columns, Rows and a value of its range\n", name, value);
    else
        options[option] = atoi(value);
}

static bool is_one_of(const char *word, const char *words) {
    size_t length = strlen(word);
    for (const char *at = words; length && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

// A number of at most so many digits, with one of these signs or none before it.
static bool is_number(const char *word, const char *signs, size_t most) {
    if (*word && strchr(signs, *word)) word++;
    return *word && strlen(word) <= most && strspn(word, "0123456789") == strlen(word);
}

// The limits of a `go`.
typedef struct {
    bool is_infinite, ends;  // ends: one of them ends the search
} Limits;

// Reads limits and returns the number of their words, up to the first word that is none.
static int read_limits(char **words, int n, Limits *limits) {
    int i = 0;
    while (i < n) {
        bool has_sign = is_one_of(words[i], "p1time p2time p1inc p2inc movetime");
        bool has_number = has_sign || is_one_of(words[i], "depth nodes mate movestogo");
        if (has_number && (i + 1 == n || !is_number(words[i + 1], has_sign ? "+-" : "+", SIZE_MAX))) break;
        if (!has_number && strcmp(words[i], "infinite")) break;
        limits->is_infinite |= !has_number;
        limits->ends |= has_number && !is_one_of(words[i], "p1inc p2inc movestogo");
        i += has_number ? 2 : 1;
    }
    return i;
}

// Joins words by blanks, in place: they are parts of one line.
static char *join(char **words, int n) {
    for (int i = 0; i + 1 < n; i++) words[i][strlen(words[i])] = ' ';
    return words[0];
}

static bool has_twin(char **words, int n) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < i; j++)
            if (isalpha((unsigned char)*words[i]) && words[i][1] && !strcmp(words[i], words[j])) return true;
    return false;
}

// Carries out a line if it is a command; it is split into words.
static bool carry_out(char **words, int n) {
    const char *word = n ? words[0] : "";
    if (n == 0) return true;
    if (n == 1 && !strcmp(word, "isready")) return puts("readyok"), true;
    if (n == 1 && is_one_of(word, "stop quit")) {
        stop();
        if (!strcmp(word, "quit")) exit(0);
        return true;
    }
    bool is_go = !strcmp(word, "go");
    Limits before = {false, false}, after = {false, false};
    int codes = 1 + (is_go ? read_limits(words + 1, n - 1, &before) : 0), end;  // words[codes] is searchmoves
    bool has_codes = codes + 1 < n && !strcmp(words[codes], "searchmoves");
    for (end = codes + 2; is_go && has_codes && end < n; end++) {  // limits may follow
        after = (Limits){false, false};
        if (end + read_limits(words + end, n - end, &after) == n) break;
    }
    bool is_perft = is_go && n == 3 && !strcmp(words[1], "perft")
                    && (is_number(words[2], "", 2) || !strcmp(words[2], "100"));
    bool is_search = is_go && !has_twin(words, n) && (codes == n || has_codes);
    bool is_option = n >= 5 && !strcmp(word, "setoption") && !strcmp(words[1], "name")
                     && !strcmp(words[n - 2], "value") && is_number(words[n - 1], "", 9);
    bool is_query = n == 2 && !strcmp(word, "query")
                    && is_one_of(words[1], "p1turn gameover result moves fen game about diagram");
    bool is_start = n >= 2 && !strcmp(word, "position") && !strcmp(words[1], "startpos")
                    && (n == 2 || !strcmp(words[2], "moves"));
    bool is_fen = n >= 3 && !strcmp(word, "position") && !strcmp(words[1], "fen");
    bool is_plain = n == 1 && is_one_of(word, "ugi uginewgame d");
    if (!(is_perft || is_search || is_option || is_query || is_start || is_fen || is_plain)) return false;
    if (*held) return fail("a search is running: expected stop first"), true;
    if (is_perft) perft(&position, atoi(words[2]));
    bool ends = (before.ends || after.ends) && !before.is_infinite && !after.is_infinite;
    if (is_search) go(words + codes + 1, has_codes ? end - codes - 1 : 0, ends);
    if (is_option) set_option(join(words + 2, n - 4), words[n - 1]);
    if (is_query) query(&position, words[1]);
    if (is_start) set_position(NULL, words + 3, n > 3 ? n - 3 : 0);
    if (is_fen) {
        for (end = 3; end < n && strcmp(words[end], "moves");) end++;
        set_position(join(words + 2, end - 2), words + end + 1, end < n ? n - end - 1 : 0);
    }
    if (!strcmp(word, "ugi")) printf("%s", HELLO);
    if (!strcmp(word, "uginewgame")) set_position(NULL, NULL, 0);
    if (!strcmp(word, "d")) print_board(&position);
    return true;
}

int main(void) {
    size_t room = 1 << 16, length = 0;
    char *line = malloc(room), *copy = malloc(room), **words = malloc(room / 2 * sizeof *words);
    srand((unsigned)time(NULL));
    position = start();
    for (int c = getchar();; c = getchar()) {
        if (c != '\n' && c != EOF) {
            if (length + 2 > room) {
                room *= 2;
                line = realloc(line, room);
                copy = realloc(copy, room);
                words = realloc(words, room / 2 * sizeof *words);
            }
            if (!line || !copy || !words) return 1;
            bool is_blank = !c || isspace(c);
            if (!is_blank || (length && line[length - 1] != ' '))
                line[length++] = is_blank ? ' ' : c < ' ' || c > '~' ? '?' : (char)tolower(c);
            continue;
        }
        while (length && line[length - 1] == ' ') length--;
        line[length] = 0;
        strcpy(copy, line);
        int n = 0;
        for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) words[n++] = word;
        if (!carry_out(words, n))
            printf("info error unexpected \"%.80s\": expected ugi, isready, setoption, position, go, query, ...\n",
                   line);
        fflush(stdout);
        length = 0;
        if (c == EOF) break;
    }
    stop();
    return 0;
}
