import type { ReaderSettings, Paper } from './page.ts'

export const SIZES = [80, 90, 100, 115, 130, 150, 175, 200] as const
export const PAPERS: readonly Paper[] = ['light', 'sepia', 'dark']

type Store = Pick<Storage, 'getItem' | 'setItem'>

const KEY = 'satchel-book-look'

export function saveReaderSettings(storage: Store, { paper, size }: ReaderSettings): void {
  storage.setItem(KEY, `${paper} ${size}`)
}

/** The stored settings; the paper defaults to the page's theme. */
export function loadReaderSettings(storage: Store, { isDark }: { isDark: boolean }): ReaderSettings {
  const [paper, size] = (storage.getItem(KEY) ?? '').split(' ')
  return {
    paper: PAPERS.find((one) => one === paper) ?? (isDark ? 'dark' : 'light'),
    size: SIZES.find((one) => String(one) === size) ?? 100,
  }
}

/** The next font size up or down; unchanged at the limits. */
export function stepSize(size: number, by: 1 | -1): number {
  return (by === 1 ? SIZES.find((one) => one > size) : SIZES.findLast((one) => one < size)) ?? size
}
