import { ConfigError } from '../config/config-error.ts'
import { flagName, isFrom, KEY_NAMES, type KeyName, keyNamed, keyOf } from '../config/settings-table.ts'
import { boolean } from '../config/kinds.ts'
import { nearest } from '../config/nearest.ts'
import type { Command, Flag, FlagValue } from './command.ts'

/** Flags of every command. `--json` belongs to commands only: the server has no use for it. */
const COMMON: readonly Flag[] = [
  { name: 'json', kind: 'switch', about: 'print data for programs' },
  { name: 'help', kind: 'switch', short: 'h', about: 'this text' },
]
/** The server's flags for paths: every command accepts them. */
const PLACES: readonly KeyName[] = ['config', 'root', 'dataDir', 'database']

export interface CommandFlags {
  readonly args: readonly string[]
  readonly values: ReadonlyMap<string, FlagValue>
  /** Flags of the server, for its own parser. */
  readonly server: readonly string[]
}

/** Splits the arguments of a command into its own arguments, its flags and the server's. Throws `ConfigError` with the nearest name. */
export function readCommandFlags(argv: readonly string[], command: Command): CommandFlags {
  const own = flagsOf(command)
  const args: string[] = []
  const values = new Map<string, FlagValue>()
  const server: string[] = []
  const rest = [...argv]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      args.push(...rest.splice(0))
    } else if (!isFlag(arg)) {
      args.push(arg)
    } else {
      const { written, name, value } = partsOf(arg)
      const flag = own.find((one) => isNamed(one, name))
      const key = flag === undefined ? keyFor(name, command) : null
      if (flag === undefined && key === null) unknown(written, own, command)
      const isSwitch = flag === undefined ? key !== null && keyOf(key).kind === boolean : flag.kind === 'switch'
      const text = value ?? (isSwitch ? 'true' : valueAfter(written, rest))
      if (flag !== undefined) values.set(flag.name, parse(flag, text, written))
      else if (key !== null) server.push(`${flagName(key)}=${text}`)
    }
  }
  return { args, values, server }
}

export function flagsOf({ flags = [] }: Command): readonly Flag[] {
  return [...flags, ...COMMON]
}

export function serverFlagsOf({ server, alone }: Command): readonly KeyName[] {
  if (alone === true) return []
  return server === 'all' ? KEY_NAMES.filter((name) => isFrom(name, 'flag')) : PLACES
}

/** Whether the next word belongs to this flag, for the search for the command's name. */
export function takesNext(arg: string, flags: readonly Flag[]): boolean {
  if (!isFlag(arg)) return false
  const { name, value } = partsOf(arg)
  if (value !== null) return false
  const flag = flags.find((one) => isNamed(one, name))
  if (flag !== undefined) return flag.kind !== 'switch'
  const key = serverKey(name)
  return key !== null && keyOf(key).kind !== boolean
}

function isFlag(arg: string): boolean {
  return arg.startsWith('-') && arg !== '-' && !/^-\d/.test(arg)
}

/** `--name=value`, `--name`, `-nvalue`, `-n=value`, `-n`; the name keeps its dashes. */
function partsOf(arg: string): { written: string; name: string; value: string | null } {
  const [, long, longValue] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? []
  if (long !== undefined) return { written: long, name: long, value: longValue ?? null }
  const letter = arg.slice(0, 2)
  return { written: letter, name: letter, value: arg.length > 2 ? arg.slice(2).replace(/^=/, '') : null }
}

function isNamed({ name, short }: Flag, written: string): boolean {
  return written.startsWith('--') ? plain(written) === plain(name) : short !== undefined && written === `-${short}`
}

function keyFor(written: string, command: Command): KeyName | null {
  const key = serverKey(written)
  return key !== null && serverFlagsOf(command).includes(key) ? key : null
}

function serverKey(written: string): KeyName | null {
  if (written.startsWith('--')) return keyNamed(written)
  return KEY_NAMES.find((name) => `-${keyOf(name).short}` === written) ?? null
}

function unknown(written: string, own: readonly Flag[], command: Command): never {
  const names = [...own.map(({ name }) => `--${name}`), ...serverFlagsOf(command).map(flagName)]
  const like = nearest(written, names)
  const hint = like === null ? `; satchel ${command.name} --help lists them all` : `; did you mean ${like}?`
  throw new ConfigError(`unknown flag ${written}${hint}`)
}

function parse({ kind }: Flag, text: string, written: string): FlagValue {
  if (kind === 'text') return text
  if (kind === 'list') return text.split(',').filter((part) => part !== '')
  if (kind === 'words') return text.split(/\s+/).filter((part) => part !== '')
  if (kind === 'count') return /^\d{1,15}$/.test(text) ? Number(text) : refuse(written, text, 'a number')
  if (/^(true|t|1|yes|on)$/i.test(text)) return true
  return /^(false|f|0|no|off)$/i.test(text) ? false : refuse(written, text, 'true or false')
}

function valueAfter(written: string, rest: string[]): string {
  const next = rest.shift()
  if (next === undefined || next.startsWith('--')) throw new ConfigError(`${written} needs a value`)
  return next
}

function refuse(written: string, text: string, expected: string): never {
  throw new ConfigError(`${written}: ${JSON.stringify(text)} is not ${expected}`)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

interface Word {
  readonly word: string
  readonly at: number
}

/** Whether the command line names a command other than `serve`; found out without loading any command. */
export function namesCommand(argv: readonly string[]): boolean {
  const [first] = commandWords(argv, [])
  return first !== undefined && first.word !== 'serve'
}

/** The first two words; values of flags before them are skipped. @param flags flags of commands, besides the server's */
export function commandWords(argv: readonly string[], flags: readonly Flag[]): Word[] {
  const words: Word[] = []
  for (let at = 0; at < argv.length && words.length < 2; at += 1) {
    const arg = argv[at] ?? ''
    if (arg === '--') break
    if (!arg.startsWith('-')) words.push({ word: arg, at })
    // Before the first word stand flags of the server only.
    else if (takesNext(arg, words.length === 0 ? [] : flags)) at += 1
  }
  return words
}
