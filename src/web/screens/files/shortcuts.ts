import { describeShortcuts } from '../../data/shortcuts.ts'
import { keysText } from '../../i18n/keys.ts'
import { type MessageKey, t } from '../../i18n/i18n.tsx'
import { ACTIONS } from './actions.ts'
import type { ActionName } from './action-rules.ts'

interface Shortcut {
  readonly action: ActionName
  /** Key names for display. */
  readonly keys: readonly string[]
  /** `KeyboardEvent.key`; letters in lower case. */
  readonly key: string
  readonly mod?: true
  readonly alt?: true
  readonly shift?: true
  /** A character that needs Shift on some keyboards, so Shift is ignored. */
  readonly sign?: true
}

/** Shortcuts of actions, anywhere on the page; also shown in the help. */
export const SHORTCUTS: readonly Shortcut[] = [
  { action: 'rename', keys: ['F2'], key: 'F2' },
  { action: 'delete', keys: ['Delete'], key: 'Delete' },
  { action: 'delete-permanently', keys: ['Shift', 'Delete'], key: 'Delete', shift: true },
  { action: 'undo', keys: ['Mod', 'Z'], key: 'z', mod: true },
  { action: 'redo', keys: ['Mod', 'Shift', 'Z'], key: 'z', mod: true, shift: true },
  { action: 'redo', keys: ['Mod', 'Y'], key: 'y', mod: true },
  { action: 'copy-held', keys: ['Mod', 'C'], key: 'c', mod: true },
  { action: 'cut', keys: ['Mod', 'X'], key: 'x', mod: true },
  { action: 'paste', keys: ['Mod', 'V'], key: 'v', mod: true },
  { action: 'download', keys: ['Mod', 'S'], key: 's', mod: true },
  { action: 'select-all', keys: ['Mod', 'A'], key: 'a', mod: true },
  // File names never contain a slash, so it cannot start type-ahead.
  { action: 'filter', keys: ['/'], key: '/', sign: true },
  { action: 'star', keys: ['*'], key: '*', sign: true },
  { action: 'unstar', keys: ['*'], key: '*', sign: true },
  { action: 'clear', keys: ['Esc'], key: 'Escape' },
  { action: 'info', keys: ['Alt', 'Enter'], key: 'Enter', alt: true },
  { action: 'parent', keys: ['Alt', '↑'], key: 'ArrowUp', alt: true },
  { action: 'parent', keys: ['Backspace'], key: 'Backspace' },
]

/** Navigation keys, for the help only; the grid handles them. */
const MOVES: readonly { readonly keys: readonly string[]; readonly text: MessageKey }[] = [
  { keys: ['Enter'], text: 'files.action.open' },
  { keys: ['Space'], text: 'files.help.toggle' },
  { keys: ['Shift', '↓'], text: 'files.help.extend' },
  { keys: ['Mod', '↓'], text: 'files.help.focus' },
  { keys: ['Home'], text: 'files.help.first' },
  { keys: ['End'], text: 'files.help.last' },
  { keys: ['PageDown'], text: 'files.help.page' },
  { keys: ['A…Z'], text: 'files.help.type' },
  { keys: ['Shift', 'F10'], text: 'files.help.menu' },
]

const POINTER: readonly { readonly keys: readonly string[]; readonly text: MessageKey }[] = [
  { keys: ['Click'], text: 'files.help.click' },
  { keys: ['Mod', 'Click'], text: 'files.help.add' },
  { keys: ['Shift', 'Click'], text: 'files.help.range' },
  { keys: ['Double click'], text: 'files.action.open' },
]

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** @param available decides between actions of the same key */
export function shortcutFor(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress,
  available: (action: ActionName) => boolean = () => true,
): ActionName | null {
  const pressed = key.length === 1 ? key.toLowerCase() : key
  const held = (one: Shortcut) =>
    (one.mod ?? false) === (ctrlKey || metaKey) && (one.alt ?? false) === altKey && (one.sign ?? (one.shift ?? false) === shiftKey)
  const meant = SHORTCUTS.filter((one) => one.key === pressed && held(one))
  return (meant.find(({ action }) => available(action)) ?? meant[0])?.action ?? null
}

/** The first shortcut of an action, localised: `Ctrl C`; undefined if it has none. */
export function shortcutText(action: ActionName): string | undefined {
  if (action === 'open') return keysText('Enter')
  const found = SHORTCUTS.find((one) => one.action === action)
  return found && keysText(...found.keys)
}

export function describeFileShortcuts(): void {
  describeShortcuts({
    id: 'files',
    title: () => t('files.help.title'),
    shortcuts: [
      { keys: ['Mod', 'F'], label: () => t('search.title') },
      ...SHORTCUTS.map(({ action, keys }) => ({ keys, label: () => t(ACTIONS[action].text) })),
    ],
  })
  describeShortcuts({
    id: 'files-moves',
    title: () => t('files.help.moves'),
    shortcuts: [...MOVES, ...POINTER].map(({ keys, text }) => ({ keys, label: () => t(text) })),
  })
}
