import { useLayoutEffect, useRef, useState } from 'react'
import { Selection } from '../../data/selection.ts'
import type { Trashed } from '../../data/trash.ts'

/** Selection of the list. It follows entries when the list changes; if the focused entry leaves, the next one has the focus. */
export function useTrashSelection(entries: readonly Trashed[]): Selection {
  const [selection] = useState(() => new Selection(entries.length))
  const before = useRef(entries)
  // A layout effect: the selection, which lives outside React, must be updated before painting.
  useLayoutEffect(() => {
    const old = before.current
    before.current = entries
    if (old === entries) return
    const indices = new Map(entries.map(({ id }, index) => [id, index]))
    const { focus } = selection
    selection.carryOver(entries.length, (index) => indices.get(old[index]?.id ?? '') ?? null)
    if (selection.focus === null && focus !== null && entries.length > 0) selection.focusOn(Math.min(focus, entries.length - 1))
  }, [entries, selection])
  return selection
}

/** The selected entries. */
export function chosenOf(selection: Selection, entries: readonly Trashed[]): Trashed[] {
  return [...selection.chosen()].flatMap((index) => entries[index] ?? [])
}
