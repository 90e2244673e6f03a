import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  indentOnInput,
  type LanguageDescription,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorSelection, EditorState, type Extension, type Line, type Text } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import type { TextRange } from '../../../data/text-range.ts'
import { codeHighlight } from '../../../widgets/viewers/code-colours.ts'
import { codeTheme } from './code-theme.ts'
import { ownDirections } from './line-direction.ts'

/** Limits for syntax highlighting. */
export const MAX_COLOURED_BYTES = 5 * 1024 * 1024
export const MAX_COLOURED_LINE = 20_000

const BYTE_ORDER_MARK = '\uFEFF'

export interface CursorPlace {
  readonly line: number
  readonly column: number
  readonly selected: number
}

export type CodeView = ReturnType<typeof createCodeView>

export interface CodeViewOptions {
  readonly parent: HTMLElement
  readonly text: string
  readonly label: string
  readonly readOnly: boolean
  readonly wrap: boolean
  /** CodeMirror's own texts, localised. */
  readonly phrases: Record<string, string>
  readonly onChange: () => void
  readonly onCursor: (place: CursorPlace) => void
}

/** Whether a text is small enough, with short enough lines, for automatic highlighting. */
export function isColourable(text: string): boolean {
  if (text.length > MAX_COLOURED_BYTES) return false
  for (let start = 0, end = text.indexOf('\n'); start < text.length; start = end + 1, end = text.indexOf('\n', start)) {
    if (end < 0) return text.length - start <= MAX_COLOURED_LINE
    if (end - start > MAX_COLOURED_LINE) return false
  }
  return true
}

/** CodeMirror with our theme and key bindings. */
export function createCodeView({ parent, text, label, readOnly, wrap, phrases, onChange, onCursor }: CodeViewOptions) {
  const language = new Compartment()
  const directions = new Compartment()
  const wrapping = new Compartment()
  const locked = new Compartment()
  const { mark, body } = splitMark(text)
  const lineEnd = lineEndOf(body)
  const view = new EditorView({
    parent,
    doc: body,
    extensions: [
      styleNonce(),
      EditorState.lineSeparator.of(lineEnd),
      // Normalises line endings of pasted and dropped text.
      EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?|\n/g, lineEnd)),
      ...basics(),
      EditorState.phrases.of(phrases),
      language.of([]),
      directions.of([]),
      wrapping.of(wrap ? EditorView.lineWrapping : []),
      locked.of(lock(readOnly)),
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange()
        if (update.docChanged || update.selectionSet) onCursor(placeOf(update.state))
      }),
    ],
  })
  let saved = view.state.doc
  return {
    /** The text to save, with the file's line endings; `markSaved` marks this state as saved. */
    capture(): { text: string; markSaved: () => void } {
      const { doc } = view.state
      return {
        text: mark + view.state.sliceDoc(),
        markSaved: () => {
          saved = doc
        },
      }
    },
    /** Whether the text differs from what was loaded or last saved; cheap at any size. */
    isChanged: () => !view.state.doc.eq(saved),
    focus: () => view.focus(),
    find: () => openSearchPanel(view),
    /** Selects a range, clamped to the text, and scrolls it to the centre. */
    select: (spot: TextRange) => {
      const { from, to } = rangeOf(view.state.doc, spot)
      const selection = EditorSelection.single(from, to)
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.main, { y: 'center', x: 'nearest' }) })
    },
    setWrap: (on: boolean) => view.dispatch({ effects: wrapping.reconfigure(on ? EditorView.lineWrapping : []) }),
    setReadOnly: (on: boolean) => view.dispatch({ effects: locked.reconfigure(lock(on)) }),
    /** Sets the language for syntax highlighting; null turns it off. */
    async setLanguage(description: LanguageDescription | null): Promise<void> {
      const support = description === null ? [] : await description.load()
      const own = isProse(description) ? ownDirections : []
      view.dispatch({ effects: [language.reconfigure(support), directions.reconfigure(own)] })
    },
    destroy: () => view.destroy(),
  }
}

/** Lets the page's policy accept the styles of a view. */
export function styleNonce(): Extension {
  return EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '')
}

/** Separates a byte order mark, which is not shown and is written back unchanged. */
export function splitMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  return { mark, body: text.slice(mark.length) }
}

/** CRLF if every line has it; in a mixed file CRs stay in their lines, so that nothing changes unasked. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text) ? '\r\n' : '\n'
}

/** Offsets of a range, clamped: the text may have become shorter. */
export function rangeOf(text: Text, { from, to }: TextRange): { from: number; to: number } {
  const [first, last] = [lineOf(text, from.line), lineOf(text, to.line)]
  const start = Math.min(first.from + Math.max((from.column ?? 1) - 1, 0), first.to)
  const end = to.column === null ? last.to : Math.min(last.from + Math.max(to.column - 1, 0), last.to)
  return { from: start, to: Math.max(start, end) }
}

function lineOf(text: Text, number: number): Line {
  return text.line(Math.min(Math.max(number, 1), text.lines))
}

/** Code is always left-to-right; prose is not. */
function isProse(language: LanguageDescription | null): boolean {
  return language === null || language.name === 'Markdown'
}

function basics(): Extension[] {
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    foldGutter(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    syntaxHighlighting(codeHighlight),
    syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
    bracketMatching(),
    rectangularSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
    codeTheme,
  ]
}

function lock(readOnly: boolean): Extension {
  // Not `editable: false`: a read-only text can still be focused, searched and selected by keyboard.
  return EditorState.readOnly.of(readOnly)
}

function placeOf(state: EditorState): CursorPlace {
  const { head, from, to } = state.selection.main
  const line = state.doc.lineAt(head)
  return { line: line.number, column: head - line.from + 1, selected: to - from }
}
