import { defaultKeymap } from '@codemirror/commands'
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { codeHighlight, languageOf } from '../../../widgets/viewers/code-colours.ts'
import { codeTheme } from '../editor/code-theme.ts'
import { isColourable, styleNonce } from '../editor/code-view.ts'
import { mergeTheme } from './merge-theme.ts'

export interface MergeOptions {
  readonly parent: HTMLElement
  /** Of the file, for its language. */
  readonly name: string
  readonly before: string
  readonly after: string
  /** Accessible names of the two texts. */
  readonly labels: { readonly before: string; readonly after: string }
  /** CodeMirror's own texts, localised. */
  readonly phrases: Record<string, string>
  readonly columns: 1 | 2
  /** Shows unchanged lines that are far from any change too. */
  readonly whole: boolean
}

export interface TextMerge {
  /** How many places differ. */
  readonly changes: number
  next(): void
  previous(): void
  destroy(): void
}

/** Beyond this, differences are found line by line only. */
const DIFF = { scanLimit: 500, timeout: 500 }

/** Shows what differs between two texts, which can only be read. */
export function createMergeView({ parent, name, before, after, labels, phrases, columns, whole }: MergeOptions): TextMerge {
  const language = new Compartment()
  const extensions = (label: string): Extension[] => [
    styleNonce(),
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    syntaxHighlighting(codeHighlight),
    syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
    keymap.of(defaultKeymap),
    EditorState.readOnly.of(true),
    EditorState.phrases.of(phrases),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    language.of([]),
    codeTheme,
    mergeTheme,
  ]
  const shared = { gutter: true, diffConfig: DIFF, ...(!whole && { collapseUnchanged: { margin: 3, minSize: 6 } }) }
  const { views, destroy } = columns === 1 ? oneColumn() : twoColumns()
  const [last] = views.slice(-1)

  function oneColumn(): { views: readonly EditorView[]; destroy: () => void } {
    const merge = unifiedMergeView({ original: before, mergeControls: false, ...shared })
    const view = new EditorView({ parent, doc: after, extensions: [...extensions(labels.after), merge] })
    return { views: [view], destroy: () => view.destroy() }
  }

  function twoColumns(): { views: readonly EditorView[]; destroy: () => void } {
    const a = { doc: before, extensions: extensions(labels.before) }
    const b = { doc: after, extensions: extensions(labels.after) }
    const merge = new MergeView({ parent, a, b, ...shared })
    return { views: [merge.a, merge.b], destroy: () => merge.destroy() }
  }

  async function colour(): Promise<void> {
    const support = isColourable(before) && isColourable(after) ? await languageOf(name)?.load() : undefined
    if (support !== undefined) for (const view of views) view.dispatch({ effects: language.reconfigure(support) })
  }

  // If the language cannot be loaded, the texts stay uncoloured.
  colour().catch(() => undefined)
  return {
    changes: last === undefined ? 0 : (getChunks(last.state)?.chunks.length ?? 0),
    next: () => void (last && goToNextChunk(last)),
    previous: () => void (last && goToPreviousChunk(last)),
    destroy,
  }
}
