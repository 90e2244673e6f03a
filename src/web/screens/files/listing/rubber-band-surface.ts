import type { Selection } from '../../../data/selection.ts'
import type { Section } from './sections.ts'

/** The surface of a rubber band selection. */
export interface RubberBandSurface {
  readonly scroller: HTMLElement
  /** Contains the entries. */
  readonly content: HTMLElement
  readonly sections: readonly Section[]
  /** Gap between entries, in pixels. */
  readonly gap: number
  readonly order: Uint32Array
  readonly selection: Selection
}
