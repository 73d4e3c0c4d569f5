/* What the pages about people, past games and statistics share. */

/* Charts */

interface ChartPoint {
  /** Its place along the bottom, from 0. */
  x: number;
  y: number;
  says?: string;
}
interface DrawnLine {
  points: ChartPoint[];
  kind: "played" | "trend" | "expected";
  ink?: number;
}
interface DrawnBar {
  label: string;
  says: string;
  value: number;
  expected?: number | null;
}
interface DrawnBox {
  name: string;
  figures: string;
  value: number;
  expected?: number | null;
}
interface ChartKey {
  kind: "played" | "trend" | "expected" | "bar" | "mark";
  text: string;
  ink?: number;
}
type ChartCell = string | number | null;
interface ChartContent {
  title: string;
  note?: string;
  legend?: ChartKey[];
  drawing: SVGElement;
  heads: string[];
  rows: ChartCell[][];
  /** The name of a file it is saved as, without its ending. */
  file: string;
}

/* People, as the server tells this device about them */

interface Look {
  colour: number;
  emblem: number;
}
interface Person extends Look {
  id: string;
  name: string;
  hidden: boolean;
  games: number;
  /** When they played last, in seconds, where they have played. */
  last: number | null;
}
type KnownPerson = Pick<Person, "id" | "name" | "colour" | "emblem">;
type PersonDraft = Pick<Person, "name" | "colour" | "emblem">;
interface PersonCode {
  code: string;
  minutes: number;
  link: string;
  /** The link as a picture to scan. */
  picture: string;
}

/* Past games */

interface PastSeat extends Look {
  seat: number;
  name: string;
  person: string | null;
  bot: string | null;
  total: number;
  place: number;
  you: boolean;
  lost: number | null;
  luck: number | null;
}
interface PastGame {
  id: string;
  room: string;
  edition: string;
  title: string;
  text: string;
  family: string;
  ended: number;
  /** Only totals are known: it was played with another program. */
  imported: boolean;
  seats: PastSeat[];
  lost: number | null;
  luck: number | null;
  level: string | null;
  reviewed: boolean;
}
interface PastGames {
  games: PastGame[];
  next: string | null;
}
/** What past games are asked for; what is empty is not asked about. */
type GameFilter = Record<"person" | "edition" | "with" | "result" | "since" | "until", string>;

/* What home remembers */

interface PlayedEdition {
  edition: string;
  title: string;
  games: number;
  last: number;
}
interface PlayAgain {
  title: string;
  names: string[];
  settings: Settings;
  seats: Wire.OpenRequest["seats"];
}
interface HomeMemory {
  people: Person[];
  unfinished: OpenRoom[];
  recent: PastGame[];
  editions: PlayedEdition[];
  again: PlayAgain | null;
}

/* Statistics */

interface Trend {
  from: number;
  to: number;
}
interface TimeLine {
  name: string;
  points: { time: number; value: number }[];
  trend: Trend | null;
  expected?: number | null;
  signed?: boolean;
}
interface TotalBin {
  from: number;
  to: number;
  games: number;
  expected: number | null;
}
interface BoxAverage {
  name: string;
  average: number;
  perfect: number | null;
}
interface Statistics {}
interface Versus {}
interface TableRecords {}
/** One figure of a list; `game` is the one it was scored in. */
interface Figure {
  name: string;
  label: string;
  value: string | null;
  beside?: string | false | null;
  game?: string;
}
