import { EditorView } from '@codemirror/view'

const removed = 'color-mix(in srgb, var(--danger) 26%, transparent)'
const added = 'color-mix(in srgb, var(--success) 28%, transparent)'

/** Colours of differences from the design tokens; a line in the gutter marks them too. */
export const mergeTheme = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--danger-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--success-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: removed, borderRadius: '2px' },
  '&.cm-merge-b .cm-changedText': { background: added, borderRadius: '2px' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--danger)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--success)' },
  '.cm-changeGutter': { width: '4px', paddingLeft: '0' },
  '.cm-deletedChunk': { paddingInlineStart: '6px' },
  '.cm-collapsedLines': {
    padding: '6px 12px',
    color: 'var(--text-2)',
    background: 'var(--sunken)',
    font: 'var(--text-caption)',
  },
  '.cm-collapsedLines:hover': { color: 'var(--text)' },
})
