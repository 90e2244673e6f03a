/** Source, preview, or both side by side. */
export type Mode = 'edit' | 'split' | 'preview'

/**
 * The initial mode. Texts open in the editor unless the user last chose otherwise for this kind; `?edit=true`, from File Browser links, always
 * opens the source.
 */
export function firstMode({ asked, remembered, wide }: { asked: string | null; remembered: string | null; wide: boolean }): Mode {
  if (asked === 'true') return 'edit'
  if (asked === 'false') return 'preview'
  if (remembered === 'split') return wide ? 'split' : 'edit'
  return remembered === 'preview' ? 'preview' : 'edit'
}
