import type { FilePath } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import { collectAtRest } from '../threads/rest.ts'
import { answerAsks } from '../threads/threads.ts'
import { type Desk, type DeskOptions, openDesk } from './desk.ts'
import type { Counted } from './tree-index.ts'

/** What may be asked of the thread. */
export type IndexAsk =
  | { readonly about: 'open'; readonly options: DeskOptions }
  | { readonly about: 'find'; readonly folder: FilePath; readonly query: SearchQuery }
  | { readonly about: 'below'; readonly folder: FilePath }
  | { readonly about: 'sums' | 'children'; readonly folder: FilePath; readonly counted: Counted }
  | { readonly about: 'next'; readonly cursor: number; readonly most: number; readonly enter: readonly number[] }
  | { readonly about: 'close'; readonly cursor: number }
  | { readonly about: 'changed'; readonly places: readonly FilePath[] }
  | { readonly about: 'settled' | 'stop' }

let desk: Desk | null = null

collectAtRest()

answerAsks(async (ask: IndexAsk) => ({ answer: await answerTo(ask), transfer: [] }))

async function answerTo(ask: IndexAsk): Promise<unknown> {
  if (ask.about === 'open') {
    desk = openDesk(ask.options)
    return desk !== null
  }
  // The thread before this one fell, and the rest of its answers with it: nobody shall take what they have for all.
  if (desk === null) throw new Error('the index was lost')
  switch (ask.about) {
    case 'find':
      return desk.find(ask.folder, ask.query)
    case 'below':
      return desk.below(ask.folder)
    case 'sums':
      return desk.sums(ask.folder, ask.counted)
    case 'children':
      return desk.children(ask.folder, ask.counted)
    case 'next':
      return await desk.next(ask.cursor, ask.most, ask.enter)
    case 'close':
      return desk.close(ask.cursor)
    case 'changed':
      return desk.changed(ask.places)
    case 'settled':
      return await desk.settled()
    case 'stop':
      return await desk.stop()
  }
}
