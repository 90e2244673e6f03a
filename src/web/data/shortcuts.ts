import { create } from 'zustand'

export interface ShortcutHelp {
  /** Key names, for example `['Mod', 'A']`; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
  keys: readonly string[]
  /** Called when shown, to get the current language. */
  label: () => string
}

export interface ShortcutGroup {
  id: string
  title: () => string
  shortcuts: readonly ShortcutHelp[]
}

export const useShortcutHelp = create<{ groups: readonly ShortcutGroup[] }>(() => ({ groups: [] }))

/** Adds a group to the help dialog; replaces the group with the same id. */
export function describeShortcuts(group: ShortcutGroup): void {
  useShortcutHelp.setState(({ groups }) => ({ groups: [...groups.filter((one) => one.id !== group.id), group] }))
}

/** Whether a key press is for the page: not in a field, dialog, menu or the shell. */
export function isPageKey(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof Element)) return true
  return (
    target.closest(
      'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=dialog], [role=menu], [data-part=shell]',
    ) === null
  )
}
