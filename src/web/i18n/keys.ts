import { type MessageKey, t } from './i18n.tsx'

export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Keys and mouse actions whose names depend on the language. */
const NAMES: Readonly<Record<string, MessageKey>> = {
  Alt: 'key.alt',
  Backspace: 'key.backspace',
  Click: 'key.click',
  Ctrl: 'key.ctrl',
  Delete: 'key.delete',
  'Double click': 'key.double-click',
  End: 'key.end',
  Enter: 'key.enter',
  Esc: 'key.esc',
  Home: 'key.home',
  Mod: 'key.ctrl',
  PageDown: 'key.page-down',
  PageUp: 'key.page-up',
  'Double tap': 'key.double-tap',
  Pinch: 'key.pinch',
  Shift: 'key.shift',
  Swipe: 'key.swipe',
  Tap: 'key.tap',
  'Touch and hold': 'key.touch-and-hold',
  Space: 'key.space',
}

/** Key symbols on Apple keyboards, in every language. */
const MAC: Readonly<Record<string, string>> = {
  Alt: '⌥',
  Backspace: '⌫',
  Ctrl: '⌃',
  Delete: '⌫',
  End: '↘',
  Enter: '↩',
  Home: '↖',
  Mod: '⌘',
  PageDown: '⇟',
  PageUp: '⇞',
  Shift: '⇧',
}

/** Localised key names for this platform. @param keys `Mod` is ⌘ on a Mac and Ctrl elsewhere; letters, arrows and F keys are the same everywhere */
export function keyNames(keys: readonly string[], { mac = isMac }: { mac?: boolean } = {}): string[] {
  return keys.map((key) => {
    const apple = mac ? MAC[key] : undefined
    const name = NAMES[key]
    return apple ?? (name === undefined ? key : t(name))
  })
}

/** The same as one string, for menus and tooltips: `Ctrl C`, on a Mac `⌘C`. */
export function keysText(...keys: readonly string[]): string {
  return keyNames(keys).join(isMac ? '' : ' ')
}
