import { ConfigError } from './config-error.ts'
import { flagName, isFrom, keyLike, keyNamed, type KeyName, keyOf, KEY_NAMES } from './settings-table.ts'
import { boolean, networks, roots } from './kinds.ts'
import type { Candidate, Given } from './sources.ts'

export interface CommandLine {
  readonly given: Given
  /** Everything that is not a flag: the command and its arguments. */
  readonly words: readonly string[]
  readonly asks: 'help' | 'version' | null
}

/** Parses flags as the predecessor did: `--port 80`, `--port=80`, `-p 80`, `-p80`, in any spelling of case and dashes. */
export function readFlags(argv: readonly string[]): CommandLine {
  const given = new Map<KeyName, Candidate>()
  const words: string[] = []
  let asks: CommandLine['asks'] = null
  const rest = [...argv]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      words.push(...rest.splice(0))
    } else if (arg === '--help' || arg === '-h') {
      asks = 'help'
    } else if (arg === '--version') {
      asks = 'version'
    } else if (arg.startsWith('-') && arg !== '-') {
      const { name, written, value } = flagOf(arg)
      const text = value ?? (keyOf(name).kind === boolean ? 'true' : valueAfter(written, rest))
      given.set(name, { from: 'flag', name: written, text: joined(name, given.get(name)?.text, text) })
    } else {
      words.push(arg)
    }
  }
  return { given, words, asks }
}

function flagOf(arg: string): { name: KeyName; written: string; value: string | null } {
  const [, long, longValue] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? []
  if (long !== undefined) return { name: known(`--${long}`, keyNamed(long)), written: `--${long}`, value: longValue ?? null }
  const letter = arg.slice(1, 2)
  const name = KEY_NAMES.find((key) => keyOf(key).short === letter) ?? null
  const value = arg.slice(2).replace(/^=/, '')
  return { name: known(arg, name), written: `-${letter}`, value: arg.length > 2 ? value : null }
}

function known(written: string, name: KeyName | null): KeyName {
  if (name !== null && isFrom(name, 'flag')) return name
  const like = keyLike(written)
  throw new ConfigError(`unknown flag ${written}${like === null ? '; --help lists them all' : `; did you mean ${flagName(like)}?`}`)
}

function valueAfter(written: string, rest: string[]): string {
  const next = rest.shift()
  if (next === undefined || next.startsWith('--')) throw new ConfigError(`${written} needs a value`)
  return next
}

/** Lists may be given in several flags; otherwise the last one counts. */
function joined(name: KeyName, before: string | undefined, text: string): string {
  const { kind } = keyOf(name)
  return before !== undefined && (kind === networks || kind === roots) ? `${before},${text}` : text
}
