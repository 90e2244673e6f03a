import { ConfigError } from '../config/config-error.ts'
import { flagName, keyOf } from '../config/settings-table.ts'
import { boolean } from '../config/kinds.ts'
import { defineCommand, type Command } from './command.ts'
import { flagsOf, serverFlagsOf } from './flags.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** Throws `ConfigError` for any other shell. */
export function shellNamed(name: string): Shell {
  const found = SHELLS.find((shell) => shell === name)
  if (found === undefined) throw new ConfigError(`${JSON.stringify(name)} is no shell that is known; there are ${SHELLS.join(', ')}`)
  return found
}

interface Offer {
  readonly command: string
  readonly about: string
  readonly flags: readonly { readonly name: string; readonly about: string; readonly takesValue: boolean }[]
}

/** A script that completes commands and flags in a shell, generated from the same table as the help. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const serve = offerOf(SERVE)
  // The server's only flags are its settings.
  const offers = [{ ...serve, flags: serve.flags.filter(({ name }) => name !== '--json') }, ...commands.map(offerOf)]
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } satisfies Record<Shell, (offers: readonly Offer[]) => string>
  return scripts[shell](offers)
}

const SERVE: Command = defineCommand('serve', 'serve a folder', async () => {}, { server: 'all' })

function offerOf(command: Command): Offer {
  const own = flagsOf(command).map(({ name, about, kind }) => ({ name: `--${name}`, about, takesValue: kind !== 'switch' }))
  const server = serverFlagsOf(command).map((key) => {
    const { about, kind } = keyOf(key)
    return { name: flagName(key), about, takesValue: kind !== boolean }
  })
  return { command: command.name, about: command.about, flags: [...own, ...server] }
}

/** First words of commands, each with the words that may follow. */
function groupsOf(offers: readonly Offer[]): ReadonlyMap<string, readonly Offer[]> {
  return Map.groupBy(offers, ({ command }) => command.split(' ')[0] ?? '')
}

function secondWords(group: readonly Offer[]): string[] {
  return group.flatMap(({ command }) => command.split(' ').slice(1))
}

function bashScript(offers: readonly Offer[]): string {
  const groups = [...groupsOf(offers)].filter(([, group]) => secondWords(group).length > 0)
  return `# Completion of satchel for bash: satchel completion bash > /etc/bash_completion.d/satchel
_satchel() {
  local word=\${COMP_WORDS[COMP_CWORD]} first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]} words=
  if [[ $COMP_CWORD -eq 1 ]]; then
    words=${quoted([...groupsOf(offers).keys()].join(' '))}
  elif [[ $word == -* ]]; then
    case "$first $second" in
${offers.map(({ command, flags }) => `      ${pattern(command)}) words=${quoted(flags.map(({ name }) => name).join(' '))} ;;`).join('\n')}
    esac
  elif [[ $COMP_CWORD -eq 2 ]]; then
    case "$first" in
${groups.map(([first, group]) => `      ${first}) words=${quoted(secondWords(group).join(' '))} ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ -n $words ]] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _satchel satchel
`
}

function zshScript(offers: readonly Offer[]): string {
  const groups = [...groupsOf(offers)]
  const firsts = groups.map(([first, group]) =>
    described(first, group.length === 1 ? (group[0]?.about ?? '') : secondWords(group).join(', ')),
  )
  const named = groups.filter(([, group]) => secondWords(group).length > 0)
  return `#compdef satchel
# Completion of satchel for zsh: satchel completion zsh > "\${fpath[1]}/_satchel"
_satchel() {
  local -a offers
  if (( CURRENT == 2 )); then
    offers=(${firsts.join(' ')})
    _describe command offers
  elif [[ $words[CURRENT] == -* ]]; then
    case "$words[2] $words[3]" in
${offers.map(({ command, flags }) => `      (${pattern(command)}) offers=(${flags.map(({ name, about }) => described(name, about)).join(' ')}) ;;`).join('\n')}
    esac
    _describe flag offers
  else
    if (( CURRENT == 3 )); then
      case "$words[2]" in
${named.map(([first, group]) => `        (${first}) offers=(${group.map(({ command, about }) => described(command.split(' ')[1] ?? '', about)).join(' ')}) ;;`).join('\n')}
      esac
    fi
    if (( $#offers )); then _describe command offers; else _files; fi
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _satchel "$@"; else compdef _satchel satchel; fi
`
}

function fishScript(offers: readonly Offer[]): string {
  const groups = [...groupsOf(offers)]
  const lines = groups.flatMap(([first, group]) => [
    `complete -c satchel -f -n __fish_use_subcommand -a ${first} -d ${quoted(group.length === 1 ? (group[0]?.about ?? '') : secondWords(group).join(', '))}`,
    ...group.flatMap(({ command, about }) => {
      const [, second] = command.split(' ')
      if (second === undefined) return []
      const others = secondWords(group).join(' ')
      return [
        `complete -c satchel -f -n '__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${others}' -a ${second} -d ${quoted(about)}`,
      ]
    }),
  ])
  const flags = offers.flatMap(({ command, flags: own }) => {
    const [first = '', second] = command.split(' ')
    const seen = `__fish_seen_subcommand_from ${first}${second === undefined ? '' : `; and __fish_seen_subcommand_from ${second}`}`
    return own.map(
      ({ name, about, takesValue }) => `complete -c satchel -n '${seen}' -l ${name.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(about)}`,
    )
  })
  return `# Completion of satchel for fish: satchel completion fish > ~/.config/fish/completions/satchel.fish\n${[...lines, ...flags].join('\n')}\n`
}

/** A pattern for `first second`; a command of one word may be followed by anything. */
function pattern(command: string): string {
  return command.includes(' ') ? `"${command}"` : `"${command} "*`
}

/** In the format of zsh's `_describe`. */
function described(word: string, about: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${about.replaceAll(':', '\\:')}`)
}

/** Quoted as one word for all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
