import { search } from '../../shared/contract/search.ts'
import { fail } from '../../shared/errors.ts'
import { CONTENT_SEARCHES, CONTENT_SEARCHES_EACH } from '../../shared/limits.ts'
import { asksContent, parseQuery } from '../../shared/search-query.ts'
import type { Access } from '../access/access.ts'
import { clientKeyOf, type Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { type Call, mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { readDocumentText } from './content/document-text.ts'
import type { DocumentTexts } from './content/document-texts.ts'
import type { Finder } from './finder.ts'
import { searchBelow, searchRanked } from './search.ts'
import { respondArray, respondLines } from './search-response.ts'

export interface SearchDeps {
  readonly driveFor: (access: Access) => Drive
  readonly finder: Finder
  /** For queries about contents. */
  readonly contentFinder: Finder
  readonly documentTexts: DocumentTexts
  /** Whether the client of this sign-in is known to read NDJSON (decision 049). */
  readonly acceptsNdjson: (viewer: Viewer) => Promise<boolean>
  readonly options: {
    /** Whether clients that are not known and name no media type get NDJSON. */
    readonly searchLines?: boolean
  }
}

/** A search reads a whole tree (R9). */
const AT_ONCE = 4
/** A content search keeps the disk busy. */
const CONTENT_RETRY_SECONDS = 2
/** Documents whose text is extracted concurrently, for one user and in total. */
const DOCUMENTS_EACH = 4
const DOCUMENTS = 16

/** Names in a folder and below need only visibility; contents need the right to download (I5), and fewer such searches run at once. */
export function mountSearch(app: Router, { driveFor, finder, contentFinder, documentTexts, acceptsNdjson, options }: SearchDeps): void {
  const limit = createSemaphore({ slots: Infinity, each: AT_ONCE, retryAfterSeconds: 1 })
  const contentLimit = createSemaphore({ slots: CONTENT_SEARCHES, each: CONTENT_SEARCHES_EACH, retryAfterSeconds: CONTENT_RETRY_SECONDS })
  const documentLimit = createSemaphore({ slots: DOCUMENTS, each: DOCUMENTS_EACH, retryAfterSeconds: CONTENT_RETRY_SECONDS })
  type SearchCall = Pick<Call<typeof search.run>, 'params' | 'query' | 'viewer' | 'request'>
  const taskOf = ({ params: { path }, query, viewer }: SearchCall, signal: AbortSignal) => {
    if (!path.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
    const drive = driveFor(viewer.access)
    const asked = parseQuery(query.query, new Date())
    const task = { drive, from: path, query: query.match === 'all' ? { ...asked, allWords: true } : asked, signal }
    const clientKey = clientKeyOf(viewer)
    if (!asksContent(task.query)) return { task, finder, enter: () => limit.acquireNow(clientKey) }
    if (!drive.mayAnywhere('download')) fail('forbidden', { right: 'download' })
    return { task, finder: contentFinder, enter: () => contentLimit.acquireNow(clientKey) }
  }

  function lines(call: SearchCall, form: 'ours' | 'old'): Response {
    const left = new AbortController()
    const { task, finder: find, enter } = taskOf(call, AbortSignal.any([call.request.signal, left.signal]))
    const onEnd = enter()
    let read = 0
    const found = searchBelow(find, { ...task, onRead: (files) => (read += files) })
    return respondLines(found, { form, onLeave: () => left.abort(), onEnd, read: () => read })
  }

  mount(app, search.lines, async (call) => lines(call, 'ours'))

  mount(app, search.run, async (call) => {
    const namesJson = call.request.headers.get('accept')?.includes('application/json') === true
    if (!namesJson && (options.searchLines === true || (await acceptsNdjson(call.viewer)))) return lines(call, 'old')
    const { task, finder: find, enter } = taskOf(call, call.request.signal)
    const leave = enter()
    try {
      return respondArray(await searchRanked(find, task))
    } finally {
      leave()
    }
  })

  mount(app, search.documentText, async ({ params: { path }, viewer, request }) => {
    const leave = documentLimit.acquireNow(clientKeyOf(viewer))
    try {
      return await readDocumentText(documentTexts, driveFor(viewer.access), path, request.signal)
    } finally {
      leave()
    }
  })
}
