import { create } from 'zustand'

export interface ShortcutHelp {
  /** As on the keyboard, for example `['Mod', 'A']`; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
  keys: readonly string[]
  /** Called when shown, so that it is in the language of the moment. */
  label: () => string
}

export interface ShortcutGroup {
  id: string
  title: () => string
  shortcuts: readonly ShortcutHelp[]
}

export const useShortcutHelp = create<{ groups: readonly ShortcutGroup[] }>(() => ({ groups: [] }))

/** Adds a table to the help dialog; the same id replaces. */
export function describeShortcuts(group: ShortcutGroup): void {
  useShortcutHelp.setState(({ groups }) => ({ groups: [...groups.filter((one) => one.id !== group.id), group] }))
}

/** Whether a key press belongs to the page: not typed into a field, and not meant for a dialog, a menu or the shell. */
export function isPageKey(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof Element)) return true
  return (
    target.closest(
      'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=dialog], [role=menu], [data-part=shell]',
    ) === null
  )
}
