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

const READER_KEY = 'terminal-reader'
const SHOWN_OF_PASTE = 5

interface TerminalState {
  /** `none` before the first one, and after its person has gone. */
  readonly state: 'none' | 'opening' | 'running' | 'ended'
  /** How the last one ended, in words. */
  readonly ending: string
  /** Whether the next letter comes with Control, from the row of keys. */
  readonly control: boolean
  /** Whether screen readers are told what is written; kept in this browser. */
  readonly reader: boolean
}

export const useTerminalState = create<TerminalState>(() => ({
  state: 'none',
  ending: '',
  control: false,
  reader: localStorage.getItem(READER_KEY) === 'true',
}))

/** It outlives the panel: what runs goes on while the panel is closed, and is still to be seen. */
let screen: TerminalScreen | null = null
let line: TerminalConnection | null = null
let leave: () => void = () => {}

/** The one screen there is, made when it is first wanted. Fails with `ChunkMissing`. @param onLeave for the key that leads out of it */
export async function terminalScreen(onLeave: () => void): Promise<TerminalScreen> {
  leave = onLeave
  const { createTerminalScreen } = await inTime(import('./terminal-screen.ts'))
  return (screen ??= createTerminalScreen({
    label: t('terminal.label'),
    reader: useTerminalState.getState().reader,
    onType: (text) => line?.type(withControl(text)),
    onSize: (size) => line?.resize(size),
    onLeave: () => leave(),
    onCopy: (text) => void copyAndTell(text, { failed: t('shell.not-copied') }),
    onRiskyPaste: (text) => void askAndPaste(text),
  }))
}

/** Its code did not arrive; `begin` is another attempt. */
export function tellMissing(): void {
  useTerminalState.setState({ state: 'ended', ending: t('errors.slow.title') })
}

/** As if there had been none. */
export function begin(): void {
  useTerminalState.setState({ state: 'none', ending: '' })
}

/** A new shell in a folder, on the screen as it is. */
export function openShell(folder: FilePath, size: TerminalSize): void {
  if (line !== null) return
  useTerminalState.setState({ state: 'opening', ending: '' })
  const mine: TerminalConnection = openTerminal(folder, size, {
    onOpen: () => line === mine && useTerminalState.setState({ state: 'running' }),
    onOutput: (bytes, shown) => (line === mine ? screen?.write(bytes, shown) : shown()),
    onEnd(ending) {
      if (line !== mine) return
      line = null
      useTerminalState.setState({ state: 'ended', ending: endingText(ending), control: false })
    },
  })
  line = mine
}

/** With everything it started. */
export function endShell(): void {
  line?.close()
}

export function chooseReader(reader: boolean): void {
  localStorage.setItem(READER_KEY, String(reader))
  useTerminalState.setState({ reader })
  screen?.setReader(reader)
}

export function holdControl(control: boolean): void {
  useTerminalState.setState({ control })
}

function withControl(text: string): string {
  if (!useTerminalState.getState().control) return text
  holdControl(false)
  // ECMA-48: the control characters stand 64 before `@`, `A` … `_`.
  const code = text.toUpperCase().charCodeAt(0)
  return text.length === 1 && code >= 64 && code <= 95 ? String.fromCharCode(code - 64) : text
}

/** A page that one copies from can hide lines in what is copied: where they would run at once, they are shown first. */
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

/** Ends with the session: what one person ran and saw is not there for the next. */
useSession.subscribe(({ user }, before) => {
  if (user?.id === before.user?.id) return
  line?.close()
  line = null
  screen?.dispose()
  screen = null
  useTerminalState.setState({ state: 'none', ending: '', control: false })
})
