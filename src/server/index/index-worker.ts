import type { FilePath } from '../../shared/file-path.ts'
import type { SearchQuery } from '../../shared/search-query.ts'
import { collectWhenIdle } from '../threads/idle-collection.ts'
import { answerRequests } from '../threads/threads.ts'
import { type IndexService, type IndexServiceOptions, openIndexService } from './index-service.ts'
import type { Counted } from './tree-index.ts'

/** Requests to the thread. */
export type IndexRequest =
  | { readonly about: 'open'; readonly options: IndexServiceOptions }
  | { readonly about: 'find'; readonly folder: FilePath; readonly query: SearchQuery }
  | { readonly about: 'below'; readonly folder: FilePath }
  | { readonly about: 'fingerprints'; readonly folder: FilePath; readonly children: boolean }
  | { readonly about: 'sums' | 'children'; readonly folder: FilePath; readonly counted: Counted }
  | { readonly about: 'next'; readonly cursor: number; readonly most: number; readonly enter: readonly number[] }
  | { readonly about: 'close'; readonly cursor: number }
  | { readonly about: 'changed'; readonly storagePaths: readonly FilePath[] }
  | { readonly about: 'settled' | 'found' | 'stop' }

let service: IndexService | null = null

collectWhenIdle()

answerRequests(async (ask: IndexRequest) => ({ answer: await answerTo(ask), transfer: [] }))

async function answerTo(ask: IndexRequest): Promise<unknown> {
  if (ask.about === 'open') {
    service = openIndexService(ask.options)
    return service !== null
  }
  // The previous thread crashed, and the rest of its results with it: they must not look complete.
  if (service === null) throw new Error('the index was lost')
  switch (ask.about) {
    case 'find':
      return service.find(ask.folder, ask.query)
    case 'below':
      return service.below(ask.folder)
    case 'sums':
      return service.sums(ask.folder, ask.counted)
    case 'children':
      return service.folders(ask.folder, ask.counted)
    case 'fingerprints':
      return service.fingerprints(ask.folder, ask)
    case 'next':
      return await service.next(ask.cursor, ask.most, ask.enter)
    case 'close':
      return service.close(ask.cursor)
    case 'changed':
      return service.changed(ask.storagePaths)
    case 'found':
      return service.found()
    case 'settled':
      return await service.settled()
    case 'stop':
      return await service.stop()
  }
}
