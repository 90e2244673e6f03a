import type { Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view'

const ITS_OWN = Decoration.line({ attributes: { dir: 'auto' } })

/** Per-line text direction from the first strong character (UAX 9, P2), for prose that mixes Arabic and English. */
export const ownDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.define(
    (view) => ({
      lines: linesInSight(view),
      update(change) {
        if (change.docChanged || change.viewportChanged) this.lines = linesInSight(change.view)
      },
    }),
    { decorations: ({ lines }) => lines },
  ),
]

function linesInSight({ state, visibleRanges }: EditorView): DecorationSet {
  const starts = new Set<number>()
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at)
      starts.add(line.from)
      at = line.to + 1
    }
  }
  return Decoration.set([...starts].map((start) => ITS_OWN.range(start)))
}
