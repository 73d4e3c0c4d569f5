/* Every message between browser and server. Made from their types in Python: python -m tests.wire_types */

declare namespace Wire {
  /** Want something in the room, or in the game that is named. */
  interface RoomCommand {
    do: "want";
    id: string;
    intent: Sit | TakeSeat | SitBot | RenameSeat | LeaveSeat | SwapSeats | ChangeSettings | SetHandicap | RestartSeries | RealDice | HandOverHost | LockRoom | SealSeed | BeginGame | RevealSeed | StartWithout | Act | Undo | Correct | SwapBoxes | Advance | LeaveGame | SubstituteBot | ReturnToSeat | AskCoach | StopGame;
    game?: string | null;
  }

  /** Take a seat under a name; offered: for somebody who may come with a device of their own. `person` is who plays there, one of the people this device holds. */
  interface Sit {
    want: "sit";
    name: string;
    beginner?: boolean;
    real_dice?: boolean;
    offered?: boolean;
    person?: string | null;
  }

  /** Take an offered seat on this device. */
  interface TakeSeat {
    want: "take";
    seat: number;
  }

  /** Give a bot a seat. */
  interface SitBot {
    want: "sit_bot";
    bot: string;
    name: string;
  }

  /** Give the person of a seat another name, also during the game. */
  interface RenameSeat {
    want: "rename";
    seat: number;
    name: string;
  }

  /** Free a seat, before the game. */
  interface LeaveSeat {
    want: "get_up";
    seat: number;
  }

  /** Swap a seat with the one before it. */
  interface SwapSeats {
    want: "swap";
    seat: number;
  }

  /** Agree on what is played; house rules go by the fingerprint of their file. `start` says who starts the first game, if not whom the rules name. `move_seconds` is how long somebody may think about a move before they count as away; 0 is as long as they like. `standing` is how the games of the evening are counted together, if not as the rules say. `duplicate` gives everybody the same dice, each in a free column. */
  interface ChangeSettings {
    want: "settle";
    edition: string;
    text?: string | null;
    switches?: Record<string, string>;
    games?: number;
    house_rules?: string | null;
    free?: boolean;
    pace?: number;
    start?: "first" | "random" | "roll_off" | null;
    move_seconds?: 0 | 30 | 60 | 120;
    standing?: "places" | "sum" | "wins" | null;
    duplicate?: boolean;
  }

  /** Give a seat points for every game from now on; they count for the standings of the evening alone. */
  interface SetHandicap {
    want: "handicap";
    seat: number;
    points: number;
  }

  /** Begin the evening anew: the games that are over no longer count. */
  interface RestartSeries {
    want: "restart";
  }

  /** Let somebody roll real dice, or ours. */
  interface RealDice {
    want: "real_dice";
    seat: number;
    real: boolean;
  }

  /** Make somebody else the host. */
  interface HandOverHost {
    want: "hand_over";
    seat: number;
  }

  /** Let nobody but the host add seats, or everybody again. */
  interface LockRoom {
    want: "lock";
    locked: boolean;
  }

  /** Promise this device's seed for the dice of the next game, by the id of that game. */
  interface SealSeed {
    want: "seal";
    game: string;
    seal: string;
  }

  /** Start the next game; anyway: without the seeds of devices that have not promised one. */
  interface BeginGame {
    want: "begin";
    anyway?: boolean;
  }

  /** Show this device's seed. */
  interface RevealSeed {
    want: "reveal";
    seed: string;
  }

  /** Wait no longer for the seed of a seat. */
  interface StartWithout {
    want: "start_without";
    seat: number;
  }

  /** Do something in the game of a seat, as it stood at a ply; the action is text. */
  interface Act {
    want: "act";
    seat: number;
    ply: number;
    action: string;
  }

  /** Undo a seat's last entry or announcement. */
  interface Undo {
    want: "undo";
    seat: number;
    ply: number;
  }

  /** Put something else in place of an entry of real dice: another turn, from announcing to scoring. A box names its turn; in a game of rounds the number of the round does. */
  interface Correct {
    want: "correct";
    seat: number;
    ply: number;
    box: string;
    actions: string[];
  }

  /** Score two entries of real dice each in the other one's box. */
  interface SwapBoxes {
    want: "swap_boxes";
    seat: number;
    ply: number;
    box: string;
    other: string;
  }

  /** Let a bot move at once, or confirm the end. */
  interface Advance {
    want: "go_on";
    ply: number;
  }

  /** Leave the game for good. */
  interface LeaveGame {
    want: "leave";
    seat: number;
  }

  /** Let a bot play for somebody who is away. */
  interface SubstituteBot {
    want: "put_in";
    seat: number;
    bot: string;
  }

  /** Take one's seat back from the bot. */
  interface ReturnToSeat {
    want: "return";
    seat: number;
  }

  /** Ask the coach from now on; the record says so. */
  interface AskCoach {
    want: "assist";
    seat: number;
  }

  /** End the game before its end, for all. */
  interface StopGame {
    want: "stop";
  }

  /** Ask the coach what is best for a seat now; from then on the record says that it was assisted. */
  interface AskHint {
    do: "hint";
    id: string;
    seat: number;
  }

  /** Ask the coach how a seat stands so far: par, luck, points lost; that is assistance, too. */
  interface AskLedger {
    do: "ledger";
    id: string;
    seat: number;
  }

  /** Ask what the turn behind an entry of real dice was, and what it could be instead, perhaps with other dice. In a game of rounds the number of the round stands for the box. */
  interface AskTurn {
    do: "turn";
    id: string;
    seat: number;
    box: string;
    dice?: string;
  }

  /** Ask who will win, or lose the round; anybody may who sees the table. A newer question replaces an older one. With `levels` everybody is taken to play at the level they have shown. */
  interface AskChances {
    do: "chances";
    levels?: boolean;
  }

  /** Say what of a game was seen last; a server that knows less, or something else, says so. */
  interface ReportSeen {
    do: "seen";
    game: string;
    count: number;
    head: string;
  }

  /** Say one of the ready-made remarks. */
  interface SayRemark {
    do: "say";
    seat: number;
    remark: "again" | "bye" | "hello" | "lucky" | "moment" | "ouch" | "thanks" | "well_played" | "your_turn";
  }

  /** Ask whether the connection still holds. */
  interface Ping {
    do: "ping";
  }

  /** Switch to another language; the answer is everything there is to see, in that language. */
  interface SetLanguage {
    do: "set_language";
    lang: string;
  }

  /** The room as it is now, as this device sees it. */
  interface RoomMessage {
    is: "room";
    view: RoomView;
  }

  /** A room as one device sees it; `names` are those the edition prints, `begin_refusal` says why none can begin. */
  interface RoomView {
    id: string;
    code: string | null;
    running: boolean;
    host: boolean;
    acting_host: boolean;
    locked: boolean;
    edition: string;
    title: string;
    publisher: string;
    family: string;
    text: string;
    texts: string[];
    switches: Record<string, string>;
    names: Record<string, string>;
    house_rules: string | null;
    free: boolean;
    pace: number;
    start: "first" | "random" | "roll_off" | null;
    move_seconds: number;
    series: SeriesView;
    seats: RoomSeatView[];
    game: string | null;
    next_game: string;
    commitment: string;
    sealed: boolean;
    spectators: number;
    begin_refusal: string | null;
    duplicate: boolean;
    tournament: string | null;
  }

  /** How an evening stands; `scores` and `places` are null where every game stands for itself, `next`: one more comes. `standing` is how its games are counted together, `agreed` what was chosen instead of what the rules say, `starter` who starts the next game, if that is settled. `played` may lack games that an earlier version has kept. */
  interface SeriesView {
    games: number;
    number: number;
    independent: boolean;
    standing: "places" | "sum" | "wins" | null;
    agreed: "places" | "sum" | "wins" | null;
    totals: number[][];
    played: EveningGameView[];
    scores: number[] | null;
    places: number[][] | null;
    next: boolean;
    starter: number | null;
  }

  /** A game of the evening that is over: what was played, and the place of each seat (0: did not play). */
  interface EveningGameView {
    game: string;
    edition: string;
    title: string;
    has_points: boolean;
    places: number[];
  }

  /** One seat: whose it is, whether it may be taken, and whether its device has promised a seed for the dice. Only the device of a seat is told which person it is; everybody sees their colour and emblem. */
  interface RoomSeatView {
    name: string;
    bot: string | null;
    beginner: boolean;
    real_dice: boolean;
    offered: boolean;
    yours: boolean;
    host: boolean;
    sealed: boolean;
    present: boolean;
    person: string | null;
    colour: number;
    emblem: number;
    handicap: number;
  }

  /** The answer to a ping. */
  interface Pong {
    is: "pong";
  }

  /** A command was carried out and is on disk; in a game, with the number of its last event and the chain's head. */
  interface DoneMessage {
    is: "done";
    id: string;
    count: number | null;
    head: string | null;
  }

  /** The best moves of a seat, best first, in points or percentage points. */
  interface HintMessage {
    is: "hint";
    id: string;
    seat: number;
    ply: number;
    unit: string;
    moves: HintMove[];
  }

  /** A move the coach has judged: as an action and in words, its value and what it loses against the best. */
  interface HintMove {
    action: string;
    words: string;
    value: number;
    loss: number;
    grade: string;
    win: number | null;
  }

  /** How a seat stands: final = par + luck - lost. */
  interface LedgerMessage {
    is: "ledger";
    id: string;
    seat: number;
    unit: string;
    par: number;
    luck: number;
    lost: number;
    final: number;
    win_luck: number | null;
    win_lost: number | null;
  }

  /** How a game will end, by seat; `void` is the chance that nobody loses the round. `kind` is `win` or `lose_round`, or null where there is nothing to tell just now, or a `refusal` says why not. After approximate chances the exact ones of the same `ply` may follow. */
  interface ChancesMessage {
    is: "chances";
    game: string | null;
    ply: number | null;
    kind: string | null;
    exact: boolean;
    seats: SeatChance[];
    void: number;
    refusal: string | null;
    levels: boolean;
  }

  /** The chances of a seat, 0 to 1: to win alone, to tie, its share of both; or to lose the round, and the game. */
  interface SeatChance {
    win: number | null;
    tie: number | null;
    share: number | null;
    lose_round: number | null;
    lose_game: number | null;
  }

  /** A command or message was refused: a stable code, and why. */
  interface RefusedMessage {
    is: "refused";
    id: string | null;
    code: string;
    text: string;
  }

  /** Somebody said a remark. */
  interface RemarkMessage {
    is: "remark";
    seat: number;
    remark: string;
  }

  /** Progress of the solve a bot waits for, 0 to 1, null at the end; in words, or why there is none. */
  interface SolvingMessage {
    is: "solving";
    progress: number | null;
    text: string | null;
    refusal: string | null;
  }

  /** The printed score sheet. */
  interface SheetGameMessage {
    is: "game";
    family: string;
    game: string;
    title: string;
    publisher: string;
    text: string;
    dice: number;
    faces: number;
    rolls: number;
    continues: string | null;
    boxes: BoxInfo[];
    bonus: BonusInfo | null;
    prime: boolean;
    locked_dice: boolean;
    announced: boolean;
    upper_total: string | null;
    lower_total: string | null;
  }

  /** A box in words: its name, and how it scores. */
  interface BoxInfo {
    box: string;
    name: string;
    how: string;
    upper: boolean;
    face: number | null;
  }

  /** The bonus line: its name, the upper total it needs, and its points. */
  interface BonusInfo {
    name: string;
    goal: number;
    points: number;
  }

  /** Where the game stands, what just happened, and the same in sentences; equal for all viewers of a language. `own` has, for each sentence, the form that addresses the player it is about, if there is one; `seconds_left` is how long the player everybody waits for may still think, where there is a limit. */
  interface SheetPositionMessage {
    is: "position";
    family: string;
    view: SheetView;
    last: (Acted | Landed | Undone | Corrected | Revealed | StartedWithout | Drawn | Away | StandIn | Back | Assisted | Closed)[];
    narration: string[];
    own: (OwnSentence | null)[];
    seconds_left: number | null;
  }

  /** A score-sheet game, the same for everybody; `undo` lists the seats whose last entry can be undone now. `drawn` says who was drawn to start, as long as nothing has been played. */
  interface SheetView {
    game: string;
    ply: number;
    count: number;
    head: string;
    round: number;
    rounds: number;
    seats: SheetSeatView[];
    trays: SheetTrayView[];
    undo: number[];
    waiting: number[];
    drawn: string | null;
    places: number[][] | null;
    closed: string | null;
    practice: boolean;
    seeded: boolean;
    free: boolean;
    duplicate: boolean;
  }

  /** One player's column and sums; `against_rules` and `corrected` list boxes. */
  interface SheetSeatView {
    name: string;
    bot: string | null;
    away: boolean;
    stand_in: string | null;
    left: boolean;
    beginner: boolean;
    real_dice: boolean;
    assisted: boolean;
    ply: number;
    against_rules: string[];
    corrected: string[];
    entries: (number | null)[];
    upper: number;
    bonus_pace: number;
    bonus: number;
    lower: number;
    extra: number;
    total: number;
  }

  /** The dice of whoever's turn it is; `phase` says what can be done, `roll_refusal` why no dice can be rolled. `own_prompt` is `prompt` as the player reads it whose turn it is. */
  interface SheetTrayView {
    seat: number;
    turn: number;
    phase: string;
    prompt: string;
    own_prompt: string;
    dice: number[];
    locked: number[];
    rolling: number[];
    rolled: number;
    rolls: number;
    asks_rolls: boolean;
    announced: string | null;
    options: OptionView[];
    roll_refusal: string | null;
  }

  /** One open box: what it would score or why it cannot, and the actions that score, cross out or announce it. For real dice nobody entered: which points can be scored, which only against the rules, and why. */
  interface OptionView {
    box: string;
    points: number;
    extra: number;
    refusal: string | null;
    warn_zero: boolean;
    can_cross_out: boolean;
    scores: string[];
    anyway: string[];
    why: string | null;
    action: string | null;
    cross_out_action: string | null;
    announce_action: string | null;
  }

  /** A seat did something; the action is notation. */
  interface Acted {
    event: "acted";
    seat: number;
    action: string;
  }

  /** Dice came to rest: whose, where in the stream, which positions, what they show, and whether they were real. */
  interface Landed {
    event: "landed";
    seat: number;
    turn: number;
    roll: number;
    faces: number;
    positions: number[];
    dice: number[];
    real: boolean;
  }

  /** The last entry or announcement was undone. */
  interface Undone {
    event: "undone";
    number: number;
  }

  /** A turn with real dice was entered wrongly: it is played again, and all that came after it. If two turns were mixed up, one event corrects both: neither could be corrected without the other. */
  interface Corrected {
    event: "corrected";
    seat: number;
    turn: number;
    actions: string[];
    other?: CorrectedTurn;
  }

  /** A turn as it should have been entered. */
  interface CorrectedTurn {
    turn: number;
    actions: string[];
  }

  /** A player showed the seed behind the seal. */
  interface Revealed {
    event: "revealed";
    seat: number;
    seed: string;
  }

  /** The game starts without the seed of a player who did not show it. */
  interface StartedWithout {
    event: "without";
    seat: number;
  }

  /** Lots were drawn: this seat starts. */
  interface Drawn {
    event: "drawn";
    seat: number;
  }

  /** A player is not there; the table waits. */
  interface Away {
    event: "away";
    seat: number;
  }

  /** A bot plays the seat until its player returns. */
  interface StandIn {
    event: "stand_in";
    seat: number;
    bot: string;
  }

  /** A player is there again. */
  interface Back {
    event: "back";
    seat: number;
  }

  /** A player asked the coach from here on. */
  interface Assisted {
    event: "assisted";
    seat: number;
  }

  /** Nothing comes after this, and the seeds are shown: the game is over, was stopped, or waited too long. */
  interface Closed {
    event: "closed";
    seeds: Seeds;
    why?: "expired" | "over" | "stopped";
  }

  /** Where the dice come from, in hex. */
  interface Seeds {
    server: string;
    clients: string[];
  }

  /** A sentence as the player on a seat reads it. */
  interface OwnSentence {
    seat: number;
    text: string;
  }

  /** The turn behind an entry, and what could stand in its place. */
  interface TurnTurnMessage {
    is: "turn";
    id: string;
    family: string;
    view: TurnView;
  }

  /** The turn behind an entry, and what could be scored in its place, seen from before it. Where boxes are announced, every option is seen as if that box had been; `swaps` are entries it may be mixed up with, what scores most first. */
  interface TurnView {
    seat: number;
    box: string;
    turn: number;
    actions: string[];
    announces: boolean;
    dice: number[];
    options: OptionView[];
    swaps: SwapView[];
  }

  /** A filled box whose entry could stand here, and this one there: what both would score, or what is against it. */
  interface SwapView {
    box: string;
    here: number;
    there: number;
    refusal: string | null;
  }

  /** What a game of rounds is played with. */
  interface RoundsGameMessage {
    is: "game";
    family: string;
    game: string;
    title: string;
    publisher: string;
    text: string;
    dice: number;
    faces: number;
    rolls: number;
    continues: string | null;
    chips: number;
  }

  /** Where the game stands, what just happened, and the same in sentences; equal for all viewers of a language. `own` has, for each sentence, the form that addresses the player it is about, if there is one; `seconds_left` is how long the player everybody waits for may still think, where there is a limit. */
  interface RoundsPositionMessage {
    is: "position";
    family: string;
    view: RoundsView;
    last: (Acted | Landed | Undone | Corrected | Revealed | StartedWithout | Drawn | Away | StandIn | Back | Assisted | Closed)[];
    narration: string[];
    own: (OwnSentence | null)[];
    seconds_left: number | null;
  }

  /** A game of rounds, the same for everybody; there is no opener while players roll to see who starts. `drawn` says who was drawn to start, as long as nothing has been played. */
  interface RoundsView {
    game: string;
    ply: number;
    count: number;
    head: string;
    round: number;
    seats: RoundsSeatView[];
    trays: RoundsTrayView[];
    opener: number | null;
    aim: string | null;
    target: number | null;
    kitty: number;
    tie: TieView | null;
    log: RoundView[];
    undo: number[];
    waiting: number[];
    drawn: string | null;
    places: number[][] | null;
    closed: string | null;
    practice: boolean;
    seeded: boolean;
  }

  /** One player: their chips, their total in this round, whether it beats the opener's, the place they left in. A total of real dice that was entered again is `corrected`. */
  interface RoundsSeatView {
    name: string;
    bot: string | null;
    away: boolean;
    stand_in: string | null;
    left: boolean;
    real_dice: boolean;
    assisted: boolean;
    ply: number;
    chips: number;
    total: number | null;
    beats: boolean | null;
    corrected: boolean;
    place: number | null;
  }

  /** The dice of whoever's turn it is; `prompt` says what they have to do, `stands` how they may stop. `own_prompt` is `prompt` as the player reads it whose turn it is. `asks_rolls`: whoever enters real dice has to say in how many rolls. */
  interface RoundsTrayView {
    seat: number;
    turn: number;
    phase: string;
    prompt: string;
    own_prompt: string;
    dice: number[];
    locked: number[];
    rolling: number[];
    rolled: number;
    rolls: number;
    asks_rolls: boolean;
    sum: number;
    beats: boolean | null;
    stands: StandView[];
    roll_refusal: string | null;
  }

  /** A way to stop rolling: what an opener then asks of the others, and the action that says so. */
  interface StandView {
    aim: string | null;
    action: string;
  }

  /** Who rolls off a tie, what for, and the sums so far. */
  interface TieView {
    kind: string;
    seats: number[];
    sums: number[];
  }

  /** A round that is over: who opened with which aim, all totals, who took a chip from whom, who left. Its number counts void rounds too; `corrected` are the seats whose totals were entered again. */
  interface RoundView {
    round: number;
    opener: number | null;
    aim: string | null;
    totals: ([number, number])[];
    loser: number | null;
    winner: number | null;
    chip_from: number | null;
    left: number[];
    corrected: number[];
  }

  /** The turn behind an entry, and what could stand in its place. */
  interface RoundTurnTurnMessage {
    is: "turn";
    id: string;
    family: string;
    view: RoundTurnView;
  }

  /** A turn in a round: its dice, or others that are asked about, in how many rolls, and how they could stand. */
  interface RoundTurnView {
    seat: number;
    round: number;
    turn: number;
    actions: string[];
    opens: boolean;
    aim: string | null;
    dice: number[];
    rolled: number;
    rolls: number;
    stands: StandView[];
  }

  /** Open a room with these seats; the same id again gives the same room. */
  interface OpenRequest {
    id: string;
    settings: ChangeSettings;
    seats?: (Sit | SitBot)[];
  }

  /** Open a room in which a game that is over goes on after one of its events; the other seats are bots. */
  interface ContinueRequest {
    id: string;
    game: string;
    event: number;
    seat: number;
    bot: string;
  }

  /** Find the room with a code. */
  interface CodeRequest {
    code: string;
  }

  /** The form as it is filled in; what is not possible is refused when the file is read. */
  interface DraftRequest {
    title: string;
    base: string;
    rolls: number;
    text?: string | null;
    bonus?: BonusRequest | null;
    chance?: string | null;
    points?: Record<string, number>;
    dropped?: string[];
  }

  /** A bonus as somebody types it. */
  interface BonusRequest {
    threshold: number;
    points: number;
  }

  /** An answer in notation: to the position of a day, to a puzzle by number, or to a mistake by its event. Without a day it is that of today; yesterday’s can still be answered by whoever has it on the screen. */
  interface AnswerRequest {
    edition?: string;
    house_rules?: string;
    person?: string | null;
    kind: "mistake" | "position" | "practice";
    action: string;
    theme?: string;
    number?: number;
    game?: string;
    event?: number;
    day?: string;
  }

  /** All moves of a game of the day so far, in notation; without a day, those of today. */
  interface DailyGameRequest {
    day?: string;
    moves?: string[];
    edition?: string;
    house_rules?: string;
    person?: string | null;
  }

  /** A lesson that a person has finished. */
  interface FinishedRequest {
    lesson?: string;
    edition?: string;
    house_rules?: string;
    person?: string | null;
  }

  /** Create a tournament; the same id again gives the same one. Without a number of rounds there are as many as usual. With a `file` everything but the settings is read from it. */
  interface TournamentRequest {
    id: string;
    settings: ChangeSettings;
    title?: string;
    system?: "round_robin" | "swiss";
    rounds?: number | null;
    players?: string[];
    file?: string | null;
    file_name?: string;
  }

  /** Change a tournament of which this version was seen. */
  interface TournamentChangeRequest {
    version: number;
    change: SetAbsent | AddPlayer | RenamePlayer | OpenRound | CancelRound | EnterTotals | DeleteTournament;
  }

  /** Say who does not play the next round. */
  interface SetAbsent {
    want: "absent";
    players: number[];
  }

  /** Add somebody who comes late; they have no points of the rounds before. */
  interface AddPlayer {
    want: "add";
    name: string;
  }

  /** Change the name of a player; games that were played keep the old one. */
  interface RenamePlayer {
    want: "rename";
    player: number;
    name: string;
  }

  /** Pair the next round, and open the room in which it is played. */
  interface OpenRound {
    want: "open";
  }

  /** Take back a round that was opened; its room counts no longer. */
  interface CancelRound {
    want: "cancel";
  }

  /** Say what everybody scored in a round that is over, or end the next one with it. */
  interface EnterTotals {
    want: "totals";
    round: number;
    totals: (number | null)[];
  }

  /** Delete the tournament; the games of its rounds stay. */
  interface DeleteTournament {
    want: "delete";
  }

  type ClientMessage = RoomCommand | AskHint | AskLedger | AskTurn | AskChances | ReportSeen | SayRemark | Ping | SetLanguage;

  type ServerMessage = RoomMessage | Pong | DoneMessage | HintMessage | LedgerMessage | ChancesMessage | RefusedMessage | RemarkMessage | SolvingMessage | SheetGameMessage | SheetPositionMessage | TurnTurnMessage | RoundsGameMessage | RoundsPositionMessage | RoundTurnTurnMessage;

  type Intent = Sit | TakeSeat | SitBot | RenameSeat | LeaveSeat | SwapSeats | ChangeSettings | SetHandicap | RestartSeries | RealDice | HandOverHost | LockRoom | SealSeed | BeginGame | RevealSeed | StartWithout | Act | Undo | Correct | SwapBoxes | Advance | LeaveGame | SubstituteBot | ReturnToSeat | AskCoach | StopGame;
}
