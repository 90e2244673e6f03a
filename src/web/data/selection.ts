/** What a click says besides where: the keys held down, and whether it was the item's own checkbox. */
export interface ClickKeys {
  readonly add?: boolean
  readonly range?: boolean
}

const CHOSEN = 1
const FOCUSED = 2

/**
 * Which entries of one listing are selected and which has the focus: a byte for each, keyed by the entry's index, so that it outlives sorting
 * and 100,000 cost one `fill`. Lives outside React; each row subscribes to its own state.
 */
export class Selection {
  #bits: Uint8Array
  #count = 0
  #anchor: number | null = null
  #focus: number | null = null
  #multiple = false
  #version = 0
  #touched = 0
  readonly #listeners = new Set<() => void>()

  constructor(entries: number) {
    this.#bits = new Uint8Array(entries)
  }

  get count(): number {
    return this.#count
  }

  /** The entry selected first: where a range begins. */
  get anchor(): number | null {
    return this.#anchor
  }

  get focus(): number | null {
    return this.#focus
  }

  /** Plain clicks add and remove. */
  get multiple(): boolean {
    return this.#multiple
  }

  /** Changes whenever anything does; a snapshot for those who look at the whole. */
  get version(): number {
    return this.#version
  }

  /** How often somebody has chosen: what was to be selected for them and comes late must not take that away. */
  get touched(): number {
    return this.#touched
  }

  /** For useSyncExternalStore; an arrow, so that it can be handed over. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  has(index: number): boolean {
    return this.#bits[index] === 1
  }

  /** A number that changes when this entry's look does. */
  stateOf(index: number): number {
    return (this.has(index) ? CHOSEN : 0) | (this.#focus === index ? FOCUSED : 0)
  }

  /** The selected entries, in the order of their indices. */
  *chosen(): Generator<number> {
    for (let index = this.#bits.indexOf(1); index >= 0; index = this.#bits.indexOf(1, index + 1)) yield index
  }

  /**
   * A click as the specification has it: selects one; on the one selected entry deselects it; with Ctrl adds or removes; with Shift selects from
   * the entry selected first up to here; in multiple mode adds and removes. Where several are selected, a plain click selects only this one.
   * @param order position → index, as on show
   */
  click(index: number, keys: ClickKeys, order: Uint32Array): void {
    this.#touched++
    this.#focus = index
    if (keys.range && this.#anchor !== null) this.#setRange(index, order, { add: keys.add === true })
    else {
      const selected = this.has(index)
      const alone = !keys.add && !this.#multiple && this.#count > (selected ? 1 : 0)
      if (alone) this.#empty()
      this.#set(index, alone || !selected)
    }
    this.#changed()
  }

  /** Selects this one alone, and gives it the focus. */
  only(index: number): void {
    this.#touched++
    this.#empty()
    this.#set(index, true)
    this.#focus = index
    this.#changed()
  }

  /** Adds or removes one; the focus goes to it. */
  toggle(index: number): void {
    this.#touched++
    this.#set(index, !this.has(index))
    this.#focus = index
    this.#changed()
  }

  /** The range from the entry selected first, or from the focus, up to here; nothing else stays. */
  extend(index: number, order: Uint32Array): void {
    this.#touched++
    if (this.#anchor === null && this.#focus !== null) this.#set(this.#focus, true)
    this.#setRange(index, order, { add: false })
    this.#focus = index
    this.#changed()
  }

  focusOn(index: number | null): void {
    if (this.#focus === index) return
    this.#focus = index
    this.#changed()
  }

  /** @param order only what is on show, where a filter leaves something out */
  all(order?: Uint32Array): void {
    this.#touched++
    if (order !== undefined && order.length < this.#bits.length) for (const index of order) this.#set(index, true)
    else {
      this.#bits.fill(1)
      this.#count = this.#bits.length
      this.#anchor ??= this.#bits.length > 0 ? 0 : null
    }
    this.#changed()
  }

  /** What is no longer on show is neither selected nor focused. */
  keep(isShown: (index: number) => boolean): void {
    const gone = [...this.chosen()].filter((index) => !isShown(index))
    const lost = this.#focus !== null && !isShown(this.#focus)
    if (gone.length === 0 && !lost) return
    for (const index of gone) this.#set(index, false)
    if (lost) this.#focus = null
    if (this.#count === 0) this.#multiple = false
    this.#changed()
  }

  /** These and no others. The focus stays. */
  replace(indices: Iterable<number>): void {
    this.#touched++
    this.#empty()
    for (const index of indices) this.#set(index, true)
    this.#changed()
  }

  setMultiple(multiple: boolean): void {
    this.#multiple = multiple
    this.#changed()
  }

  /** Nothing is selected, and plain clicks select one again. The focus stays. */
  clear(): void {
    if (this.#count === 0 && !this.#multiple) return
    this.#touched++
    this.#empty()
    this.#multiple = false
    this.#changed()
  }

  /** Follows the entries into a fresh listing: `move` says where an index went, or null. */
  carryOver(entries: number, move: (index: number) => number | null): void {
    const chosen = [...this.chosen()]
    const anchor = this.#anchor === null ? null : move(this.#anchor)
    this.#focus = this.#focus === null ? null : move(this.#focus)
    this.#bits = new Uint8Array(entries)
    this.#count = 0
    this.#anchor = anchor
    for (const index of chosen) {
      const now = move(index)
      if (now !== null) this.#set(now, true)
    }
    if (this.#count === 0) this.#multiple = false
    this.#changed()
  }

  #set(index: number, value: boolean): void {
    if (index < 0 || index >= this.#bits.length || this.has(index) === value) return
    this.#bits[index] = value ? 1 : 0
    this.#count += value ? 1 : -1
    if (value) this.#anchor ??= index
    else if (this.#anchor === index) this.#anchor = this.#count === 0 ? null : this.#bits.indexOf(1)
  }

  #setRange(index: number, order: Uint32Array, { add }: { add: boolean }): void {
    const anchor = this.#anchor ?? index
    if (!add) this.#empty()
    this.#anchor = anchor
    const from = order.indexOf(anchor)
    const to = order.indexOf(index)
    for (let position = Math.min(from, to); position <= Math.max(from, to); position++) this.#set(order[position] ?? -1, true)
  }

  #empty(): void {
    if (this.#count > 0) this.#bits.fill(0)
    this.#count = 0
    this.#anchor = null
  }

  #changed(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}
