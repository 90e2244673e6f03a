import { create } from 'zustand'
import type { FilePath } from '../../../shared/file-path.ts'
import { type CommandOutput, runCommandLine } from '../../data/command-socket.ts'
import { useSession } from '../../data/session.ts'
import { useShell } from '../../data/shell.ts'
import { errorText } from '../../i18n/i18n.tsx'
import { createAnsi } from './ansi.ts'
import { type History, NO_HISTORY, remember, walk } from './history.ts'
import { append, begin, EMPTY, settle, type Transcript } from './transcript.ts'

interface ShellState {
  readonly transcript: Transcript
  /** Of this session and in memory only: lines may hold secrets. */
  readonly history: History
  readonly running: boolean
}

const NOTHING: ShellState = { transcript: EMPTY, history: NO_HISTORY, running: false }

/** What the panel shows. It outlives the panel: a command goes on while the panel is closed. */
export const useTerminal = create<ShellState>(() => NOTHING)

/** Often enough for the eye; a program that never stops talking is not drawn line by line. */
const DRAW_EVERY_MS = 40

let stopper: AbortController | null = null

/** Runs lines one after the other, until one is stopped or cannot be run at all. `clear` and `exit` are the panel's own. */
export async function runLines(lines: readonly string[], { folder, shown }: { folder: FilePath; shown: string }): Promise<void> {
  if (stopper !== null) return
  const mine = new AbortController()
  stopper = mine
  useTerminal.setState({ running: true })
  try {
    for (const line of lines.map((one) => one.trim())) {
      if (mine.signal.aborted) return
      if (line === '') continue
      useTerminal.setState(({ history }) => ({ history: remember(history, line) }))
      if (line === 'clear') clear()
      else if (line === 'exit') return useShell.setState({ open: false })
      else if (!(await runOne(line, { folder, shown, signal: mine.signal }))) return
    }
  } finally {
    if (stopper === mine) {
      stopper = null
      useTerminal.setState({ running: false })
    }
  }
}

export function stop(): void {
  stopper?.abort()
}

export function clear(): void {
  useTerminal.setState({ transcript: EMPTY })
}

/** @returns what the field shall show; null where history ends */
export function recall(step: -1 | 1, typed: string): string | null {
  const walked = walk(useTerminal.getState().history, step, typed)
  if (walked === null) return null
  useTerminal.setState({ history: walked.history })
  return walked.text
}

/** @returns whether the next line may follow */
async function runOne(line: string, { folder, shown, signal }: { folder: FilePath; shown: string; signal: AbortSignal }): Promise<boolean> {
  const change = (next: (before: Transcript) => Transcript): void => {
    // Somebody else may be signed in by now.
    if (!owner.signal.aborted) useTerminal.setState(({ transcript }) => ({ transcript: next(transcript) }))
  }
  const owner = present
  const drawing = drawer((said) => change((before) => append(before, said)))
  change((before) => begin(before, shown, line))
  try {
    const result = await runCommandLine(line, { folder, signal: AbortSignal.any([signal, owner.signal]), onOutput: drawing.take })
    drawing.finish()
    change((before) => settle(before, result))
    return result.ended === 'exited'
  } catch (error) {
    drawing.finish()
    change((before) => settle(before, { failed: errorText(error) }))
    return false
  }
}

type Said = Parameters<typeof append>[1]

/** Gathers output for a moment before it is drawn. */
function drawer(draw: (said: Said) => void): { take: (output: CommandOutput) => void; finish: () => void } {
  const readers = { stdout: createAnsi(), stderr: createAnsi() }
  let waiting: Said[number][] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const finish = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) draw(waiting)
    waiting = []
  }
  return {
    take({ from, text }) {
      waiting.push({ from, pieces: readers[from].take(text) })
      timer ??= setTimeout(finish, DRAW_EVERY_MS)
    },
    finish,
  }
}

/** Ends with the session: what one person ran and saw is not there for the next. */
let present = new AbortController()
useSession.subscribe(({ user }, before) => {
  if (user?.id === before.user?.id) return
  present.abort()
  present = new AbortController()
  stopper = null
  useTerminal.setState(NOTHING)
  useShell.setState({ open: false })
})
