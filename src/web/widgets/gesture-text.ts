import type { Gesture, GestureItem } from '../../shared/contract/operations.ts'
import { nameOf, parentOf, parseFilePath } from '../../shared/file-path.ts'
import { formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { displayName } from './display-name.ts'

/** What a gesture did, in a few words: `Delete “a.txt” +3`. */
export function gestureText({ items, total }: Pick<Gesture, 'items' | 'total'>): string {
  const [first] = items
  const path = first?.path ?? first?.origin
  const words = new Set(items.map(wordOf))
  if (first === undefined || !path || words.size > 1) return t('undo.changes', { count: total })
  const text = t('undo.what', { action: t(`undo.word.${wordOf(first)}`), name: displayName(nameOf(parseFilePath(path))) })
  return total > 1 ? `${text} +${formatNumber(total - 1)}` : text
}

function wordOf({ kind, path, origin }: GestureItem) {
  const isRename = kind === 'move' && path !== null && origin !== null && parentOf(parseFilePath(path)) === parentOf(parseFilePath(origin))
  return isRename ? 'rename' : kind
}
