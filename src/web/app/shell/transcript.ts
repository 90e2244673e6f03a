import type { CommandOutput, CommandResult } from '../../data/command-socket.ts'
import type { AnsiSegment } from './ansi.ts'

export interface TextRun {
  readonly from: CommandOutput['from']
  readonly text: string
  readonly className: string
}

export interface Line {
  readonly id: number
  readonly runs: readonly TextRun[]
}

/** A command and its output. */
export interface Entry {
  readonly id: number
  /** Working directory, as shown to the user. */
  readonly folder: string
  readonly command: string
  readonly lines: readonly Line[]
  /** Null while it runs; a message if it could not start. */
  readonly result: CommandResult | { readonly failed: string } | null
}

export interface Transcript {
  readonly entries: readonly Entry[]
  /** Whether old lines have been dropped. */
  readonly dropped: boolean
}

export const EMPTY: Transcript = { entries: [], dropped: false }

/** Maximum number of lines for all commands. */
export const MAX_LINES = 2000
/** Longer lines are wrapped into several. */
export const MAX_LINE_CHARS = 4000
const MAX_ENTRIES = 200

let nextId = 1

export function startEntry({ entries, dropped }: Transcript, folder: string, command: string): Transcript {
  const entry: Entry = { id: nextId++, folder, command, lines: [], result: null }
  return { entries: [...entries, entry].slice(-MAX_ENTRIES), dropped: dropped || entries.length >= MAX_ENTRIES }
}

export function finishEntry(transcript: Transcript, result: NonNullable<Entry['result']>): Transcript {
  return changeLast(transcript, (entry) => ({ ...entry, result }))
}

/** Appends output of the latest command; the oldest lines are dropped above the limit. */
export function append(transcript: Transcript, output: readonly { from: TextRun['from']; pieces: readonly AnsiSegment[] }[]): Transcript {
  return bounded(changeLast(transcript, (entry) => ({ ...entry, lines: written(entry.lines, output) })))
}

/** The output of all commands as text. */
export function textOf({ entries }: Transcript): string {
  return entries
    .flatMap(({ command, lines }) => [`$ ${command}`, ...lines.map(({ runs }) => runs.map(({ text }) => text).join(''))])
    .join('\n')
    .trimEnd()
}

function written(before: readonly Line[], output: readonly { from: TextRun['from']; pieces: readonly AnsiSegment[] }[]): Line[] {
  const lines = [...before]
  // The last line of an entry is open; after a line end it is empty.
  let open: TextRun[] = [...(lines.pop()?.runs ?? [])]
  let id = before.at(-1)?.id ?? nextId++
  let returned = false
  const close = (): void => {
    lines.push({ id, runs: open })
    open = []
    id = nextId++
    returned = false
  }
  for (const { from, pieces } of output) {
    for (const piece of pieces) {
      if (piece.kind === 'line') close()
      else if (piece.kind === 'return') returned = true
      else {
        if (returned) open = []
        returned = false
        for (let text = piece.text; text !== '';) {
          const room = MAX_LINE_CHARS - open.reduce((sum, run) => sum + run.text.length, 0)
          push(open, { from, text: text.slice(0, room), className: piece.look })
          text = text.slice(room)
          if (text !== '') close()
        }
      }
    }
  }
  lines.push({ id, runs: open })
  return lines
}

function push(runs: TextRun[], run: TextRun): void {
  const last = runs.at(-1)
  if (run.text === '') return
  if (last?.className === run.className && last.from === run.from) runs[runs.length - 1] = { ...last, text: last.text + run.text }
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
    // A command without remaining lines is dropped, except the latest.
    return kept.length === 0 && at < transcript.entries.length - 1 ? [] : [{ ...entry, lines: kept }]
  })
  return { entries, dropped: true }
}
