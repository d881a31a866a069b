// The protocol of an engine. A goroutine reads the commands, so that a search can carry out those that cannot wait.
// The game and its search are in game.go.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const longest = 1 << 20                             // bytes of a line
const reserve = 50                                  // ms of a clock that are not used
const ending = "p1time p2time movetime depth nodes" // the limits that end a search

var (
	// The pattern of the number that follows each limit.
	limits = map[string]*regexp.Regexp{"p1time": aTime, "p2time": aTime, "p1inc": aTime, "p2inc": aTime, "movetime": aTime,
		"movestogo": aCount, "depth": aCount, "nodes": aCount, "infinite": nothing, "ponder": nothing, "searchmoves": nothing}
	aTime, aCount, nothing = regexp.MustCompile(`^[+-]?[0-9]+$`), regexp.MustCompile(`^[+]?[0-9]+$`), regexp.MustCompile(`^$`)
	ponderOption           = regexp.MustCompile(`^setoption name ponder value (true|false)$`)

	arrived = make(chan *string, 1000) // lines from the goroutine; nil at the end of the input
	waiting []*string                  // lines that came during a search and are carried out after it
)

// Writes a line at once. An engine with an output buffer has to flush it.
func say(format string, values ...any) { fmt.Printf(format+"\n", values...) }

// An error in a line; carryOut recovers it.
type wrong string

func expect(isTrue bool, format string, values ...any) {
	if !isTrue {
		panic(wrong(fmt.Sprintf(format, values...)))
	}
}

// Returns the words of a line; the first one in lower case, or empty.
func wordsOf(line string) []string {
	words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\v\f\r\n\x00", c) })
	if len(words) == 0 {
		return []string{""}
	}
	words[0] = strings.ToLower(words[0])
	return words
}

// A search that runs: its limits, and the commands that arrive meanwhile.
type search struct {
	depth, maxNodes, time             float64
	begin                             time.Time
	nodes                             int
	isPondering, isBounded, isStopped bool
}

func newSearch(limits map[string]float64, forMove float64) *search {
	number := func(name string) float64 {
		if value, isGiven := limits[name]; isGiven {
			return value
		}
		return math.Inf(1)
	}
	_, isPondering := limits["ponder"]
	_, isInfinite := limits["infinite"]
	s := &search{depth: number("depth"), maxNodes: number("nodes"), time: forMove, begin: time.Now(), isPondering: isPondering}
	for _, name := range strings.Fields(ending) {
		_, isGiven := limits[name]
		s.isBounded = s.isBounded || isGiven && !isInfinite
	}
	lines := waiting
	waiting = nil
	for _, line := range lines {
		s.notice(line)
	}
	return s
}

func (s *search) elapsed() float64 { return time.Since(s.begin).Seconds() * 1000 }

// Counts a position, and returns whether the search must end. To be called at each position.
func (s *search) mustStop() bool {
	if s.isStopped {
		return true
	}
	s.nodes++
	isOver := float64(s.nodes) >= s.maxNodes
	if s.nodes%1024 == 0 {
		for isMore := true; isMore; {
			select {
			case line := <-arrived:
				s.notice(line)
			default:
				isMore = false
			}
		}
		isOver = isOver || s.elapsed() >= s.time
	}
	s.isStopped = s.isStopped || isOver && s.isBounded && !s.isPondering
	return s.isStopped
}

// Returns whether bestmove must not be written yet.
func (s *search) mustHold() bool { return !s.isStopped && (s.isPondering || !s.isBounded) }

func (s *search) report(depth int, best string) {
	nodes, elapsed := s.nodes, s.elapsed()
	if nodes == 0 {
		nodes = 1
	}
	rate := int(float64(nodes) * 1000 / (elapsed + 0.001))
	say("info depth %d nodes %d time %d nps %d pv %s", depth, nodes, int(elapsed), rate, best)
}

// Carries out a command during the search, or lets it wait.
func (s *search) notice(line *string) {
	alone := ""
	if line != nil {
		alone = strings.Join(wordsOf(*line), " ")
	}
	switch {
	case alone == "isready":
		say("readyok")
		return
	case alone == "ponderhit" && s.isPondering:
		s.isPondering, s.begin = false, time.Now()
		return
	case alone == "quit":
		waiting = nil
	}
	s.isStopped = s.isStopped || alone == "stop" || alone == "quit" || line == nil && s.mustHold()
	if alone != "stop" || len(waiting) > 0 {
		waiting = append(waiting, line) // a `stop` ends the searches that wait, too
	}
}

// Returns the time for a move in ms, by the clock of the player to move.
func timeForMove(limits map[string]float64, player int) float64 {
	own, other := fmt.Sprintf("p%dtime", player), fmt.Sprintf("p%dtime", 3-player)
	clock, isGiven := limits[own]
	if !isGiven {
		if clock, isGiven = limits[other]; !isGiven {
			clock = math.Inf(1)
		}
	}
	moves := 20.0
	if limits["movestogo"] > 0 {
		moves = math.Min(limits["movestogo"], 20)
	}
	time := math.Min(clock/moves+limits[fmt.Sprintf("p%dinc", player)], clock-reserve)
	if own, isGiven := limits["movetime"]; isGiven {
		time = math.Min(time, own)
	}
	return time
}

func goSearch(words []string) {
	player, legal := toMove()
	given, moves := map[string]float64{}, legal
	for len(words) > 0 {
		name := strings.ToLower(words[0])
		pattern, isKnown := limits[name]
		_, isGiven := given[name]
		expect(isKnown && !isGiven, "unexpected %+.80q after go: expected limits, each once", words[0])
		number := ""
		if words = words[1:]; pattern != nothing && len(words) > 0 {
			number, words = words[0], words[1:]
		}
		expect(pattern.MatchString(number), "%s: expected a whole number", name)
		given[name], _ = strconv.ParseFloat(number, 64)
		if name == "searchmoves" {
			for moves = nil; len(words) > 0 && limits[strings.ToLower(words[0])] == nil; words = words[1:] {
				isLegal := strings.Contains(" "+strings.Join(legal, " ")+" ", " "+words[0]+" ")
				expect(isLegal, "searchmoves: expected legal moves")
				moves = append(moves, words[0])
			}
			expect(len(moves) > 0, "searchmoves: expected legal moves")
		}
	}
	expect(len(moves) > 0, "game is over\nbestmove none")
	s := newSearch(given, timeForMove(given, player))
	depth, best := think(moves, s)
	s.report(depth, best)
	for s.mustHold() {
		s.notice(<-arrived)
	}
	say("bestmove %s", best)
}

// Lets the game carry out a command. The option Ponder is for the client alone.
func relay(words []string) {
	if !ponderOption.MatchString(strings.ToLower(strings.Join(words, " "))) {
		for _, line := range answer(words) {
			say("%s", line)
		}
	}
}

var commands = map[string]func(){ // those without further words
	"ugi": func() {
		say("id name %s\nid author %s\noption name Ponder type check default false", name, author)
		say("%s", strings.Join(append(options, "ugiok"), "\n"))
	},
	"isready": func() { say("readyok") }, "uginewgame": func() { relay([]string{"uginewgame"}) },
	"stop": func() {}, "quit": func() { os.Exit(0) },
}

func carryOut(line string) {
	defer func() {
		if why := recover(); why != nil {
			text, isWrong := why.(wrong)
			if !isWrong {
				panic(why)
			}
			say("info error %s", text)
		}
	}()
	expect(len(strings.TrimSuffix(line, "\r")) <= longest, "line too long: expected at most %d bytes", longest)
	switch words := wordsOf(line); words[0] {
	case "":
	case "go":
		goSearch(words[1:])
	case "setoption", "position", "query":
		relay(words)
	default:
		action, isKnown := commands[words[0]]
		expect(isKnown, "unknown command %+.80q: expected ugi, isready, go, ...", words[0])
		if len(words) > 1 {
			say("info error surplus word %+.80q: expected the end of the line", words[1])
		}
		action()
	}
}

func read() {
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if line = strings.TrimSuffix(line, "\n"); line != "" || err == nil {
			arrived <- &line
		}
		if err != nil {
			arrived <- nil
			return
		}
	}
}

func main() {
	go read()
	for {
		var line *string
		if len(waiting) > 0 {
			line, waiting = waiting[0], waiting[1:]
		} else {
			line = <-arrived
		}
		if line == nil {
			return
		}
		carryOut(*line)
	}
}
