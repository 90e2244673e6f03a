import type { CommandOutput, CommandResult } from '../../data/command-socket.ts'
import type { Piece } from './ansi.ts'

export interface Run {
  readonly from: CommandOutput['from']
  readonly text: string
  readonly look: string
}

export interface Line {
  readonly id: number
  readonly runs: readonly Run[]
}

/** One command with what it said. */
export interface Entry {
  readonly id: number
  /** Where it ran, as its person sees it. */
  readonly folder: string
  readonly command: string
  readonly lines: readonly Line[]
  /** Null while it runs; words where it could not even begin. */
  readonly result: CommandResult | { readonly failed: string } | null
}

export interface Transcript {
  readonly entries: readonly Entry[]
  /** Whether old lines have made room for new ones. */
  readonly dropped: boolean
}

export const EMPTY: Transcript = { entries: [], dropped: false }

/** Lines kept of all commands together. */
export const MAX_LINES = 2000
/** A longer line goes on in the next. */
export const MAX_LINE_CHARS = 4000
const MAX_ENTRIES = 200

let nextId = 1

export function begin({ entries, dropped }: Transcript, folder: string, command: string): Transcript {
  const entry: Entry = { id: nextId++, folder, command, lines: [], result: null }
  return { entries: [...entries, entry].slice(-MAX_ENTRIES), dropped: dropped || entries.length >= MAX_ENTRIES }
}

export function settle(transcript: Transcript, result: NonNullable<Entry['result']>): Transcript {
  return changeLast(transcript, (entry) => ({ ...entry, result }))
}

/** Adds what the latest command said. The oldest lines of all are dropped when there are too many. */
export function append(transcript: Transcript, said: readonly { from: Run['from']; pieces: readonly Piece[] }[]): Transcript {
  return bounded(changeLast(transcript, (entry) => ({ ...entry, lines: written(entry.lines, said) })))
}

/** What all commands said, as text. */
export function textOf({ entries }: Transcript): string {
  return entries
    .flatMap(({ command, lines }) => [`$ ${command}`, ...lines.map(({ runs }) => runs.map(({ text }) => text).join(''))])
    .join('\n')
    .trimEnd()
}

function written(before: readonly Line[], said: readonly { from: Run['from']; pieces: readonly Piece[] }[]): Line[] {
  const lines = [...before]
  // An entry ends in an open line, which is empty after a line's end.
  let open: Run[] = [...(lines.pop()?.runs ?? [])]
  let id = before.at(-1)?.id ?? nextId++
  let returned = false
  const close = (): void => {
    lines.push({ id, runs: open })
    open = []
    id = nextId++
    returned = false
  }
  for (const { from, pieces } of said) {
    for (const piece of pieces) {
      if (piece.kind === 'line') close()
      else if (piece.kind === 'return') returned = true
      else {
        if (returned) open = []
        returned = false
        for (let text = piece.text; text !== '';) {
          const room = MAX_LINE_CHARS - open.reduce((sum, run) => sum + run.text.length, 0)
          push(open, { from, text: text.slice(0, room), look: piece.look })
          text = text.slice(room)
          if (text !== '') close()
        }
      }
    }
  }
  lines.push({ id, runs: open })
  return lines
}

function push(runs: Run[], run: Run): void {
  const last = runs.at(-1)
  if (run.text === '') return
  if (last?.look === run.look && last.from === run.from) runs[runs.length - 1] = { ...last, text: last.text + run.text }
  else runs.push(run)
}

function changeLast({ entries, dropped }: Transcript, change: (entry: Entry) => Entry): Transcript {
  const last = entries.at(-1)
  return last === undefined ? { entries, dropped } : { entries: [...entries.slice(0, -1), change(last)], dropped }
}

function bounded(transcript: Transcript): Transcript {
  let over = transcript.entries.reduce((sum, { lines }) => sum + lines.length, 0) - MAX_LINES
  if (over <= 0) return transcript
  const entries = transcript.entries.flatMap((entry, at) => {
    if (over <= 0) return [entry]
    const kept = entry.lines.slice(over)
    over -= entry.lines.length - kept.length
    // A command of which nothing is left goes with its lines, but for the latest.
    return kept.length === 0 && at < transcript.entries.length - 1 ? [] : [{ ...entry, lines: kept }]
  })
  return { entries, dropped: true }
}
