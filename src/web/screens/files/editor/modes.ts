/** The letters, what they stand for, or both side by side. */
export type Mode = 'edit' | 'split' | 'preview'

/**
 * How a text is shown first. Texts open in the editor, unless the reader last chose otherwise for its kind; `?edit=true`, which
 * the predecessor's links have, always means the letters.
 */
export function firstMode({ asked, remembered, wide }: { asked: string | null; remembered: string | null; wide: boolean }): Mode {
  if (asked === 'true') return 'edit'
  if (asked === 'false') return 'preview'
  if (remembered === 'split') return wide ? 'split' : 'edit'
  return remembered === 'preview' ? 'preview' : 'edit'
}
