import type { TreeIndex } from '../index/tree-index.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { CANDIDATE_LIMITS, createContentFinder } from './content/content-finder.ts'
import { createDocumentTexts } from './content/document-texts.ts'
import { createMatchThreads } from './content/match-thread.ts'
import { createIndexFinder } from './index-finder.ts'
import { createWalkFinder } from './walk-finder.ts'

export interface SearchModuleOptions {
  readonly treeIndex: TreeIndex
  readonly sandbox: Sandbox
  readonly readOffice: Parameters<typeof createDocumentTexts>[1]
}

/** Search by name and properties, and by content. */
export function createSearchModule({ treeIndex, sandbox, readOffice }: SearchModuleOptions) {
  const documentTexts = createDocumentTexts(sandbox, readOffice)
  return {
    finder: createIndexFinder(treeIndex, createWalkFinder()),
    contentFinder: createContentFinder({
      candidates: createIndexFinder(treeIndex, createWalkFinder(CANDIDATE_LIMITS), CANDIDATE_LIMITS, { forReading: true }),
      match: createMatchThreads(),
      documentTexts,
    }),
    documentTexts,
  }
}
