/* What the browser's modules share: the server's answers over HTTP, positions as this device sees them, and the parts
   of a table. Modules that know each other only by type meet here, so that none has to import the other. */

type TablePage = import("../static/table.js").TablePage;
type PracticeTable = import("../static/practice-table.js").PracticeTable;
type RealDicePad = import("../static/real-dice-pad.js").RealDicePad;
type IntentQueue = import("../static/intent-queue.js").IntentQueue;
type HintPanel = import("../static/hint.js").HintPanel;
type LedgerLine = import("../static/ledger.js").LedgerLine;
type WinBar = import("../static/win-bar.js").WinBar;
type PartRenderer = import("../static/part-renderer.js").PartRenderer;
type SeatingForm = import("../static/seating-form.js").SeatingForm;

/* Elements */

type Child = Node | string | number | false | null | undefined | readonly Child[];
type Handler<E, V extends Event> = (event: V & { target: E; currentTarget: E }) => unknown;
interface Props<E> {
  onclick?: Handler<E, MouseEvent> | (() => unknown) | undefined;
  oninput?: Handler<E, InputEvent>;
  onchange?: Handler<E, Event>;
  onsubmit?: Handler<E, SubmitEvent>;
  ontoggle?: Handler<E, Event>;
  [attribute: string]: unknown;
}
interface HTMLElementTagNameMap {
  "knobel-solving": HTMLElement;
}
interface MenuItem {
  label: string;
  act: () => unknown;
  off?: boolean;
  hook?: string;
}
interface Question {
  harmful?: boolean;
  title: string;
  text?: string;
  yes?: string;
  no?: string;
}

/* The service worker */

interface WorkerEvent extends Event {
  request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
interface WorkerScope {
  addEventListener(name: string, act: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}

/* Answers over HTTP */

/** Why something was refused; a failure of the network has no code. */
interface Refusal {
  code?: string;
  text?: string;
  /** The key of the rules that is wrong, what it may say and what it says. */
  key?: string;
  least?: number;
  most?: number;
  value?: string | number;
  /** Everything that is wrong with a form. */
  mistakes?: Refusal[];
}
interface Bot {
  bot: string;
  name: string;
  about: string;
  average?: number | null;
  /** How many of 100 games for two it wins against the strongest bot. */
  beats?: number | null;
  /** Why it cannot play here. */
  missing: string | null;
}
interface ServerInfo {
  version: string;
  lang: string;
  lan: string | null;
  house_rules: boolean;
  /** Whether everybody may see the games of everybody. */
  open_history: boolean;
  bots: Record<string, Bot[]>;
  /** Why something cannot be used here, by the extra that is not installed. */
  missing: Record<string, string>;
  languages: { lang: string; name: string }[];
}
interface Switch {
  name: string;
  default: string;
  allowed: string[];
}
/** An edition as the home page shows it; the last fields only for house rules. */
interface EditionCard {
  id: string;
  title: string;
  publisher: string;
  family: string;
  texts: { text: string; name: string }[];
  text: string;
  players: string;
  least: number;
  most: number | null;
  dice: number;
  rolls: number;
  start: Start;
  boxes: number;
  line: string;
  names: Record<string, string>;
  special: string[];
  switches: Record<string, Switch[]>;
  reasons: Record<string, string>;
  base?: string | null;
  differences?: { topic: string; printed: string; here: string }[];
  notes?: string[];
  par?: number | null;
  fingerprint?: string;
  house_rules?: string;
  file?: { name: string; text: string };
  /** The form that house rules were made with. */
  draft?: Wire.DraftRequest;
}
interface HouseRuleForm {
  base: string;
  title: string;
  text: string;
  rolls: number;
  bonus: { threshold: number; points: number } | null;
  chance: string | null;
  chances: string[];
  names: Record<string, string>;
  boxes: { box: string; name: string; points: number | null }[];
}
interface HouseRuleDraft {
  file: string;
  toml: string;
  differences: { topic: string; printed: string; here: string }[];
  par: number | null;
  printed_par: number | null;
  chapters: RulesChapter[];
}
/** How far a solve is: a fraction, in words, or why it failed; par once it is known. */
interface SolveState {
  par?: number | null;
  progress?: number | null;
  text?: string | null;
  refusal?: string | null;
}
interface RulesText {
  title: string;
  chapters: RulesChapter[];
}
interface RulesChapter {
  title: string;
  rules: { rule: string; source: string }[];
}
/** What names rules in an address. */
interface ChosenRules {
  edition?: string;
  text?: string;
  switches?: Record<string, string>;
  house_rules?: string | null;
  id?: string;
  room?: string | null;
}
interface OpenRoom {
  id: string;
  edition: string;
  title: string;
  running: boolean;
  over: boolean;
  names: string[];
  game: string | null;
  yours: boolean;
  turn: string | null;
  your_turn: boolean;
}
/** What lists and numbers of a language are written with. */
interface Marks {
  separator: string;
  last: string;
  decimal: string;
  group: string;
}
interface Words {
  lang: string;
  spoken: string;
  forms: Record<string, number>;
  marks: Marks;
  words: Record<string, string | Record<string, string>>;
  untranslated: string[];
}
type Settings = Omit<Wire.ChangeSettings, "want">;
/** What is agreed before a game. */
type Start = "first" | "random" | "roll_off";
interface Setup {
  edition?: string;
  text: string;
  games: number;
  switches: Record<string, string>;
  free?: boolean;
  duplicate?: boolean;
  start?: Start | null;
  move_seconds?: Wire.ChangeSettings["move_seconds"];
  standing?: Wire.ChangeSettings["standing"];
}
/** What everybody made of the same dice. */
interface DuplicateResult {
  average: number | null;
  par: number | null;
  seats: {
    total: number;
    has_left: boolean;
    against_average: number | null;
    against_par: number | null;
    lost: number | null;
  }[];
}
/** How a game for one stands against its player's best. */
interface Chase {
  game: string;
  record: number | null;
  total: number | null;
  beaten: boolean;
  best: { total: number; date: string; assisted: boolean; now: boolean }[];
  chance: { chance: number; exact: boolean; greatest: number | null; possible: boolean } | null;
}
/** All games of an evening on one sheet. */
interface EveningSheet {
  title: string;
  owner: string | null;
  games: string[];
  names: string[];
  lines: { kind: string; name: string; lang: string; entries: string[] }[];
  notes: string[];
}
interface ListedPlayer {
  name: string;
  bot?: string;
}

/* The coach's review */

interface Decision {
  event: number;
  turn: number;
  roll: number;
  dice: number[];
  played: string;
  best: string;
  action: string;
  best_action: string;
  value: number;
  loss: number;
  grade: string;
  why: string;
  /** What the choice changed the chance to win by, once that is known. */
  win?: number;
}
/** What could be chosen at a decision, and what a choice would have cost. */
interface RetryData {
  dice: number[];
  locked: number[];
  can_roll: boolean;
  choices: { action: string; words: string }[];
}
interface RetryAnswer {
  loss: number;
  grade: string | null;
  played: string;
  best: string;
  why: string;
  win: number | null;
}
/** Everybody's chance to win after a turn. */
interface WinTurn {
  seat: number;
  turn: number;
  event: number;
  box: string;
  points: number;
  shares: number[];
  exact: boolean;
}
/** Everybody's chance to win through a game, and what it says about one seat. */
interface WinChartData {
  title: string;
  start: number[];
  start_exact: boolean;
  start_label: string;
  turns: WinTurn[];
  final: number[];
  /** By event, what each choice and each roll of the seat changed its chance by. */
  choices: Record<string, number>;
  rolls: Record<string, number>;
  /** What stands out; the first of them are the turning points. */
  highlights: string[];
  /** The events that ended the turns of the turning points. */
  turning_points: number[];
  turning_point_label: string;
  ledger_line: string;
  method: string[];
}
interface LuckEvent {
  kind: string;
  event: number;
  turn: number;
  roll: number;
  dice: number[];
  luck: number;
  grade: string;
}
interface TurnSummary {
  turn: number;
  luck: number;
  lost: number;
  value: number | null;
  box: string | null;
  points: number | null;
}
interface ReviewHeadline {
  kind: string;
  n: number;
  par: number;
  luck: number;
  lost: number;
  final: number;
  /** The result adjusted for luck, and how far it may be off. */
  adjusted: number;
  error: number;
}
interface Review {
  /** The points scored. */
  written: number;
  headlines: ReviewHeadline[];
  par: number;
  luck: number;
  lost: number;
  final: number;
  unit: string;
  over: boolean;
  undone: number;
  stood_in: number;
  corrected: number;
  against_rules: number;
  decisions: Decision[];
  rolls: LuckEvent[];
  turns: TurnSummary[];
  parts: { kind: string }[];
}
interface ReviewData {
  game: string;
  title: string;
  publisher: string;
  setup: GameInfo;
  seats: ({ name: string; bot: string | null; assisted: boolean } & Look)[];
  seat: number;
  stops: number[];
  names: Record<string, string>;
  class: string;
  /** The level with its uncertainty, what it rests on, and the result adjusted for luck, a sentence each. */
  level: string[];
  /** The finishing place, once the game is over. */
  place: number | null;
  /** What was luck and what choices cost, in one sentence. */
  summary: string | null;
  review: Review;
}

/* Positions as this device sees them; of either family, or of one */

/** What all kinds of a thing have, and what only some of them have. */
type Either<A, B> = { [K in keyof A & keyof B]: A[K] | B[K] } & { [K in Exclude<keyof A, keyof B>]?: A[K] } & {
  [K in Exclude<keyof B, keyof A>]?: B[K];
};
/** What a device adds to a seat: whether it is its own, and entries that wait to be sent, by box. */
interface OwnSeat {
  yours: boolean;
  waits?: Record<string, string | undefined>;
}
type Own<View, Seat, Tray> = Omit<View, "seats" | "trays" | "undo"> & {
  seats: Seat[];
  trays: Tray[];
  undo: number | null;
};
/** Before the server has seen entered dice, nobody knows what they score. */
type BoxOption = Omit<Wire.OptionView, "points"> & { points: number | null };
type SheetTray = Omit<Wire.SheetTrayView, "options"> & { options: BoxOption[] };
type SheetSeat = Wire.SheetSeatView & OwnSeat;
type SheetView = Own<Wire.SheetView, SheetSeat, SheetTray>;
type RoundsSeat = Wire.RoundsSeatView & OwnSeat;
type RoundsView = Own<Wire.RoundsView, RoundsSeat, Wire.RoundsTrayView>;
type Seat = Either<Wire.SheetSeatView, Wire.RoundsSeatView> & OwnSeat;
type Tray = Either<SheetTray, Wire.RoundsTrayView>;
type GameView = Own<Either<Wire.SheetView, Wire.RoundsView>, Seat, Tray>;
type GameInfo = Either<Wire.SheetGameMessage, Wire.RoundsGameMessage>;
type TurnMessage = Wire.TurnTurnMessage | Wire.RoundTurnTurnMessage;
type PositionMessage = Wire.SheetPositionMessage | Wire.RoundsPositionMessage;
type GameEvent = PositionMessage["last"][number];
interface Position {
  view: GameView;
  last: GameEvent[];
  narration: string[];
  own: PositionMessage["own"];
  seconds_left: number | null;
}

/* Families of games */

interface SheetKind {
  seat: SheetSeat;
  tray: SheetTray;
  view: SheetView;
  info: Wire.SheetGameMessage;
  board: import("../static/score-sheet.js").ScoreSheet;
}
interface RoundsKind {
  seat: RoundsSeat;
  tray: Wire.RoundsTrayView;
  view: RoundsView;
  info: Wire.RoundsGameMessage;
  board: import("../static/rounds-board.js").RoundsBoard;
}
interface AnyKind {
  seat: Seat;
  tray: Tray;
  view: GameView;
  info: GameInfo;
  board: Board;
}
type Kind = { seat: object; tray: object; view: object; info: object; board: object };

interface Pace {
  name: string;
  text: string;
  title: string;
  label: string;
}
/** A family as far as it is known without its table. */
interface FamilyEntry {
  freeTurns: boolean;
  hasPoints?: boolean;
  section: string | null;
  describeFacts(card: EditionCard): string;
  help: { lastStep: string; undo: string; keys: [string, string][] };
  load(): Promise<{ family: FamilyParts<SheetKind> | FamilyParts<RoundsKind> }>;
}
/** How a table of a family looks; sheet-family.js explains the parts. */
interface FamilyParts<K extends Kind> {
  createBoard(info: K["info"], seats: OwnSeat[], handlers: BoardHandlers): K["board"];
  createEntry(pad: RealDicePad): Entry;
  loadCorrection(): Promise<(pad: RealDicePad, seat: number, entry: string) => Promise<void>>;
  startTutorial(table: TablePage): void;
  buildReviewMargin(board: K["board"], info: K["info"], margin: ReviewMargin): void;
  hasPlayerStrip: boolean;
  hasLiveRanking: boolean;
  hasSeriesTable: boolean;
  countLines(info: K["info"]): number;
  describeScore(seat: K["seat"], info: K["info"]): string;
  describeTotal(seat: K["seat"]): string;
  describePace(seat: K["seat"], info: K["info"]): Pace | null;
  describeRound(view: K["view"]): string;
  describeUndo(): string;
  describeCorrections(view: K["view"]): string | null;
  describeDice(tray: K["tray"] | null): string | null;
  findBest(tray: K["tray"]): number;
  describeBest(model: TableModel<K>): string | false;
  listStands(tray: K["tray"]): Wire.StandView[];
  describeStand(way: Wire.StandView, tray: K["tray"]): string;
  explainStand(way: Wire.StandView, tray: K["tray"]): string;
  doubtStand(tray: K["tray"]): Question | null;
  describeRolloff(view: K["view"], dice: number): string;
  describeAllKept(): string;
  canPickUp(tray: K["tray"]): boolean;
  describeEntry(name: string): string;
  turnKey(view: K["view"], seat: number): string;
  review: FamilyReview<K>;
}
interface FamilyReview<K extends Kind> {
  /** Whether the server follows everybody's chance to win through a game. */
  hasWinChart?: boolean;
  describeResult(result: { n: number; place: number | null; of: number }): string;
  heads: string[];
  listCells(line: TurnLine, info: K["info"]): (string | number)[];
  describeTurn(values: Record<string, unknown>): string;
  describeWhen(values: Record<string, unknown>): string;
}
type TableFamily = FamilyParts<AnyKind> & { name: string };

/** The steps of a guided first turn, what each says, and which one a tray is at. */
interface Guide<K extends Kind = AnyKind> {
  pref: "guided" | "guided_rounds";
  steps: string[];
  describe(step: string, view: K["view"]): string;
  find(tray: K["tray"], hasKept: boolean): string;
}

/** A line of the chart: what one turn brought. */
interface TurnLine {
  turn: number;
  luck: number;
  lost: number;
  box: string | null;
  points: number | null;
  value: number | null;
}
interface ReviewMargin {
  seat: number;
  mistakes: Decision[];
  boxByTurn: Map<number, string | null>;
  jump(decision: Decision): void;
}
interface Board {
  element: HTMLElement;
  headButtons: HTMLButtonElement[];
  draw(model: TableModel): void;
  model?: object;
  findOption(box: string): BoxOption | null | undefined;
  moveFocus(key: string): void;
  updateTabStop(): HTMLElement | null | undefined;
}
interface BoardHandlers {
  player(button: HTMLElement, seat: number): unknown;
  follow(): unknown;
  choose?(option: BoxOption): unknown;
  crossOut?(option: BoxOption): unknown;
  press?(button: HTMLElement, seat: number, entry: string): boolean | undefined;
  listMenuItems?(box: string): MenuItem[];
}
/** What is entered by tapping the board where dice are real. */
interface Entry {
  press(button: HTMLElement, seat: number, entry: string): boolean;
  scoreZero(option: BoxOption | null | undefined): boolean;
  listMenuItems(box: string): MenuItem[];
  describe(box: string): string | null | undefined;
}

/* The table */

interface MainButton {
  text: string;
  ready: boolean;
  does?: "roll" | "stand";
}
/** Everything the parts of a table need to draw themselves. */
interface TableModel<K extends Kind = AnyKind> {
  room: Wire.RoomView | null;
  gameInfo: K["info"];
  family: TableFamily;
  view: K["view"];
  tray: K["tray"] | null;
  mine: boolean;
  seat: number;
  over: boolean;
  best: number;
  shown: number;
  away: boolean;
  faces: number;
  dice: number[];
  kept: Set<number>;
  locked: number[];
  choosing: boolean;
  slots: Map<number, number> | null;
  help: "go-on" | "put-in" | null;
  handoverTo: string | null;
  late: { seat: number; name: string }[];
  finalDice: boolean;
  ranked: boolean;
  mainButton: MainButton;
}
/** What is shown of an entry until the server has it. */
interface EntryNote {
  box?: string;
  shown?: string;
}
/** An intent about one seat: only such ones are queued. */
type SeatIntent = Wire.Act | Wire.Undo;
interface QueuedItem extends EntryNote {
  id: string;
  game: string;
  intent: SeatIntent;
  sent?: boolean;
  done?: number;
  answer?: Promise<Wire.DoneMessage>;
}
interface QueueListener {
  changed(): void;
  refused(item: QueuedItem, why: Refusal, dropped: QueuedItem[]): void;
}
type Unsent<T> = T extends unknown ? Omit<T, "ply"> : never;
/** An intent as an older page may have stored it. */
interface StoredIntent {
  want: string;
  chair?: number;
  own?: boolean;
}
/** An action of the game's notation, read. */
interface NotedAction {
  kind: string;
  keep?: number[];
  seat?: number;
  aim?: string | null;
  dice?: number[];
  rolls?: number;
  box?: string;
  points?: string;
  crossOut?: boolean;
  anyway?: boolean;
}
interface NotedPoints {
  text: string;
  points: number;
  extra: number;
  alike: boolean;
}
interface DieState {
  value: number;
  faces: number;
  kept: boolean;
  locked: boolean;
  off: boolean;
  entering?: boolean;
  lying?: number;
}
interface TrayHandlers {
  tap(place: number): void;
  act(): unknown;
  continueGame?(): unknown;
  putIn?(): void;
  confirmHandover?(): void;
  startWithout?(seat: number): void;
  stand?(way: Wire.StandView): void;
}
/** A key pressed somewhere on the page. */
interface TargetedKey {
  key: string;
  target: HTMLElement & { type?: string };
  repeat: boolean;
}
/** Gets a name, and the field it was typed in. */
type AddName = (name: string, input?: HTMLInputElement) => unknown;

/* The connection */

type AskedCommand = Wire.RoomCommand | Wire.AskHint | Wire.AskLedger | Wire.AskTurn;
interface AnswerTo {
  want: Wire.DoneMessage;
  hint: Wire.HintMessage;
  ledger: Wire.LedgerMessage;
  turn: TurnMessage;
}
type CommandAnswer = AnswerTo[keyof AnswerTo];
/** The last that was seen of a game. */
type SeenGame = Pick<Wire.SheetView, "game" | "count" | "head">;
interface PendingCommand {
  isUnsure?: boolean;
  room: string | null;
  message: AskedCommand;
  resolve(answer: CommandAnswer): void;
  reject(refusal: Refusal): void;
}
interface Entering {
  promise: Promise<Wire.RoomView>;
  resolve(room: Wire.RoomView): void;
  reject(refusal: Refusal): void;
}
type SocketState = "open" | "lost" | null;
interface SocketEvents {
  open: undefined;
  message: Wire.ServerMessage;
  state: SocketState;
  closed: { reason: string; forGood: boolean };
}
interface ConnectionEvents {
  room: Wire.RoomView;
  game: GameInfo;
  position: Position;
  solving: Wire.SolvingMessage;
  remark: Wire.RemarkMessage;
  chances: Wire.ChancesMessage;
  state: SocketState;
  refused: Refusal;
  closed: string;
}

/* What this browser remembers */

interface Preferences {
  theme: string;
  motion: "full" | "short" | "off";
  sound: boolean;
  faces: string;
  view: string;
  pace: number;
  edition: string | null;
  text: string | null;
  usual_players: string[];
  name: string;
  rooms: string[];
  guided: boolean;
  guided_rounds: boolean;
  lang: string | null;
  ledger: boolean;
  /** Whether the win bar is shown at the table, and on the big screen. */
  win_bar: boolean;
  win_bar_screen: boolean;
  win_levels: boolean;
  each_roll: boolean;
  known: string[];
  bot: string | null;
  best: Record<string, number>;
  fill_last: boolean;
  shake: boolean;
  /** The people of this device, as the server named them last. */
  people: KnownPerson[];
  /** The editions that were played, the last one first. */
  played: string[];
  /** The lessons finished by nobody in particular: the fingerprint of the rules and the lesson. */
  lessons: string[];
  /** The games of the day that were begun here, by the fingerprint of their rules. */
  daily: Record<string, { day: string; moves: string[] }>;
  /** The streaks of positions of the day that were answered by nobody in particular, by the fingerprint of the rules. */
  streaks: Record<string, KeptStreak>;
}

/* The check of a record */

type Check = (value: unknown) => boolean;
interface RecordHeader {
  knobel: number;
  game: string;
  fingerprint: string;
  edition: { title: string };
  seats: { name?: string; bot?: string | null; real_dice?: boolean; own_dice?: boolean }[];
  dice: { scheme: string; commitment: string; seed?: string | null; seals?: Record<string, string> };
  evening: { games: number; number: number; totals?: number[][]; first?: number | null };
  rules: { dice: number; faces: number };
  quoted?: { game: string };
  start?: string;
}
type RecordEvent = { seat: number; action: string; seed: string; turn: number; faces: number } & {
  event: string;
  positions: number[];
  dice: number[];
  roll?: number;
  throw?: number;
  real?: boolean;
  own?: boolean;
  other?: object;
} & RecordEnding;
interface RecordEnding {
  seeds: { server: string; clients?: string[] };
  why?: string;
}
interface Landing {
  line: number | null;
  seat: number;
  turn: number;
  roll: number;
  positions: number[];
  dice: number[];
  real: boolean;
  faces: number;
  tray: number[];
}
/** What a record proves, or why it does not; what was not reached is missing. */
interface Findings {
  verified: boolean;
  why: string;
  line: number | null;
  events: number;
  rolls: number;
  dice: number;
  realRolls: number;
  entriesWithoutDice: number;
  againstRules: number;
  correctedTurns: number;
  drawn: number | null;
  shown: Map<number, string>;
  without: number[];
  assisted: number[];
  landings: Landing[];
  names: string[];
  head: string;
  header?: RecordHeader;
  closed?: RecordEnding;
  isSeeded?: boolean;
  device?: boolean;
  own?: boolean;
}
/** The findings of a record that is right: all of it was read. */
type Verified = Findings & Required<Pick<Findings, "header" | "closed">>;
interface FaceTally {
  dice: number;
  real: number;
  counts: number[];
  waits: number[];
  since: number[];
}
interface CheckedTray {
  turn: number;
  nth: number;
  air: number[] | null;
  dice: number[];
  known: boolean;
  isCorrected?: boolean;
}
type ReviewClient = import("../static/review-client.js").ReviewClient;
interface ShownStop {
  turn: number;
  decision: Decision | undefined;
  over: boolean;
}
interface DrawnEdition {
  id: string;
  title: string;
  publisher: string;
  dice?: number;
}
type CorrectionIntent =
  | Omit<Wire.Correct, "seat" | "ply" | "box">
  | Omit<Wire.SwapBoxes, "seat" | "ply" | "box">;
/** One box of a column: of ours, with a button. */
interface ScoreCell {
  td: HTMLElement;
  points: HTMLElement;
  extra: HTMLElement;
  button?: HTMLButtonElement;
}
