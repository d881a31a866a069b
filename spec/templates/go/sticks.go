// Sticks as a UGI engine: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
// A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strings"
)

const longest = 1 << 20 // bytes of a line
const hello = "id name Sticks in Go\nid author Linesman\noption name Sticks type spin default 21 min 1 max 99\nugiok"

var (
	// A limit with its number, in the first group if it ends a search; or searchmoves with its moves.
	limit = regexp.MustCompile(`^(?:((?:p1time|p2time|movetime) [+-]?[0-9]+|(?:depth|nodes) [+]?[0-9]+)|` +
		`p[12]inc [+-]?[0-9]+|movestogo [+]?[0-9]+|infinite|searchmoves((?: [123])+))(?: |$)`)
	anOption  = regexp.MustCompile(`^name sticks value [+]?0*([1-9][0-9]?)$`)
	aPosition = regexp.MustCompile(`^(?:startpos|fen ([1-9]?[0-9]) p([12]))(?: moves(.*))?$`)

	nSticks        = 21    // the option
	sticks, player = 21, 1 // the position
	held           string  // the move of a search that waits for `stop`
)

// Writes a reply at once. An engine with an output buffer has to flush it.
func say(format string, values ...any) { fmt.Printf(format+"\n", values...) }

// An error in a line; carryOut recovers it.
type wrong string

func expect(isTrue bool, format string, values ...any) {
	if !isTrue {
		panic(wrong(fmt.Sprintf(format, values...)))
	}
}

func legal(left int) string {
	if left < 3 {
		return "123"[:left]
	}
	return "123"
}

func setoption(text string) {
	match := anOption.FindStringSubmatch(text)
	expect(match != nil, "setoption: expected name Sticks value, and a number from 1 to 99")
	fmt.Sscan(match[1], &nSticks)
}

func position(text string) {
	match := aPosition.FindStringSubmatch(text)
	expect(match != nil, "position: expected startpos or the like of fen 21 p1, then perhaps moves")
	left, toMove := nSticks, 1
	fmt.Sscan(match[1], &left)
	fmt.Sscan(match[2], &toMove)
	for _, word := range strings.Fields(match[3]) {
		expect(len(word) == 1 && strings.Contains(legal(left), word), "%+.80q: expected one of %s", word, legal(left))
		left, toMove = left-int(word[0]-'0'), 3-toMove
	}
	sticks, player = left, toMove // only now: a line with an error changes nothing
}

func search(text string) {
	seen, ends, moves := map[string]bool{}, false, legal(sticks)
	for text != "" {
		name, _, _ := strings.Cut(text, " ")
		match := limit.FindStringSubmatch(text)
		expect(match != nil && !seen[name], "%+.80q: expected limits, each once, with their numbers", name)
		if name == "searchmoves" {
			moves = strings.ReplaceAll(match[2], " ", "")
			expect(strings.Trim(moves, legal(sticks)) == "", "searchmoves: expected legal moves")
		}
		seen[name], ends, text = true, ends || match[1] != "", text[len(match[0]):]
	}
	expect(moves != "", "game is over\nbestmove none")
	held = moves[:1]
	for _, move := range moves { // a player to move at a multiple of four loses
		if (sticks-int(move-'0'))%4 == 0 {
			held = string(move)
		}
	}
	say("info depth 1 nodes 1 time 0 nps 1000 pv %s", held)
	if ends && !seen["infinite"] {
		stop()
	}
}

func stop() {
	if held != "" {
		say("bestmove %s", held)
	}
	held = ""
}

func query(text string) {
	question, rest, _ := strings.Cut(text, " ")
	moves := strings.Join(strings.Split(legal(sticks), ""), " ")
	answers := map[string]string{"p1turn": fmt.Sprint(player == 1), "gameover": fmt.Sprint(sticks == 0), "moves": moves,
		"result": "none", "fen": fmt.Sprintf("%d p%d", sticks, player), "game": "sticks"}
	if sticks == 0 {
		answers["result"] = fmt.Sprintf("p%dwin", 3-player)
	}
	answer, isKnown := answers[question]
	expect(isKnown, "query: expected p1turn, gameover, result, moves, fen or game")
	end(rest)
	say("%s", strings.TrimSpace("response "+answer))
}

// Reports a surplus word. The command is carried out anyway.
func end(rest string) {
	if rest != "" {
		say("info error surplus word %+.80q: expected the end of the line", rest)
	}
}

var commands = map[string]func(string){
	"ugi": func(rest string) { end(rest); say(hello) }, "isready": func(rest string) { end(rest); say("readyok") },
	"setoption": setoption, "uginewgame": func(rest string) { end(rest); position("startpos") }, "position": position,
	"go": search, "query": query, "stop": func(rest string) { end(rest); stop() },
	"quit": func(rest string) { end(rest); stop(); os.Exit(0) }, "": func(string) {},
}

func carryOut(line string) {
	defer func() {
		if why, isWrong := recover().(wrong); isWrong {
			say("info error %s", why)
		}
	}()
	expect(len(line) <= longest, "line too long: expected at most %d bytes", longest)
	line = strings.ToLower(strings.ReplaceAll(line, "\x00", " "))
	command, text, _ := strings.Cut(strings.Join(strings.Fields(line), " "), " ")
	action, isKnown := commands[command]
	expect(isKnown, "unknown command %+.80q: expected ugi, isready, go, ...", command)
	expect(held == "" || strings.Contains(" isready stop quit ", command+" "), "a search is running, expected stop first")
	action(text)
}

func main() {
	for input := bufio.NewReader(os.Stdin); ; {
		line, end := input.ReadString('\n')
		carryOut(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		if end != nil {
			break
		}
	}
	stop() // the input has ended
}
