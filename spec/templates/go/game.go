// Sticks: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
// A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
package main

import (
	"fmt"
	"math"
	"regexp"
	"sort"
	"strings"
)

const name, author = "Sticks in Go", "Linesman"

var (
	options   = []string{"option name Sticks type spin default 21 min 1 max 99"}
	anOption  = regexp.MustCompile(`^name sticks value [+]?0*([1-9][0-9]?)$`)
	aPosition = regexp.MustCompile(`^(?:startpos|fen ([1-9]?[0-9]) p([12]))(?: moves(.*))?$`)

	nSticks        = 21    // the option
	sticks, player = 21, 1 // the position
)

func legal(left int) []int { return []int{1, 2, 3}[:min(left, 3)] }

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func codes(moves []int) []string { return strings.Fields(strings.Trim(fmt.Sprint(moves), "[]")) }

// Returns the player to move and the legal moves.
func toMove() (int, []string) { return player, codes(legal(sticks)) }

// Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer.
func answer(words []string) (lines []string) {
	text := strings.ToLower(strings.Join(words[1:], " "))
	switch words[0] {
	case "setoption":
		match := anOption.FindStringSubmatch(text)
		expect(match != nil, "setoption: expected name Sticks value, and a number from 1 to 99")
		fmt.Sscan(match[1], &nSticks)
	case "query":
		return query(strings.Fields(text))
	case "uginewgame":
		position("startpos")
	default:
		position(text)
	}
	return nil
}

func position(text string) {
	match := aPosition.FindStringSubmatch(text)
	expect(match != nil, "position: expected startpos or the like of fen 21 p1, then perhaps moves")
	left, toPlay := nSticks, 1
	fmt.Sscan(match[1], &left)
	fmt.Sscan(match[2], &toPlay)
	for _, word := range strings.Fields(match[3]) {
		isLegal := len(word) == 1 && word[0] >= '1' && int(word[0]-'0') <= len(legal(left))
		expect(isLegal, "%+.80q: expected one of %v", word, legal(left))
		left, toPlay = left-int(word[0]-'0'), 3-toPlay
	}
	sticks, player = left, toPlay // only now: a line with an error changes nothing
}

func query(words []string) (lines []string) {
	answers := map[string]string{"p1turn": fmt.Sprint(player == 1), "gameover": fmt.Sprint(sticks == 0), "result": "none",
		"moves": strings.Join(codes(legal(sticks)), " "), "fen": fmt.Sprintf("%d p%d", sticks, player), "game": "sticks"}
	if sticks == 0 {
		answers["result"] = fmt.Sprintf("p%dwin", 3-player)
	}
	text, isKnown := answers[strings.Join(words[:min(len(words), 1)], "")]
	expect(isKnown, "query: expected p1turn, gameover, result, moves, fen or game")
	if len(words) > 1 {
		lines = append(lines, fmt.Sprintf("info error surplus word %+.80q: expected the end of the line", words[1]))
	}
	return append(lines, strings.TrimSpace("response "+text))
}

// Returns the depth searched and the best of these moves: deeper and deeper, until it must stop or a win is found.
func think(moves []string, control *search) (depth int, best string) {
	var numbers []int
	for _, move := range moves {
		numbers = append(numbers, int(move[0]-'0'))
	}
	numbers = bestFirst(sticks, numbers)
	best = fmt.Sprint(numbers[0])
	for depth < sticks && float64(depth) < control.depth && !control.isStopped {
		depth++
		value, bestOfDepth := math.MinInt, 0
		for _, move := range numbers {
			if own := -negamax(sticks-move, depth-1, control); own > value {
				value, bestOfDepth = own, move
			}
		}
		if control.isStopped {
			break // this depth is incomplete
		}
		best = fmt.Sprint(bestOfDepth)
		control.report(depth, best)
		if value != 0 {
			break
		}
	}
	return depth, best
}

// Returns 1 if the player to move wins, -1 if the other one does, 0 if that is deeper.
func negamax(left, depth int, control *search) int {
	if left == 0 {
		return -1
	}
	if control.mustStop() || depth == 0 {
		return 0
	}
	best := -1
	for _, move := range bestFirst(left, legal(left)) {
		if value := -negamax(left-move, depth-1, control); value > best {
			best = value
		}
		if best == 1 {
			break
		}
	}
	return best
}

// A player to move at a multiple of four loses.
func bestFirst(left int, moves []int) []int {
	sorted := append([]int(nil), moves...)
	sort.SliceStable(sorted, func(i, j int) bool { return (left-sorted[i])%4 == 0 && (left-sorted[j])%4 != 0 })
	return sorted
}
