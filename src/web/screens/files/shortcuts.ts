import { describeShortcuts } from '../../data/shortcuts.ts'
import { keysText } from '../../i18n/keys.ts'
import { type MessageKey, t } from '../../i18n/i18n.tsx'
import { ACTIONS } from './actions.ts'
import type { ActionName } from './offers.ts'

interface Shortcut {
  readonly action: ActionName
  /** As on the keyboard. */
  readonly keys: readonly string[]
  /** `key` of the event; letters in lower case. */
  readonly key: string
  readonly mod?: true
  readonly alt?: true
  /** A sign that some keyboards have above another, so that Shift says nothing. */
  readonly sign?: true
}

/** Keys that mean an action wherever the focus is on the page; help prints this table. */
export const SHORTCUTS: readonly Shortcut[] = [
  { action: 'rename', keys: ['F2'], key: 'F2' },
  { action: 'delete', keys: ['Delete'], key: 'Delete' },
  { action: 'copy-held', keys: ['Mod', 'C'], key: 'c', mod: true },
  { action: 'cut', keys: ['Mod', 'X'], key: 'x', mod: true },
  { action: 'paste', keys: ['Mod', 'V'], key: 'v', mod: true },
  { action: 'download', keys: ['Mod', 'S'], key: 's', mod: true },
  { action: 'select-all', keys: ['Mod', 'A'], key: 'a', mod: true },
  // No name holds a slash, so that this is no letter to go to.
  { action: 'filter', keys: ['/'], key: '/', sign: true },
  { action: 'star', keys: ['*'], key: '*', sign: true },
  { action: 'unstar', keys: ['*'], key: '*', sign: true },
  { action: 'clear', keys: ['Esc'], key: 'Escape' },
  { action: 'info', keys: ['Alt', 'Enter'], key: 'Enter', alt: true },
  { action: 'parent', keys: ['Alt', '↑'], key: 'ArrowUp', alt: true },
  { action: 'parent', keys: ['Backspace'], key: 'Backspace' },
]

/** Keys that move about in the listing, for the help only: the grid itself knows them. */
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

/** @param offered decides between actions of the same key */
export function shortcutFor(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress,
  offered: (action: ActionName) => boolean = () => true,
): ActionName | null {
  const pressed = key.length === 1 ? key.toLowerCase() : key
  const held = (one: Shortcut) => (one.mod ?? false) === (ctrlKey || metaKey) && (one.alt ?? false) === altKey && (one.sign ?? !shiftKey)
  const meant = SHORTCUTS.filter((one) => one.key === pressed && held(one))
  return (meant.find(({ action }) => offered(action)) ?? meant[0])?.action ?? null
}

/** The first key of an action as this machine's keyboard names it: `Ctrl C`; undefined where it has none. */
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
