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
}
interface DrawnBar {
  label: string;
  says: string;
  value: number;
  expected?: number | null;
}
/** One column of parts above each other; the shade is from 0 to 1. */
interface DrawnStack {
  label: string;
  parts: { value: number; shade: number; says: string }[];
}
interface DrawnBox {
  name: string;
  figures: string;
  value: number;
  expected?: number | null;
}
interface ChartKey {
  kind: "played" | "trend" | "expected" | "bar" | "mark" | "shade";
  text: string;
  shade?: number;
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
  /** Whether there is a record to look at: old moves may have been deleted. */
  has_moves: boolean;
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
  seats: NonNullable<Wire.OpenRequest["seats"]>;
}
interface HomeMemory {
  people: Person[];
  unfinished: OpenRoom[];
  recent: PastGame[];
  editions: PlayedEdition[];
  again: PlayAgain | null;
}

/* Statistics */

interface TimeLine {
  name: "total" | "lost" | "luck";
  points: { time: number; value: number }[];
  /** What perfect play would have, where that is known. */
  expected: number | null;
  signed?: boolean;
  /** Whether a point is a month, not a game. */
  isMonthly: boolean;
}
interface BoxAverage {
  box: string;
  name?: string;
  average: number;
  perfect: number | null;
}
interface RecordMark {
  value: number;
  at: number;
  /** Unless it was played at a table of others. */
  game: string | null;
  seat: number;
  /** Who holds it, among the records of a table. */
  name?: string;
}
interface MonthFigures {
  /** As 2026-11. */
  month: string;
  games: number;
  average: number | null;
  lost: number | null;
  luck: number | null;
  levels: Record<string, number>;
}
/** What is known of a person in one edition; what its games do not have is null or left out. */
interface EditionStatistics {
  edition: string;
  /**
   * What each theme of mistakes costs per game, the dearest first, and in the older and the newer half of the games,
   * null for few games; of one’s own people alone.
   */
  themes?: { theme: string; name: string; per_game: number; earlier: number | null; recent: number | null }[];
  title: string;
  family: string;
  games: number;
  first: number | null;
  last: number | null;
  average: number | null;
  spread: number | null;
  trend: number | null;
  best: RecordMark | null;
  worst: RecordMark | null;
  contests: number;
  wins: number;
  last_places: number;
  places: Record<string, number>;
  streaks: { wins: number; most_wins: number; losses: number; most_losses: number };
  boxes: BoxAverage[];
  bonus_rate: number | null;
  alike?: number;
  first_roll?: number;
  rounds?: number;
  round_losses?: number;
  opened?: number;
  survived?: number;
  /** By the hour of the day in UTC. */
  hours: { hour: number; games: number }[];
  months: MonthFigures[];
  review: {
    games: number;
    lost: number | null;
    lost_spread: number | null;
    lost_trend: number | null;
    luck: number | null;
    luck_spread: number | null;
  };
  perfect: { average: number; spread: number | null; bonus_rate: number | null } | null;
}
interface StatisticsAnswer {
  person: KnownPerson;
  editions: EditionStatistics[];
  others: KnownPerson[];
  /** The names of levels, from the lowest to the highest. */
  level_names: Record<string, string>;
}
interface EditionVersus {
  edition: string;
  title: string;
  games: number;
  ahead: number;
  behind: number;
  level: number;
  average: number | null;
  other_average: number | null;
  best_win: RecordMark | null;
  worst_loss: RecordMark | null;
}
interface VersusAnswer {
  person: KnownPerson;
  other: KnownPerson;
  editions: EditionVersus[];
}
interface TableRecords {
  edition: string;
  highest: RecordMark | null;
  lowest_win: RecordMark | null;
  closest: RecordMark | null;
  comeback: RecordMark | null;
}
/** One figure of a list; `game` is the one it was scored in. */
interface Figure {
  name: string;
  label: string;
  value: string | null;
  beside?: string | false | null;
  /** What perfect play would have. */
  perfect?: string | null;
  game?: string | null;
}

/* Practice */

type PuzzleKind = "position" | "practice" | "mistake";
/** What can be practised: puzzles, lessons, or the game of the day. */
type PracticeKind = PuzzleKind | "lesson" | "game";
interface ListedLesson {
  key: string;
  number: number | null;
  title: string;
  /** Why these rules do not have it. */
  missing: string | null;
  finished: boolean;
}
interface LessonList {
  title: string;
  fingerprint: string;
  lessons: ListedLesson[];
}
/** Dice as a picture, 0 for any face; they fit the box of a choice, or are what it wants. */
interface PicturedDice {
  dice: number[];
  fits: boolean;
}
interface LessonChoice {
  action: string;
  text: string;
  value: number;
  loss: number;
  picture: PicturedDice;
  why: string;
}
/** A position of a lesson as a table that stands still. */
interface LessonStep {
  text: string;
  question: string;
  unit: string;
  family: string;
  seat: number;
  setup: GameInfo;
  position: Position;
  choices: LessonChoice[];
}
interface ShownLesson {
  key: string;
  title: string;
  steps: LessonStep[];
}
/** Where a game of the day stands; once somebody has finished it, how it went. */
interface DailyGame {
  edition: string;
  title: string;
  family: string;
  fingerprint: string;
  seat: number;
  over: boolean;
  day: string;
  /** Under which id it has a record and a review, once it is over. */
  game: string | null;
  setup: GameInfo;
  position: Position;
  result: { total: number; perfect: number; clairvoyant: number; text: string; share: string } | null;
}
/** What a page of practice asks about: an edition, or house rules by the fingerprint of their file, and who asks. */
interface PracticeSubject {
  edition: string;
  house_rules: string;
  person: string;
}
/** What an answer costs, and why; of the position of the day also the first answer, and the streak. */
interface GradedAnswer {
  played: string;
  best: string;
  best_action: string;
  loss: number;
  grade: string;
  grade_name: string;
  why: string;
  streak?: number;
  first?: GradedAnswer | null;
}
/** A streak of days: its last one, how many they are, and the first answer of that day. */
interface KeptStreak {
  day: string;
  length: number;
  action: string;
}
/** A puzzle as a table that stands still. */
interface ShownPuzzle {
  kind: PracticeKind;
  edition: string;
  title: string;
  theme: string;
  theme_name: string;
  themes: [string, string][];
  question: string;
  unit: string;
  family: string;
  seat: number;
  setup: GameInfo;
  position: Position;
  day?: string;
  number?: number;
  game?: string;
  event?: number;
  streak?: number;
  first?: GradedAnswer | null;
  /** That of the rules; the position of the day is kept by it where no person is known. */
  fingerprint?: string;
}
