"""Completion as scripts for bash, zsh and fish; each is made from the same description of the commands."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from knobel.cli.completed_words import CompletedArgument, CompletedCommand, CompletedOption, CompletedValues

GLOBAL_FLAGS = ("--help", "--version", "--plain")
BASH = r"""# Completion of knobel in bash: eval "$(knobel completion bash)"
_knobel() {
  local line=${COMP_LINE:0:COMP_POINT} words=() cur prev values='' endings='' ending found place=0 word skip=
  read -ra words <<<"$line"
  case $line in *[[:space:]]) words+=('') ;; esac
  COMPREPLY=()
  cur=${words[${#words[@]}-1]}
  if [ ${#words[@]} -le 2 ]; then
    values='@COMMANDS@'
  else
    prev=${words[${#words[@]}-2]}
    case $cur in --*=*) prev=${cur%%=*} cur=${cur#*=} ;; esac
    # Counts the arguments before the cursor; the value of an option is none.
    for word in "${words[@]:2:${#words[@]}-3}"; do
      if [ -n "$skip" ]; then skip=; continue; fi
      case "${words[1]} $word" in
        @VALUED@) skip=1 ;;
        *\ -*) ;;
        *) place=$((place + 1)) ;;
      esac
    done
    case "${words[1]} $prev" in
@OPTIONS@
      *)
        case $cur in
          -*)
            case ${words[1]} in
@FLAGS@
            esac ;;
          *)
            case "${words[1]} $place" in
@ARGUMENTS@
            esac ;;
        esac ;;
    esac
  fi
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -W "$values" -- "$cur")
  if [ -n "$endings" ]; then
    compopt -o filenames 2>/dev/null # bash 3.2 has none
    while IFS= read -r found; do
      for ending in $endings; do
        if [ -d "$found" ] || [ "$ending" = '*' ] || [ "${found%"$ending"}" != "$found" ]; then
          COMPREPLY+=("$found")
          break
        fi
      done
    done < <(set -f; compgen -f -- "$cur")
  fi
  # Readline replaces only what follows the last = or : of a word.
  case $COMP_WORDBREAKS$cur in
    *=*=*|*:*:*)
      found=${cur%"${cur##*[=:]}"}
      COMPREPLY=("${COMPREPLY[@]#"$found"}") ;;
  esac
}
complete -F _knobel knobel
"""


def write_bash(commands: Sequence[CompletedCommand]) -> str:
    """Write the script for bash 3.2 and newer; it needs nothing but bash."""
    names = " ".join([*(command.name for command in commands), "help", *GLOBAL_FLAGS])
    valued = [
        f'"{command.name} {flag}"'
        for command in commands
        for option in command.options
        if option.metavar
        for flag in option.flags
    ]
    replaced = {
        "@COMMANDS@": names,
        "@VALUED@": "|".join(valued),
        "@OPTIONS@": "\n".join(write_bash_options(commands)),
        "@FLAGS@": "\n".join(
            f"              {command.name}) values='{' '.join(list_flags(command.options))}' ;;" for command in commands
        ),
        "@ARGUMENTS@": "\n".join(write_bash_arguments(commands)),
    }
    script = BASH
    for mark, text in replaced.items():
        script = script.replace(mark, text)
    return script


def write_bash_options(commands: Sequence[CompletedCommand]) -> Iterator[str]:
    """Write what follows each option that has a value; nothing is offered where its values cannot be listed."""
    for command in commands:
        for option in command.options:
            if option.metavar:
                flags = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
                yield f"      {flags}) {assign_bash(option.values)};;"


def write_bash_arguments(commands: Sequence[CompletedCommand]) -> Iterator[str]:
    """Write what can stand at each place of each command."""
    names = " ".join(command.name for command in commands)
    yield f"              \"help 0\") values='{names}' ;;"
    for command in commands:
        for place, argument in enumerate(command.arguments):
            where = f'"{command.name} "*' if argument.is_variadic else f'"{command.name} {place}"'
            yield f"              {where}) {assign_bash(argument.values)};;"


def assign_bash(values: CompletedValues) -> str:
    """Assign the values of an option or argument."""
    endings = " ".join(ending or "*" for ending in values.endings)
    listed = f"values='{' '.join(values.words)}' " if values.words else ""
    return f"{listed}endings='{endings}' " if endings else listed


def list_flags(options: Iterable[CompletedOption]) -> list[str]:
    return [flag for option in options for flag in option.flags]


def write_zsh(commands: Sequence[CompletedCommand]) -> str:
    """Write the script for zsh, with a description of everything."""
    described = [f"    {quote(f'{name}:{about}')}" for name, about in ((one.name, one.about) for one in commands)]
    cases = []
    for command in commands:
        specs = [*map(write_zsh_option, each_flag(command.options)), *write_zsh_arguments(command.arguments)]
        body = " \\\n        ".join(specs)
        cases.append(f"    {command.name})\n      _arguments -s \\\n        {body} ;;")
    return "\n".join(
        (
            "#compdef knobel",
            '# Completion of knobel in zsh: eval "$(knobel completion zsh)", after compinit',
            "_knobel() {",
            "  local -a commands",
            "  commands=(",
            *described,
            "  )",
            "  if (( CURRENT == 2 )); then",
            "    _describe -t commands command commands",
            f"    compadd -- {' '.join(GLOBAL_FLAGS)}",
            "    return",
            "  fi",
            "  shift words",
            "  (( CURRENT-- ))",
            "  case $words[1] in",
            *cases,
            "    help) _describe -t commands command commands ;;",
            "  esac",
            "}",
            "compdef _knobel knobel",
            "",
        )
    )


def each_flag(options: Iterable[CompletedOption]) -> Iterator[tuple[CompletedOption, str]]:
    return ((option, flag) for option in options for flag in option.flags)


def write_zsh_option(flagged: tuple[CompletedOption, str]) -> str:
    """Write one flag: which others it excludes, what it does, and its value."""
    option, flag = flagged
    excluded = "*" if option.is_repeatable else f"({' '.join(option.flags)})"
    equals = "=" if option.metavar and flag.startswith("--") else ""
    about, named = escape(option.about, "\\[]:"), escape(option.metavar, "\\:")
    value = f":{named}:{write_zsh_values(option.values)}" if option.metavar else ""
    return quote(f"{excluded}{flag}{equals}[{about}]{value}")


def write_zsh_arguments(arguments: Sequence[CompletedArgument]) -> Iterator[str]:
    for place, argument in enumerate(arguments, 1):
        where = "*" if argument.is_variadic else str(place)
        yield quote(f"{where}:{argument.name}:{write_zsh_values(argument.values)}")


def write_zsh_values(values: CompletedValues) -> str:
    """Write how values are completed: from a list, from files, or from both."""
    patterns = " ".join(f"*{ending}" for ending in values.endings)
    files = f'_files -g "{patterns}"' if all(values.endings) else "_files"
    listed = " ".join(escape(word, ":\\") for word in values.words)
    if values.words and values.has_files:
        plain = " ".join(values.words)
        return f"{{compadd -- {plain}; {files}}}"
    return f"({listed})" if values.words else files if values.has_files else " "


def write_fish(commands: Sequence[CompletedCommand]) -> str:
    """Write the script for fish, with a description of everything."""
    lines = ["# Completion of knobel in fish: knobel completion fish | source", "complete -c knobel -f"]
    first = "-n __fish_use_subcommand"
    lines += [f"complete -c knobel {first} -a {one.name} -d {quote_fish(one.about)}" for one in commands]
    lines += [f"complete -c knobel {first} -l {flag.removeprefix('--')}" for flag in GLOBAL_FLAGS]
    for command in commands:
        here = f"complete -c knobel -n '__fish_seen_subcommand_from {command.name}'"
        lines += [f"{here} {write_fish_option(option)}" for option in command.options]
        for argument in command.arguments:
            lines += [f"{here}{part}" for part in write_fish_values(argument.values)]
    return "\n".join((*lines, ""))


def write_fish_option(option: CompletedOption) -> str:
    names = " ".join(
        f"-l {flag.removeprefix('--')}" if flag.startswith("--") else f"-s {flag.removeprefix('-')}"
        for flag in option.flags
    )
    needs = "" if not option.metavar else " -r -F" if option.values.has_files else " -x"
    listed = f" -a {quote_fish(' '.join(option.values.words))}" if option.values.words else ""
    return f"{names}{needs}{listed} -d {quote_fish(option.about)}"


def write_fish_values(values: CompletedValues) -> Iterator[str]:
    if values.words:
        yield f" -a {quote_fish(' '.join(values.words))}"
    if values.has_files:
        yield " -F"


def escape(text: str, special: str) -> str:
    """Put a backslash before characters that mean something else there."""
    return "".join(f"\\{letter}" if letter in special else letter for letter in text)


def quote(text: str) -> str:
    """Quote a word for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def quote_fish(text: str) -> str:
    return "'" + escape(text, "\\'") + "'"


SHELLS: dict[str, Callable[[Sequence[CompletedCommand]], str]] = {
    "bash": write_bash,
    "zsh": write_zsh,
    "fish": write_fish,
}
