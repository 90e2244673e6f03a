import { create } from 'zustand'
import type { FilePath } from '../../../shared/file-path.ts'
import { type CommandOutput, runCommandLine } from '../../data/command-socket.ts'
import { useSession } from '../../data/session.ts'
import { useShell } from '../../data/shell.ts'
import { errorText } from '../../i18n/i18n.tsx'
import { createAnsiParser } from './ansi.ts'
import { type History, NO_HISTORY, pushLine, stepHistory } from './history.ts'
import { append, startEntry, EMPTY, finishEntry, type Transcript } from './transcript.ts'

interface ShellState {
  readonly transcript: Transcript
  /** In memory only, because lines can contain secrets. */
  readonly history: History
  readonly running: boolean
}

const NOTHING: ShellState = { transcript: EMPTY, history: NO_HISTORY, running: false }

/** State of the shell. It outlives the panel: commands keep running while the panel is closed. */
export const useTerminal = create<ShellState>(() => NOTHING)

/** Output is rendered at this interval, not line by line. */
const DRAW_EVERY_MS = 40

let stopper: AbortController | null = null

/** Runs lines in sequence until one is stopped or cannot be started. `clear` and `exit` are built in. */
export async function runLines(lines: readonly string[], { folder, shown }: { folder: FilePath; shown: string }): Promise<void> {
  if (stopper !== null) return
  const mine = new AbortController()
  stopper = mine
  useTerminal.setState({ running: true })
  try {
    for (const line of lines.map((one) => one.trim())) {
      if (mine.signal.aborted) return
      if (line === '') continue
      useTerminal.setState(({ history }) => ({ history: pushLine(history, line) }))
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

/** @returns the new input; null at the end of the history */
export function recall(step: -1 | 1, typed: string): string | null {
  const walked = stepHistory(useTerminal.getState().history, step, typed)
  if (walked === null) return null
  useTerminal.setState({ history: walked.history })
  return walked.text
}

/** @returns whether the next line may run */
async function runOne(line: string, { folder, shown, signal }: { folder: FilePath; shown: string; signal: AbortSignal }): Promise<boolean> {
  const change = (next: (before: Transcript) => Transcript): void => {
    // Another user may have signed in meanwhile.
    if (!owner.signal.aborted) useTerminal.setState(({ transcript }) => ({ transcript: next(transcript) }))
  }
  const owner = session
  const drawing = createOutputBuffer((output) => change((before) => append(before, output)))
  change((before) => startEntry(before, shown, line))
  try {
    const result = await runCommandLine(line, { folder, signal: AbortSignal.any([signal, owner.signal]), onOutput: drawing.take })
    drawing.finish()
    change((before) => finishEntry(before, result))
    return result.ended === 'exited'
  } catch (error) {
    drawing.finish()
    change((before) => finishEntry(before, { failed: errorText(error) }))
    return false
  }
}

type Output = Parameters<typeof append>[1]

/** Buffers output until the next rendering. */
function createOutputBuffer(draw: (output: Output) => void): { take: (output: CommandOutput) => void; finish: () => void } {
  const readers = { stdout: createAnsiParser(), stderr: createAnsiParser() }
  let waiting: Output[number][] = []
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

/** Aborted when the session ends: the next user must not see the previous user's commands and output. */
let session = new AbortController()
useSession.subscribe(({ user }, before) => {
  if (user?.id === before.user?.id) return
  session.abort()
  session = new AbortController()
  stopper = null
  useTerminal.setState(NOTHING)
  useShell.setState({ open: false })
})
