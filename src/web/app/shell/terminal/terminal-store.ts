import { create } from 'zustand'
import type { TerminalMessage, TerminalSize } from '../../../../shared/contract/terminal.ts'
import { type AppError, isAppError } from '../../../../shared/errors.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { inTime } from '../../../data/chunks.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { ask } from '../../../data/prompts.ts'
import { useSession } from '../../../data/session.ts'
import { openTerminal, type TerminalConnection } from '../../../data/terminal-socket.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import type { TerminalScreen } from './terminal-screen.ts'

const SCREEN_READER_KEY = 'terminal-reader'
const SHOWN_OF_PASTE = 5

interface TerminalState {
  /** `none` before the first session and after a sign-out. */
  readonly state: 'none' | 'opening' | 'running' | 'ended'
  /** How the last session ended, in words. */
  readonly ending: string
  /** Whether the next character is sent with Control (from the key row). */
  readonly control: boolean
  /** Screen reader mode; stored in this browser. */
  readonly screenReader: boolean
}

export const useTerminalState = create<TerminalState>(() => ({
  state: 'none',
  ending: '',
  control: false,
  screenReader: localStorage.getItem(SCREEN_READER_KEY) === 'true',
}))

/** Outlives the panel, so that programs keep running while it is closed. */
let screen: TerminalScreen | null = null
let connection: TerminalConnection | null = null
let leave: () => void = () => {}

/** The terminal, created on first use. Fails with `ChunkMissing`. @param onLeave called for the shortcut that leaves the terminal */
export async function terminalScreen(onLeave: () => void): Promise<TerminalScreen> {
  leave = onLeave
  const { createTerminalScreen } = await inTime(import('./terminal-screen.ts'))
  return (screen ??= createTerminalScreen({
    label: t('terminal.label'),
    screenReader: useTerminalState.getState().screenReader,
    onType: (text) => connection?.type(withControl(text)),
    onSize: (size) => connection?.resize(size),
    onLeave: () => leave(),
    onCopy: (text) => void copyAndTell(text, { failed: t('shell.not-copied') }),
    onRiskyPaste: (text) => void askAndPaste(text),
  }))
}

/** The terminal's code failed to load; `resetTerminal` allows another attempt. */
export function notifyChunkMissing(): void {
  useTerminalState.setState({ state: 'ended', ending: t('errors.slow.title') })
}

/** Returns to the initial state. */
export function resetTerminal(): void {
  useTerminalState.setState({ state: 'none', ending: '' })
}

/** Starts a shell in a folder. */
export function openShell(folder: FilePath, size: TerminalSize): void {
  if (connection !== null) return
  useTerminalState.setState({ state: 'opening', ending: '' })
  const mine: TerminalConnection = openTerminal(folder, size, {
    onOpen: () => connection === mine && useTerminalState.setState({ state: 'running' }),
    onOutput: (bytes, shown) => (connection === mine ? screen?.write(bytes, shown) : shown()),
    onEnd(ending) {
      if (connection !== mine) return
      connection = null
      useTerminalState.setState({ state: 'ended', ending: endingText(ending), control: false })
    },
  })
  connection = mine
}

/** Ends the shell and all its processes. */
export function endShell(): void {
  connection?.close()
}

export function setScreenReader(screenReader: boolean): void {
  localStorage.setItem(SCREEN_READER_KEY, String(screenReader))
  useTerminalState.setState({ screenReader })
  screen?.setScreenReader(screenReader)
}

export function holdControl(control: boolean): void {
  useTerminalState.setState({ control })
}

function withControl(text: string): string {
  if (!useTerminalState.getState().control) return text
  holdControl(false)
  // ECMA-48: a control character is the code of `@`, `A` … `_` minus 64.
  const code = text.toUpperCase().charCodeAt(0)
  return text.length === 1 && code >= 64 && code <= 95 ? String.fromCharCode(code - 64) : text
}

/** Web pages can hide lines in copied text: if lines would run at once, show them first. */
async function askAndPaste(text: string): Promise<void> {
  const lines = text.split(/\r\n|\r|\n/).filter((one) => one.trim() !== '')
  const more = lines.length - SHOWN_OF_PASTE
  const shown = [...lines.slice(0, SHOWN_OF_PASTE), ...(more > 0 ? [t('shell.paste.more', { n: more })] : [])].join('\n')
  const title = t('terminal.paste.title', { n: lines.length })
  if ((await ask('confirm', { title, text: shown, confirmLabel: t('terminal.paste') })) !== null) screen?.paste(text)
  screen?.focus()
}

function endingText(ending: TerminalMessage | AppError): string {
  if (isAppError(ending)) return isAppError(ending, 'not-found') ? t('terminal.unavailable') : errorText(ending)
  const { ended, exit } = ending
  if (ended === 'exited') return exit === 0 || exit === null ? t('terminal.ended') : t('shell.exit', { code: exit })
  if (ended === 'idle') return t('terminal.ended.idle')
  return ended === 'not-allowed' ? t('terminal.ended.not-allowed') : t(`shell.ended.${ended}`, { program: '' })
}

/** The next user must not see the previous user's terminal. */
useSession.subscribe(({ user }, before) => {
  if (user?.id === before.user?.id) return
  connection?.close()
  connection = null
  screen?.dispose()
  screen = null
  useTerminalState.setState({ state: 'none', ending: '', control: false })
})
