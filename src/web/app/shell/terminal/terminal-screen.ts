import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { TerminalSize } from '../../../../shared/contract/terminal.ts'
import { withStylesByPolicy } from './styles-by-policy.ts'
import { currentTheme } from './terminal-theme.ts'

export interface TerminalScreen {
  /** To be put into the page; it may be taken out and put back. */
  readonly element: HTMLElement
  write(bytes: Uint8Array, shown: () => void): void
  /** As if typed. */
  input(text: string): void
  /** As if pasted: programs that ask for it are told that it was. */
  paste(text: string): void
  arrow(letter: 'A' | 'B' | 'C' | 'D'): void
  /** As large as its place allows; null where it has none. */
  fit(): TerminalSize | null
  focus(): void
  /** For screen readers: what is written is told. */
  setReader(on: boolean): void
  recolour(): void
  /** What is marked, else everything that is kept. */
  text(): string
  clear(): void
  dispose(): void
}

export interface ScreenOptions {
  readonly label: string
  readonly reader: boolean
  readonly onType: (text: string) => void
  readonly onSize: (size: TerminalSize) => void
  /** The key that leads out of it. */
  readonly onLeave: () => void
  readonly onCopy: (text: string) => void
  /** Several lines that a program would run at once. */
  readonly onRiskyPaste: (text: string) => void
}

/** Lines above what is in sight. */
const KEPT_LINES = 5000
const FONT_SIZE = 13

/** xterm.js with our colours and keys, behind the handful of verbs that the panel needs. */
export function createTerminalScreen(options: ScreenOptions): TerminalScreen {
  const element = document.createElement('div')
  const terminal = new Terminal({
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono'),
    fontSize: FONT_SIZE,
    lineHeight: 1.35,
    scrollback: KEPT_LINES,
    screenReaderMode: options.reader,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    // As for all text (WCAG 1.4.3), whatever colours a program takes.
    minimumContrastRatio: 4.5,
    theme: currentTheme(),
    // What a program prints leads nowhere.
    linkHandler: { activate: () => {} },
  })
  const fitting = new FitAddon()
  terminal.loadAddon(fitting)
  terminal.onData(options.onType)
  terminal.onResize(({ cols, rows }) => options.onSize({ columns: cols, rows }))
  terminal.attachCustomKeyEventHandler((event) => {
    const meant = meaningOf(event, terminal.hasSelection())
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
    element,
    write: (bytes, shown) => terminal.write(bytes, shown),
    input: (text) => terminal.input(text),
    paste: (text) => terminal.paste(text),
    arrow: (letter) => terminal.input(`\u001b${terminal.modes.applicationCursorKeysMode ? 'O' : '['}${letter}`),
    fit() {
      if (terminal.element === undefined) {
        withStylesByPolicy(() => terminal.open(element))
        terminal.textarea?.setAttribute('aria-label', options.label)
      }
      if (fitting.proposeDimensions() === undefined) return null
      fitting.fit()
      return { columns: terminal.cols, rows: terminal.rows }
    },
    focus: () => terminal.focus(),
    setReader: (on) => void (terminal.options.screenReaderMode = on),
    recolour: () => void (terminal.options.theme = currentTheme()),
    text: () => (terminal.hasSelection() ? terminal.getSelection() : wholeText(terminal)),
    clear: () => terminal.clear(),
    dispose: () => terminal.dispose(),
  }
}

/** What a key means to us; null where it is the program's. */
function meaningOf(event: KeyboardEvent, marked: boolean): 'leave' | 'copy' | 'browser' | null {
  const { key, code, ctrlKey, shiftKey, altKey, metaKey } = event
  if (key === 'F6') return 'leave'
  if (altKey) return null
  const letter = key.toLowerCase()
  if (ctrlKey && code === 'Backquote') return 'browser'
  // With something marked, Ctrl+C is what it is everywhere else.
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
