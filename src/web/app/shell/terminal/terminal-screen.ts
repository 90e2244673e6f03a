import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { TerminalSize } from '../../../../shared/contract/terminal.ts'
import { withCspStyles } from './csp-styles.ts'
import { currentTheme } from './terminal-theme.ts'

export interface ScreenOptions {
  readonly label: string
  readonly screenReader: boolean
  readonly onType: (text: string) => void
  readonly onSize: (size: TerminalSize) => void
  /** The shortcut for leaving the terminal was pressed. */
  readonly onLeave: () => void
  readonly onCopy: (text: string) => void
  /** A paste of several lines that a program would run at once. */
  readonly onRiskyPaste: (text: string) => void
}

/** Lines of scrollback. */
const KEPT_LINES = 5000
const FONT_SIZE = 13

export type TerminalScreen = ReturnType<typeof createTerminalScreen>

/** xterm.js with our colours and shortcuts. */
export function createTerminalScreen(options: ScreenOptions) {
  const element = document.createElement('div')
  const terminal = new Terminal({
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono'),
    fontSize: FONT_SIZE,
    lineHeight: 1.35,
    scrollback: KEPT_LINES,
    screenReaderMode: options.screenReader,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    // WCAG 1.4.3, whatever colours a program uses.
    minimumContrastRatio: 4.5,
    theme: currentTheme(),
    // Links in program output are disabled.
    linkHandler: { activate: () => {} },
  })
  const fitting = new FitAddon()
  terminal.loadAddon(fitting)
  terminal.onData(options.onType)
  terminal.onResize(({ cols, rows }) => options.onSize({ columns: cols, rows }))
  terminal.attachCustomKeyEventHandler((event) => {
    const meant = keyAction(event, terminal.hasSelection())
    if (meant === null) return true
    if (meant === 'leave' || meant === 'copy') event.preventDefault()
    if (event.type !== 'keydown') return false
    if (meant === 'leave') options.onLeave()
    if (meant === 'copy') {
      options.onCopy(terminal.getSelection())
      terminal.clearSelection()
    }
    return false
  })
  element.addEventListener(
    'paste',
    (event) => {
      const text = event.clipboardData?.getData('text') ?? ''
      if (terminal.modes.bracketedPasteMode || !/[\r\n]./s.test(text)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      options.onRiskyPaste(text)
    },
    true,
  )

  return {
    /** Can be attached to the document, detached and attached again. */
    element,
    write: (bytes: Uint8Array, shown: () => void): void => terminal.write(bytes, shown),
    /** Sends text as typed input. */
    input: (text: string): void => terminal.input(text),
    /** Sends text as a paste (bracketed paste mode). */
    paste: (text: string): void => terminal.paste(text),
    arrow: (letter: 'A' | 'B' | 'C' | 'D'): void =>
      terminal.input(`\u001b${terminal.modes.applicationCursorKeysMode ? 'O' : '['}${letter}`),
    /** Resizes the terminal to its container; null if it has no size. */
    fit(): TerminalSize | null {
      if (terminal.element === undefined) {
        withCspStyles(() => terminal.open(element))
        terminal.textarea?.setAttribute('aria-label', options.label)
      }
      if (fitting.proposeDimensions() === undefined) return null
      fitting.fit()
      return { columns: terminal.cols, rows: terminal.rows }
    },
    focus: (): void => terminal.focus(),
    /** Turns xterm's screen reader mode on or off. */
    setScreenReader: (on: boolean): void => void (terminal.options.screenReaderMode = on),
    updateTheme: (): void => void (terminal.options.theme = currentTheme()),
    /** The selection, otherwise the whole buffer. */
    text: (): string => (terminal.hasSelection() ? terminal.getSelection() : wholeText(terminal)),
    clear: (): void => terminal.clear(),
    dispose: (): void => terminal.dispose(),
  }
}

/** What a key press does outside the program; null if it goes to the program. */
function keyAction(event: KeyboardEvent, marked: boolean): 'leave' | 'copy' | 'browser' | null {
  const { key, code, ctrlKey, shiftKey, altKey, metaKey } = event
  if (key === 'F6') return 'leave'
  if (altKey) return null
  const letter = key.toLowerCase()
  if (ctrlKey && code === 'Backquote') return 'browser'
  // With a selection, Ctrl+C copies.
  if (letter === 'c' && ctrlKey && (shiftKey || marked)) return 'copy'
  if (letter === 'v' && (ctrlKey || metaKey)) return 'browser'
  return null
}

function wholeText({ buffer: { active } }: Terminal): string {
  let text = ''
  for (let at = 0; at < active.length; at++) {
    const line = active.getLine(at)
    if (line === undefined) continue
    text += `${line.isWrapped || at === 0 ? '' : '\n'}${line.translateToString(active.getLine(at + 1)?.isWrapped !== true)}`
  }
  return text.trimEnd()
}
