"""All errors, as one tree; each class has one stable code and carries data, never words."""

from collections.abc import Callable
from typing import ClassVar

from knobel.phrase import Phrase, Value, phrase


class KnobelError(Exception):
    """The root; a subclass names its code and the values its sentence needs."""

    code: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()
    exit_status: ClassVar[int] = 2
    """What a command that ends with it tells the shell."""

    def __init__(self, **values: Value) -> None:
        if set(values) != set(self.needs):
            raise TypeError(self.code, self.needs, tuple(values))
        self.values = values
        super().__init__(self.code, values)

    describe: ClassVar[Callable[["KnobelError"], str] | None] = None
    """Puts an error into words; the library sets it, because words live above this module."""

    def __str__(self) -> str:
        describe = type(self).describe
        return describe(self) if describe else super().__str__()

    def __reduce__(self) -> tuple[Callable[..., "KnobelError"], tuple[type["KnobelError"], dict[str, Value]]]:
        return rebuild_error, (type(self), self.values)

    @property
    def phrase(self) -> Phrase:
        """What to say about it."""
        return phrase(f"errors.{self.code}", **self.values)


def rebuild_error(kind: type[KnobelError], values: dict[str, Value]) -> KnobelError:
    """Make an error again that was sent to another process."""
    return kind(**values)


class WrongArgument(KnobelError):
    """A program called the library with a value of the wrong type."""

    code = "argument_kind"
    needs = ("name", "wanted", "value")


class UnknownError(KnobelError):
    """A name that is not in the list it was looked up in; the list is attached, to suggest the nearest."""

    needs = ("name", "known")
    suggest: ClassVar[bool] = True
    list_all: ClassVar[bool] = False


class UnknownEdition(UnknownError):
    """No such edition, and no such file."""

    code = "unknown_edition"


class UnknownBox(UnknownError):
    """No such box on this sheet."""

    code = "unknown_box"


class UnknownSwitch(UnknownError):
    """No such switch."""

    code = "unknown_switch"
    list_all = True


class UnknownText(UnknownError):
    """The edition was not printed in that language."""

    code = "unknown_text"
    suggest = False


class UnknownLanguage(UnknownError):
    """Knobel does not speak that language."""

    code = "unknown_language"
    suggest = False


class UnknownCommand(UnknownError):
    """No such command."""

    code = "unknown_command"


class UnknownOption(UnknownError):
    """No such option of this command."""

    code = "unknown_option"


class UnknownShell(UnknownError):
    """No shell for which there is a completion."""

    code = "unknown_shell"
    list_all = True


class UnknownBot(UnknownError):
    """No such bot."""

    code = "unknown_bot"


class BotLossOutOfRange(KnobelError):
    """A bot that is to lose an impossible number of points."""

    code = "bot_loss"
    needs = ("value", "most")


class UnknownPlayer(UnknownError):
    """Nobody of that name plays."""

    code = "unknown_player"


class NothingToResume(KnobelError):
    """There is no unfinished game."""

    code = "nothing_to_resume"


class NothingToCertify(KnobelError):
    """No game is over."""

    code = "nothing_to_certify"


class GameFinished(KnobelError):
    """The game to resume is already over."""

    code = "game_finished"
    needs = ("file",)


class RoomError(KnobelError):
    """Something that cannot be done in a room."""


class RoomNotFound(RoomError):
    """No such room, or a wrong code; the error does not say which."""

    code = "room_unknown"


class GameNotFound(RoomError):
    """No such game is kept."""

    code = "game_unknown"
    needs = ("name",)


class GameNotFinished(RoomError):
    """A game that is not over yet cannot be looked into."""

    code = "game_open"
    needs = ("name",)


class GameNotYours(RoomError):
    """A game this device has no seat in."""

    code = "game_elsewhere"
    needs = ("name",)


class GameRunning(RoomError):
    """A game is being played, so nothing can be changed before it."""

    code = "game_running"


class NoGameRunning(RoomError):
    """No game is being played."""

    code = "no_game"


class NotHost(RoomError):
    """Only the host decides this."""

    code = "not_host"


class SeatNotYours(RoomError):
    """A seat of another device."""

    code = "not_yours"


class NoSuchSeat(RoomError):
    """A seat that is not there."""

    code = "no_seat"
    needs = ("seat", "n")


class SeatsFull(RoomError):
    """No more seats fit."""

    code = "seats_full"
    needs = ("n",)


class TooManySeats(RoomError):
    """A device other than the host's has as many seats as it may have."""

    code = "device_seats"
    needs = ("n",)


class DeviceUnproven(RoomError):
    """The second secret of a device is not one it is known by."""

    code = "device_unproven"


class RecoveryCodeInvalid(RoomError):
    """No seats can be moved with this code."""

    code = "recovery_code"


class PersonUnknown(RoomError):
    """There is no such person, or this device may know nothing about them; the error does not say which."""

    code = "person_unknown"


class PersonNotYours(RoomError):
    """Another device speaks for this person."""

    code = "person_not_yours"


class PersonNotFound(RoomError):
    """Nobody in the database has that name."""

    code = "person_not_found"
    needs = ("name",)


class PersonAmbiguous(RoomError):
    """Several people have that name; their ids tell them apart."""

    code = "person_ambiguous"
    needs = ("name", "known")


class PersonNameTaken(RoomError):
    """The device has a person of that name."""

    code = "person_name_taken"
    needs = ("name",)


class TooManyPeople(RoomError):
    """The device holds as many people as it may."""

    code = "people_full"
    needs = ("n",)


class PersonCodeInvalid(RoomError):
    """No person comes with this code."""

    code = "person_code"


class RoomLocked(RoomError):
    """The host lets nobody else sit down."""

    code = "room_locked"


class RoomOfTournament(RoomError):
    """What is played in the room of a round was agreed for the whole tournament."""

    code = "room_of_tournament"


class SeedsEarly(RoomError):
    """The seeds that are missing may still come."""

    code = "seeds_early"
    needs = ("n",)


class GameDamaged(RoomError):
    """The stored log of a game is not what was once written."""

    code = "game_damaged"
    needs = ("name", "event")


class RoomDamaged(RoomError):
    """The stored room cannot be read."""

    code = "room_damaged"
    needs = ("name",)


class HistoryRolledBack(RoomError):
    """A client has seen more of a game than the server has."""

    code = "rolled_back"
    needs = ("name", "event")


class CannotStart(RoomError):
    """Something is missing before a game can begin."""

    code = "cannot_begin"
    needs = ("why",)


class SeedsMissing(RoomError):
    """Devices that have not promised a seed yet."""

    code = "seeds_missing"
    needs = ("names",)


class StaleRequest(RoomError):
    """The game has moved on since this was wanted."""

    code = "stale"


class CommandIdReused(RoomError):
    """One id for two different commands."""

    code = "command_reused"


class MessageMalformed(RoomError):
    """A message that cannot be parsed."""

    code = "message_malformed"


class TooManyCodes(RoomError):
    """Too many room codes were tried."""

    code = "codes_too_many"
    needs = ("n",)


class TooManyRooms(RoomError):
    """One device or address opens too many rooms."""

    code = "rooms_too_many"


class TooManyDevices(RoomError):
    """Too many new devices from one address."""

    code = "devices_too_many"


class ServerRestarting(RoomError):
    """The server ends, and most likely another one takes its place at once."""

    code = "server_restarting"


class ServerBusy(RoomError):
    """Too many others wait for an answer that takes a while."""

    code = "server_busy"


class TooManyPages(RoomError):
    """One device has too many pages open."""

    code = "pages_too_many"
    needs = ("n",)


class WireOutdated(RoomError):
    """A page that speaks another version of the wire."""

    code = "wire_outdated"


class ForeignOrigin(RoomError):
    """A request from a page of another site."""

    code = "origin_foreign"


class PlatformUnsupported(KnobelError):
    """A system without what Knobel needs to keep its files whole."""

    code = "platform_unsupported"


class WorkersNeedPostgres(KnobelError):
    """Several worker processes, but a database that only one process can use."""

    code = "workers_need_postgres"
    needs = ("n",)


class AdminAddressInvalid(KnobelError):
    """An address for whoever runs the server that is none."""

    code = "admin_address"
    needs = ("value",)


class AdminAddressTaken(KnobelError):
    """An address for whoever runs the server that is not to be had: it is in use, or not of this machine."""

    code = "admin_address_taken"
    needs = ("value", "reason")


class PortTaken(KnobelError):
    """Another program listens on the port."""

    code = "port_taken"
    needs = ("port", "reason")


class ProblemsFound(KnobelError):
    """The doctor found problems on this machine."""

    code = "problems"
    needs = ("topics",)
    exit_status = 1


class NameEmpty(KnobelError):
    """A player's name with nothing readable in it."""

    code = "name_empty"


class NumberOutOfRange(KnobelError):
    """A number outside its range."""

    code = "number_range"
    needs = ("name", "least", "most", "value")


class CommandLineError(KnobelError):
    """A command line that cannot be read."""


class MissingArgument(CommandLineError):
    """A required word is missing."""

    code = "missing_argument"
    needs = ("name",)


class SurplusArgument(CommandLineError):
    """A word too many."""

    code = "surplus_argument"
    needs = ("value",)


class StandingOfRoom(CommandLineError):
    """How the games of a room are counted was agreed there."""

    code = "standing_of_room"


class HandicapWithoutName(CommandLineError):
    """A handicap without a name or without a number."""

    code = "handicap_form"
    needs = ("value",)


class MissingValue(CommandLineError):
    """An option came without its value."""

    code = "missing_value"
    needs = ("name",)


class OptionsClash(CommandLineError):
    """Two options of which one can be used."""

    code = "options_clash"
    needs = ("name", "other")


class SurplusValue(CommandLineError):
    """A flag came with a value."""

    code = "surplus_value"
    needs = ("name", "value")


class NotNumber(CommandLineError):
    """A whole number was wanted."""

    code = "not_number"
    needs = ("name", "value")


class SwitchSyntax(CommandLineError):
    """A setting that is not `name=value`."""

    code = "switch_syntax"
    needs = ("value",)


class SwitchValue(CommandLineError):
    """A switch was set to a value it does not have."""

    code = "switch_value"
    needs = ("name", "value", "allowed")


class NotSheetGame(KnobelError):
    """Something only score-sheet games have was asked of another family."""

    code = "not_sheet"
    needs = ("title",)


class UnknownTheme(UnknownError):
    """No such theme of puzzles in this family of games."""

    code = "unknown_theme"
    list_all = True


class ThemeNotFound(KnobelError):
    """No position of this theme came up in so many games at best play."""

    code = "theme_not_found"
    needs = ("games",)


class PuzzleNotFound(KnobelError):
    """No position worth asking about came up in so many games at best play."""

    code = "puzzle_not_found"
    needs = ("games",)


class UnknownLesson(UnknownError):
    """No such lesson in this family of games."""

    code = "unknown_lesson"
    list_all = True


class LessonMissing(KnobelError):
    """A lesson about something that the rules at hand do not have."""

    code = "lesson_missing"
    needs = ("why",)


class DifferentFamilies(KnobelError):
    """Two games of different families, which cannot be compared."""

    code = "two_families"
    needs = ("left", "right")


class PositionError(KnobelError):
    """Dice or a sheet that cannot occur."""


class WrongDiceCount(PositionError):
    """Too few or too many dice."""

    code = "dice_count"
    needs = ("n", "wanted")


class NoSuchFace(PositionError):
    """A die shows a face it does not have."""

    code = "dice_face"
    needs = ("value", "faces")


class SheetEntrySyntax(PositionError):
    """A sheet entry that is not `box=points`."""

    code = "sheet_syntax"
    needs = ("value",)


class BoxFilledTwice(PositionError):
    """The same box was filled twice."""

    code = "sheet_twice"
    needs = ("box",)


class ImpossiblePoints(PositionError):
    """Points that this box can never hold."""

    code = "sheet_points"
    needs = ("box", "points", "allowed")


class YatzysTooFew(PositionError):
    """The sheet shows more five-alike turns than were claimed."""

    code = "yatzys_too_few"
    needs = ("n", "least")


class YatzysTooMany(PositionError):
    """More five-alike turns were claimed than turns have been played."""

    code = "yatzys_too_many"
    needs = ("n", "most")


class AnnouncementNotPlayed(PositionError):
    """A box was announced in a game without announcements."""

    code = "announced_not_needed"
    needs = ("box",)


class AnnouncementMissing(PositionError):
    """Dice were rolled in a game with announcements, but no box was announced."""

    code = "announced_missing"


class AnnouncedBoxFilled(PositionError):
    """The announced box is already filled."""

    code = "announced_filled"
    needs = ("box",)


class AimUnknown(PositionError):
    """An aim that is neither over nor under."""

    code = "aim_unknown"
    needs = ("over", "under", "value")


class NotInBook(PositionError):
    """Boxes were filled out of order where the rules fill from top to bottom: no book has such a sheet."""

    code = "out_of_book"


class OtherRules(PositionError):
    """A board or record of other rules than those a book was solved for."""

    code = "book_rules"


class SheetFull(PositionError):
    """There is nothing left to decide."""

    code = "sheet_full"


class NoSuchDecision(PositionError):
    """An event of a game that was no choice of a player."""

    code = "no_such_decision"
    needs = ("n",)


class UnknownChoice(PositionError):
    """A typed choice that is neither listed nor dice on the table."""

    code = "unknown_choice"
    needs = ("value",)


class TooManyOpenBoxes(PositionError):
    """Chances to win are worked out once fewer boxes are open."""

    code = "too_many_open_boxes"
    needs = ("n", "most")


class AimOutOfReach(PositionError):
    """A final score that nobody can reach from a position, however lucky."""

    code = "aim_out_of_reach"
    needs = ("n", "most")


class InvalidLockedDice(PositionError):
    """Locked dice that cannot be locked here."""

    code = "locked_dice"
    needs = ("dice",)


class FileError(KnobelError):
    """A file that cannot be used."""


class FileMissing(FileError):
    """No such file."""

    code = "file_missing"
    needs = ("file",)


class TotalsInvalid(FileError):
    """A line of a table of totals cannot be used."""

    code = "totals_invalid"
    needs = ("file", "line", "why")


class NotRegularFile(FileError):
    """A folder, a pipe or a device where a file was wanted."""

    code = "file_kind"
    needs = ("file",)


class FileUnreadable(FileError):
    """The system will not let us read it."""

    code = "file_unreadable"
    needs = ("file", "reason")


class FileUnwritable(FileError):
    """The system will not let us write it."""

    code = "file_unwritable"
    needs = ("file", "reason")


class FileTooLarge(FileError):
    """More bytes than allowed."""

    code = "file_too_large"
    needs = ("file", "limit")


class FileNotUtf8(FileError):
    """Not UTF-8."""

    code = "file_encoding"
    needs = ("file",)


class FileTooManyLines(FileError):
    """More lines than allowed."""

    code = "file_lines"
    needs = ("file", "value", "limit")


class FileTooManyDots(FileError):
    """A key with more dots than allowed."""

    code = "file_dots"
    needs = ("file", "line", "limit")


class FileTooDeep(FileError):
    """Brackets nested deeper than allowed."""

    code = "file_depth"
    needs = ("file", "line", "limit")


class FileNotToml(FileError):
    """A file that is not valid TOML; `reason` is the parser's message."""

    code = "file_toml"
    needs = ("file", "reason")


class RulesError(KnobelError):
    """Rules that break the schema; `file` and `key` say where."""


class KeyUnknown(RulesError):
    """A key the schema does not know."""

    code = "key_unknown"
    needs = ("file", "key", "known")


class KeyMissing(RulesError):
    """A key the schema needs."""

    code = "key_missing"
    needs = ("file", "key")


class KeyWrongType(RulesError):
    """A value of the wrong kind."""

    code = "key_kind"
    needs = ("file", "key", "wanted", "value")


class KeyOutOfRange(RulesError):
    """A number outside its range."""

    code = "key_range"
    needs = ("file", "key", "least", "most", "value")


class KeyNotAllowed(RulesError):
    """A word that is not among the allowed ones."""

    code = "key_choice"
    needs = ("file", "key", "allowed", "value")


class KeyWrongLength(RulesError):
    """A list or a name that is too short or too long."""

    code = "key_length"
    needs = ("file", "key", "least", "most", "value")


class KeyBlank(RulesError):
    """A name with nothing readable in it."""

    code = "key_text"
    needs = ("file", "key")


class KeyUnknownBox(RulesError):
    """A key that names a box which is not on the sheet."""

    code = "key_box"
    needs = ("file", "key", "value", "known")


class KeyConflict(RulesError):
    """Two keys that contradict each other."""

    code = "key_clash"
    needs = ("file", "key", "other")


class InvalidBoxId(RulesError):
    """A box whose id is not a plain word."""

    code = "box_id"
    needs = ("file", "key")


class BoxImpossible(RulesError):
    """A box that no hand of these dice can ever fill."""

    code = "box_impossible"
    needs = ("file", "key")


class DuplicateUpperBox(RulesError):
    """Two upper boxes for the same face."""

    code = "box_twice"
    needs = ("file", "key", "other")


class IllegalAction(KnobelError):
    """An action the rules refuse; `why` is the refusal."""

    code = "illegal_action"
    needs = ("why",)


class WrongPlayerCount(KnobelError):
    """More or fewer players than the rules allow."""

    code = "players_outside"
    needs = ("n", "limits")


class NoSeatAtTable(KnobelError):
    """A seat that is not at this table."""

    code = "bad_seat"
    needs = ("seat", "seats")


class NotationError(KnobelError):
    """Text that is no action here."""

    code = "notation"
    needs = ("text",)


class MoveNotUnderstood(KnobelError):
    """A typed line that is no move here, nor like one."""

    code = "move_not_understood"
    needs = ("text",)


class UnknownMove(UnknownError):
    """A typed line that is no move here, but nearly one."""

    code = "unknown_move"


class AmbiguousBox(KnobelError):
    """A shortened name that several boxes have."""

    code = "ambiguous_box"
    needs = ("name", "known")


class PointsMissing(KnobelError):
    """A box without the points that were to be entered there."""

    code = "points_missing"
    needs = ("box",)


class NotationTrayMismatch(KnobelError):
    """A roll whose text does not show the dice on the tray."""

    code = "notation_tray"
    needs = ("text", "tray")


class RecordError(KnobelError):
    """A record that cannot be trusted."""


class RecordTruncated(RecordError):
    """The file stops before its digest."""

    code = "record_torn"
    needs = ("file",)


class RecordDigestMismatch(RecordError):
    """The digest does not fit the bytes."""

    code = "record_edited"
    needs = ("file",)


class RecordChainBroken(RecordError):
    """A line that does not carry the hash of the one before it."""

    code = "record_chain"
    needs = ("file", "line")


class RecordFormatUnknown(RecordError):
    """Not a record, or one of a later Knobel."""

    code = "record_format"
    needs = ("file", "version", "known")


class RecordLineInvalid(RecordError):
    """A line that is no header or event."""

    code = "record_line"
    needs = ("file", "line")


class RecordIllegalEvent(RecordError):
    """An event the rules refuse."""

    code = "record_illegal"
    needs = ("file", "line", "why")


class RecordRulesInvalid(RecordError):
    """The rules in the header are not sound, or not those of its fingerprint."""

    code = "record_rules"
    needs = ("file", "why")


class OutputFailed(KnobelError):
    """The answer cannot be written."""

    code = "output_failed"
    needs = ("reason",)


class PaperError(KnobelError):
    """Something that cannot be printed as requested."""


class UnknownStart(UnknownError):
    """No such way to settle who starts."""

    code = "unknown_start"
    list_all = True


class UnknownStanding(UnknownError):
    """No such way to count the games of an evening."""

    code = "unknown_standing"
    list_all = True


class UnknownPaper(UnknownError):
    """No such size of paper."""

    code = "unknown_paper"
    list_all = True


class PaperTooSmall(PaperError):
    """Paper too small for large print, for its long side, or to be cut."""

    code = "paper_too_small"
    needs = ("size", "option")


class PadColumnCount(PaperError):
    """More columns than anybody needs, or none."""

    code = "pad_columns"
    needs = ("columns", "most")


class PadNamesForOne(PaperError):
    """Sheets with names, which are for one player each, for games of several."""

    code = "pad_names"


class RecordRulesDiffer(PaperError):
    """Games for one sheet that were played by different rules."""

    code = "print_rules"
    needs = ("name", "first")


class RecordPlayersDiffer(PaperError):
    """Games for one sheet that had different players."""

    code = "print_players"
    needs = ("name", "first")


class PlayerNotInRecord(PaperError):
    """A player whose columns are to be printed from a game of others."""

    code = "print_absent"
    needs = ("player", "name")


class PrintedSingly(PaperError):
    """Several games for one sheet, of a family that needs a sheet for each."""

    code = "print_single"
    needs = ("title",)


class PadColumnsUneven(PaperError):
    """Columns that do not make whole games for this many players."""

    code = "pad_uneven"
    needs = ("columns", "n")


class PadCopyCount(PaperError):
    """Too many copies, or none."""

    code = "pad_copies"
    needs = ("copies", "most")


class PaperMissing(PaperError):
    """The package that prints is not installed."""

    code = "paper_missing"


class TuiMissing(KnobelError):
    """The package that draws the full-screen game is not installed."""

    code = "tui_missing"


class LabMissing(KnobelError):
    """The packages of the lab are not installed."""

    code = "lab_missing"


class PrintQueueFull(PaperError):
    """Too many pages wait to be printed."""

    code = "paper_busy"


class GameTooLarge(KnobelError):
    """A game too large to solve here."""

    code = "too_large"
    needs = ("states", "seconds", "memory", "most_seconds", "most_memory")


class GameTooLargeToServe(GameTooLarge):
    """A game too large to solve while people wait for a bot."""

    code = "too_large_here"


class SolveError(KnobelError):
    """Rules that are not solved, so a bot that needs their book cannot play."""


class StillSolving(SolveError):
    """A bot's turn came before its book was solved."""

    code = "still_solving"


class SolveTimeout(SolveError):
    """The solve exceeded its time limit."""

    code = "solving_long"
    needs = ("limit",)


class SolveMemoryExceeded(SolveError):
    """The solve exceeded its memory limit."""

    code = "solving_memory"
    needs = ("limit",)


class SolveFailed(SolveError):
    """The solve ended without a book."""

    code = "solving_failed"


class SolveUnsaved(SolveError):
    """Solved values could not be saved in the folder of books."""

    code = "solving_unkept"


class SolverMissing(SolveError):
    """The packages that solve are not installed."""

    code = "solver_missing"


class SolveQueueFull(SolveError):
    """Too many games wait to be solved."""

    code = "solving_queue"
    needs = ("limit",)


class ChancesNotReady(SolveError):
    """Chances cannot be told before the rules are solved."""

    code = "chances_not_ready"


class HouseRulesDisabled(KnobelError):
    """A house-rule file was uploaded where that is disabled."""

    code = "house_rules_closed"


class HouseRulesUnknown(KnobelError):
    """House rules that are not stored here."""

    code = "house_rules_unknown"


class TooManyFiles(KnobelError):
    """Too many house-rule files in a short time."""

    code = "files_too_many"
    needs = ("limit", "n")


class PublicUrlInvalid(KnobelError):
    """An address under which nobody can reach a server."""

    code = "public_url"
    needs = ("value",)


class ProxyAddressInvalid(KnobelError):
    """No address of a proxy."""

    code = "proxy_address"
    needs = ("value",)


class DatabaseError(KnobelError):
    """A database that cannot be used."""


class DatabaseAddressUnknown(DatabaseError):
    """An address that names no database Knobel can use."""

    code = "database_unknown"
    needs = ("value",)


class DatabaseDriverMissing(DatabaseError):
    """A PostgreSQL address, but its driver is not installed."""

    code = "database_driver"


class DatabaseUnreachable(DatabaseError):
    """The database does not answer, or cannot be opened."""

    code = "database_unreachable"
    needs = ("value", "reason")


class DatabaseNewer(DatabaseError):
    """A newer Knobel wrote this database."""

    code = "database_newer"
    needs = ("value", "version", "known")


class DatabaseForeign(DatabaseError):
    """The file is not a Knobel database."""

    code = "database_foreign"
    needs = ("value",)


class DatabaseFull(DatabaseError):
    """Nothing can be written: the disk is full, or the file may not grow."""

    code = "database_full"
    needs = ("value",)


class DatabaseIoFailed(DatabaseError):
    """The disk fails to read or write."""

    code = "database_io"
    needs = ("value", "reason")


class DatabaseInUse(DatabaseError):
    """Another process writes to the same SQLite file."""

    code = "database_in_use"
    needs = ("value", "pid", "version")


class DatabaseGone(DatabaseError):
    """The file was deleted or replaced while it was in use."""

    code = "database_gone"
    needs = ("value",)


class DatabaseVersionMissing(DatabaseError):
    """The number of the schema is missing or no number."""

    code = "database_version"
    needs = ("value",)


class DatabaseNotEmpty(DatabaseError):
    """A backup is to be restored into a database that holds games or rooms already."""

    code = "database_used"
    needs = ("value",)


class BackupError(DatabaseError):
    """A backup that cannot be restored."""


class BackupBroken(BackupError):
    """The file is no backup, stops too early, or was changed."""

    code = "backup_broken"
    needs = ("file",)


class BackupFormatUnknown(BackupError):
    """A backup in a format this Knobel does not know."""

    code = "backup_format"
    needs = ("file", "version", "known")


class RecordDiceMismatch(RecordError):
    """A readable record whose dice do not follow from its seeds."""

    code = "record_mismatch"
    needs = ("why",)
    exit_status = 1


class RecordDiceDiffer(RecordError):
    """Records that were verified, but not played with the same dice."""

    code = "record_other_dice"
    needs = ("names",)
    exit_status = 1


class RecordUnfinished(RecordError):
    """A record without its end: its seeds are still secret."""

    code = "record_unfinished"
    needs = ("file",)


class RecordSchemeUnknown(RecordError):
    """Dice drawn by a scheme this Knobel does not know."""

    code = "record_scheme"
    needs = ("file", "value", "known")


class TournamentError(KnobelError):
    """Something about a tournament file."""


class TournamentKeyInvalid(TournamentError):
    """A key that is missing, or not what it should be."""

    code = "tournament_key"
    needs = ("file", "key", "example")


class TournamentKeyUnknown(TournamentError):
    """A key that tournament files do not have."""

    code = "tournament_key_unknown"
    needs = ("file", "key", "known")


class TournamentPlayersInvalid(TournamentError):
    """Too few players, too many, or one of them twice."""

    code = "tournament_players"
    needs = ("file", "least", "most", "n")


class TournamentPlayerUnknown(TournamentError):
    """A score of somebody who is not among the players."""

    code = "tournament_player"
    needs = ("file", "name")


class TournamentTooLong(TournamentError):
    """More rounds than there are opponents."""

    code = "tournament_rounds"
    needs = ("file", "most", "n")


class TournamentNameInvalid(TournamentError):
    """A name that a room would change: too long, taken, or looking like another."""

    code = "tournament_name"
    needs = ("name", "limit")


class TournamentNotFound(TournamentError):
    """No such tournament at this server."""

    code = "tournament_unknown"
    needs = ("name",)


class TournamentNotYours(TournamentError):
    """Only the device that created a tournament changes it."""

    code = "tournament_not_yours"


class TournamentChanged(TournamentError):
    """The tournament has changed since this was wanted, or does not allow it now."""

    code = "tournament_changed"


class TournamentNobody(TournamentError):
    """Nobody is left to play against somebody."""

    code = "tournament_nobody"


class RemoteError(KnobelError):
    """Something about a room of another server."""


class TournamentLinkInvalid(RemoteError):
    """A link that leads to no tournament."""

    code = "tournament_link"
    needs = ("value",)


class RoomAddressInvalid(RemoteError):
    """Neither a link to a room nor a room code."""

    code = "room_address"
    needs = ("value",)


class ServerAddressInvalid(RemoteError):
    """No address of a server."""

    code = "server_address"
    needs = ("value",)


class ServerUnreachable(RemoteError):
    """A server that does not answer."""

    code = "server_unreachable"
    needs = ("server", "reason")


class ServerForeign(RemoteError):
    """An address where something other than Knobel answers."""

    code = "server_foreign"
    needs = ("server",)


class ServerUntrusted(RemoteError):
    """A server with which no secure connection can be made."""

    code = "server_untrusted"
    needs = ("server", "reason")


class ServerMisnamed(RemoteError):
    """A server that does not know the name by which it was called."""

    code = "server_misnamed"
    needs = ("server",)


class ServerRefused(RemoteError):
    """A server that refuses something, in its own words."""

    code = "server_refused"
    needs = ("text",)


class ServerContradicts(RemoteError):
    """A server whose game is not what it said before, or not what the rules allow."""

    code = "server_contradicts"
    needs = ("name", "event")


class DeviceFileInvalid(RemoteError):
    """The file with the secrets of this device cannot be read."""

    code = "device_file"
    needs = ("file", "reason")


class DiceNotFair(RemoteError):
    """A server that used another seed than the one it had promised."""

    code = "dice_not_fair"
    needs = ("name",)
