// A game by the rules of a program, and a player that moves at random.
// Replace the random choice in think by your search, and the program by rules of your own.
package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"strings"
	"time"
)

const name, author = "Mine", "me"

var (
	options = []string{"OPTION"}
	rules   = []string{"RULE"} // the command of the program
	random  = rand.New(rand.NewSource(time.Now().UnixNano()))

	questions, answers = start()
)

func start() (io.Writer, *bufio.Reader) {
	program := exec.Command(rules[0], rules[1:]...)
	program.Stderr = os.Stderr
	input, _ := program.StdinPipe()
	output, _ := program.StdoutPipe()
	if err := program.Start(); err != nil {
		fail(err)
	}
	return input, bufio.NewReader(output)
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, strings.Join(rules, " ")+":", why)
	os.Exit(1)
}

// Writes these lines to the program. Returns its answers, which end at readyok.
func ask(lines ...string) (found []string) {
	fmt.Fprintln(questions, strings.Join(append(lines, "isready"), "\n"))
	for {
		line, err := answers.ReadString('\n')
		if err != nil {
			fail("the program has ended")
		}
		if line = strings.TrimSpace(line); line == "readyok" {
			return found
		}
		found = append(found, line)
	}
}

// Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer.
func answer(words []string) []string {
	line := strings.Join(words, " ")
	if words[0] == "setoption" {
		text, _, _ := strings.Cut(strings.ToLower(line), " value")
		isDeclared := false
		for _, option := range options {
			text := strings.Replace(text, "setoption", "option", 1)
			isDeclared = isDeclared || strings.HasPrefix(strings.ToLower(option), text+" type ")
		}
		expect(isDeclared, "setoption: expected an option of this engine")
	}
	return ask(line)
}

// Returns the player to move and the legal moves.
func toMove() (int, []string) {
	answers := ask("query p1turn", "query moves")
	player := 2
	if answers[0] == "response true" {
		player = 1
	}
	return player, strings.Fields(answers[1])[1:]
}

// Returns the depth searched and the best of these moves. A search calls control.mustStop() at each position.
func think(moves []string, control *search) (depth int, best string) {
	return 1, moves[random.Intn(len(moves))]
}
