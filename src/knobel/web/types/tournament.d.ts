/* What the pages about tournaments share: the server's answers. Players are named by their numbers, from 0. */

interface TournamentProgress {
  title: string;
  system: "swiss" | "round_robin";
  rounds: number;
  played: number;
  over: boolean;
}
interface TournamentLine extends TournamentProgress {
  id: string;
}
/** Two players, or one who has a bye. */
type TournamentPair = number[];
interface TournamentRound {
  pairs: TournamentPair[];
  /** The points of each player of each pair. */
  points: number[][];
  totals: (number | null)[];
  game: string | null;
  corrected: number[];
  strangers: string[];
}
interface TournamentNow {
  pairs: TournamentPair[];
  /** Null where the room is gone. */
  room: string | null;
  code: string | null;
  running: boolean;
  /** Whose seats nobody has taken yet. */
  missing: string[];
}
interface TournamentStanding {
  player: number;
  place: number;
  points: number;
  buchholz: number;
  difference: number;
  total: number;
}
interface TournamentView extends TournamentLine {
  version: number;
  is_host: boolean;
  edition: string;
  players: string[];
  absent: number[];
  /** Whether somebody who comes late may still be added. */
  can_add: boolean;
  current: TournamentNow | null;
  next: TournamentPair[];
  results: TournamentRound[];
  standings: TournamentStanding[];
}
type TournamentChange = Wire.TournamentChangeRequest["change"];
/** What the page of a tournament does for its parts. */
interface TournamentActs {
  change: (change: TournamentChange) => unknown;
  /** Shows the form for the results of a round. */
  enter: (round: number) => unknown;
  close: () => unknown;
  /** Asks for another name of a player. */
  rename: (player: number) => unknown;
}
