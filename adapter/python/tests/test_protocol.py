import unittest

from linesman import Cp, Info, Limit, Mate, Option, Position
from linesman.protocol import MAX_LINE, LineReader, join_codes


class Lines(unittest.TestCase):
    def test_scores_are_ordered(self) -> None:
        ascending = [Mate(0), Mate(-1), Mate(-4), Cp(-30000), Cp(0), Cp(7), Mate(9), Mate(1), -Mate(0)]
        self.assertEqual(sorted(reversed(ascending)), ascending)
        self.assertEqual([-score for score in reversed(ascending)], sorted(-score for score in ascending))
        self.assertEqual(-Mate(0).__neg__(), Mate(0))
        self.assertEqual([score.mate() for score in (Mate(3), Cp(3))], [3, None])
        self.assertEqual([score.cp(mate_score=1000) for score in (Mate(3), Mate(-3), Cp(3))], [997, -997, 3])

    def test_limits(self) -> None:
        limit = Limit(time=0.5, nodes=9, p1_clock=3, p2_clock=-1)
        self.assertEqual(limit.words(), "p1time 3000 p2time 0 movetime 500 nodes 9".split())
        self.assertEqual(limit.words("uci"), "wtime 3000 btime 0 movetime 500 nodes 9".split())
        self.assertEqual(Limit(p1_inc=1).words(), ["p1inc", "1000", "infinite"])
        self.assertEqual(Limit.parse("WTIME 3000 p2time -5 depth +2".split()), Limit(p1_clock=3, p2_clock=0, depth=2))
        for wrong in (
            "depth",
            "depth x",
            "depth -1",
            "depth 1 depth 2",
            "wtime 1 p1time 2",
            "deep 1",
            "depth 4294967296",
        ):
            with self.assertRaises(ValueError, msg=wrong):
                Limit.parse(wrong.split())

    def test_infos(self) -> None:
        text = (
            "depth 4 seldepth 6 score cp -7 exact upperbound nodes 99 time 1500 pv a1 b2->c3 string two  words depth 9"
        )
        info = Info.parse("nonsense " + text)
        assert info is not None
        expected = (4, 6, Cp(-7), "upper", True, 99, 1.5, ("a1", "b2->c3"), "two  words depth 9")
        fields = "depth seldepth score bound exact nodes time pv string".split()
        self.assertEqual(tuple(getattr(info, field) for field in fields), expected)
        self.assertEqual(Info.parse(str(info)), info)
        self.assertEqual(Info.parse("score mate -3"), Info(score=Mate(-3)))
        for wrong in ("depth", "depth x", "score cp", "score 3", "nodes 1 time"):
            self.assertIsNone(Info.parse(wrong), wrong)
        later = info.merge(Info(depth=5, score=Cp(1)))
        self.assertEqual((later.depth, later.score, later.bound, later.exact, later.nodes), (5, Cp(1), None, None, 99))

    def test_options(self) -> None:
        for text in (
            "name Skill Level type spin default 20 min 0 max 20",
            "name Ponder type check default false",
            "name Search type combo default best var best var the other",
            "name Clear Hash type button",
            "name TablePath type string default <empty>",
            "name Say type string default the default min",
        ):
            option = Option.read(text)
            assert option is not None, text
            self.assertEqual(str(option), text)
        spin = Option("Skill Level", "spin", 20, 0, 20)
        self.assertEqual(spin.command("7"), "setoption name Skill Level value 7")
        self.assertEqual(Option("A", "check").command(True), "setoption name A value true")
        self.assertEqual(Option("A", "combo", "x", var=("x", "Y")).parse("y"), "Y")
        for option, wrong in (
            (spin, 21),
            (spin, "x"),
            (spin, True),
            (Option("A", "check"), 1),
            (Option("A", "string"), "\n"),
        ):
            with self.assertRaises(ValueError, msg=str(wrong)):
                option.parse(wrong)
        for unreadable in ("", "name A", "name A type", "name A type spin default x", "type spin name A"):
            self.assertIsNone(Option.read(unreadable), unreadable)

    def test_positions(self) -> None:
        for text in ("startpos", "startpos moves a1 b2", "fen 5/5 x 0 moves c3", "fen 5/5 x 0"):
            self.assertEqual(str(Position.parse(text)), text)
        self.assertEqual(Position.parse("startpos moves a1 -> b2 3 @ c1"), Position(None, ("a1->b2", "3@c1")))
        self.assertEqual(join_codes(["a4", "-", "c4", "b2->", "c3", "d1"]), ["a4-c4", "b2->c3", "d1"])
        with self.assertRaises(ValueError):
            Position.parse("start moves a1")

    def test_lines_in_pieces(self) -> None:
        reader = LineReader()
        longest = b"y" * MAX_LINE
        data = b"one\r\ntw\0o \xff\n" + longest + b"\r\n" + longest + b"y\nlast\nrest"
        for size in (1 << 10, 1 << 16, len(data)):
            lines = [line for i in range(0, len(data), size) for line in reader.feed(data[i : i + size])]
            self.assertEqual(lines, ["one", "tw o \ufffd", "y" * MAX_LINE, "last"])
            self.assertEqual(reader.feed(b"\n"), ["rest"])
        self.assertEqual(reader.n_skipped, 3)
