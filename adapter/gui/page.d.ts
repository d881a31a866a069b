/** Types that the page's modules share. The server's messages are described in `spec/play.md`. */

/** `[x, y]`, in board units. */
type Point = number[];

/** A circle or a polygon. */
interface Outline {
  form: string;
  centre?: Point;
  radius?: number;
  points?: Point[];
}

interface Shape extends Outline {
  role: string;
  /** 1 or 2. */
  colour?: number;
  /** The spot that it shows again in another place. */
  spot?: string;
  lines?: Point[][];
  width?: number;
  at?: Point;
  size?: number;
  text?: string;
}

interface Spot {
  id: string;
  outline: Outline;
  label: string;
  neighbours: Record<string, string>;
}

interface Gesture {
  code: string;
  spots?: string[];
  button?: string;
}

interface BoardCopy {
  from: Point[];
  to: Point[];
}

interface Diagram {
  width: number;
  height: number;
  shapes: Shape[];
  owners: string[];
  names: string[];
  focus?: { low: Point; high: Point };
  copies?: BoardCopy[];
  caption: string;
  spots: Spot[];
  gestures: Gesture[];
}

/** A position on the server, with its board. */
interface View {
  node: number | null;
  line?: string[];
  ply: number;
  fen: string;
  last?: string;
  side: string;
  names: string[];
  diagram: Diagram;
  explain?: string;
  result?: { code: string; reason: string };
  styles?: string[];
  can_flip?: boolean;
  can_rotate?: boolean;
}

/** A move marked on the board; rank 0 is the best. */
interface Mark {
  code: string;
  score?: string;
  more?: string;
  rank: number;
  /** Those of its gesture, if the board does not list it. */
  spots?: string[];
}

interface Seat {
  name: string;
  by: string;
  sitter?: string;
  partners?: { name: string; sitter?: string; client?: number }[];
}

interface Clock {
  left?: number | null;
  is_running: boolean;
  limit: string;
  at?: number;
}

interface Window {
  /** The app, for scripts. */
  linesman: unknown;
}
