/** Modifier keys of a click, and whether it was on the item's checkbox. */
export interface ClickKeys {
  readonly add?: boolean
  readonly range?: boolean
}

const CHOSEN = 1
const FOCUSED = 2

/**
 * The selected and the focused entries of a listing: one byte per entry, by index, so that it survives sorting and 100,000 entries cost one `fill`.
 * Lives outside React; each row subscribes to its own state.
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

  /** The anchor of a range selection: the entry selected first. */
  get anchor(): number | null {
    return this.#anchor
  }

  get focus(): number | null {
    return this.#focus
  }

  /** In multiple mode, plain clicks toggle. */
  get multiple(): boolean {
    return this.#multiple
  }

  /** Increases with every change; a snapshot for subscribers to the whole. */
  get version(): number {
    return this.#version
  }

  /** Increases with every user selection, so that a delayed automatic selection does not override it. */
  get touched(): number {
    return this.#touched
  }

  /** For useSyncExternalStore; an arrow function, so that it can be passed around. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  has(index: number): boolean {
    return this.#bits[index] === 1
  }

  /** A number that changes with the state of this entry. */
  stateOf(index: number): number {
    return (this.has(index) ? CHOSEN : 0) | (this.#focus === index ? FOCUSED : 0)
  }

  /** Indices of the selected entries, ascending. */
  *chosen(): Generator<number> {
    for (let index = this.#bits.indexOf(1); index >= 0; index = this.#bits.indexOf(1, index + 1)) yield index
  }

  /**
   * Handles a click: selects one entry, or deselects it if it is the only one selected; with Ctrl or in multiple mode toggles; with Shift selects
   * the range from the anchor. With several selected, a plain click selects only this one.
   * @param order display position → index
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

  /** Selects only this entry and focuses it. */
  only(index: number): void {
    this.#touched++
    this.#empty()
    this.#set(index, true)
    this.#focus = index
    this.#changed()
  }

  /** Toggles and focuses an entry. */
  toggle(index: number): void {
    this.#touched++
    this.#set(index, !this.has(index))
    this.#focus = index
    this.#changed()
  }

  /** Selects exactly the range from the anchor, or from the focused entry, to this entry. */
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

  /** @param order visible entries only, if a filter is active */
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

  /** Deselects and unfocuses hidden entries. */
  keep(isShown: (index: number) => boolean): void {
    const gone = [...this.chosen()].filter((index) => !isShown(index))
    const lost = this.#focus !== null && !isShown(this.#focus)
    if (gone.length === 0 && !lost) return
    for (const index of gone) this.#set(index, false)
    if (lost) this.#focus = null
    if (this.#count === 0) this.#multiple = false
    this.#changed()
  }

  /** Selects exactly these entries. Focus is unchanged. */
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

  /** Clears the selection and leaves multiple mode. Focus is unchanged. */
  clear(): void {
    if (this.#count === 0 && !this.#multiple) return
    this.#touched++
    this.#empty()
    this.#multiple = false
    this.#changed()
  }

  /** Transfers the state to a new listing: `move` maps an old index to the new one, or null. */
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
