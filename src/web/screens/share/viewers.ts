import { inTime } from '../../data/chunks.ts'
import { lazyPart } from '../../i18n/lazy-part.ts'
import type { Viewers } from '../../widgets/viewers/viewers.ts'

export const viewers: Viewers = {
  font: lazyPart(async () => (await inTime(import('../../widgets/viewers/font/font-view.tsx'))).FontView),
  book: lazyPart(async () => (await inTime(import('../../widgets/viewers/book/book-view.tsx'))).BookView),
}
