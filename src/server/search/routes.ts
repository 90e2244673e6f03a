import type { Hono } from 'hono'
import { search } from '../../shared/contract/search.ts'
import { fail } from '../../shared/errors.ts'
import type { Access } from '../access/access.ts'
import { guestOf } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { type Call, type Env, mount } from '../http/mount.ts'
import { createTurnstile } from '../http/turnstile.ts'
import type { Finder } from './finder.ts'
import { searchBelow, searchRanked } from './search.ts'
import { respondArray, respondLines } from './search-response.ts'

export interface SearchDeps {
  readonly driveFor: (access: Access) => Drive
  readonly finder: Finder
  readonly options: {
    /** Who names no media type gets lines, as front ends of 2.63 expect (decision 13). */
    readonly searchLines?: boolean
  }
}

/** A search reads a whole tree: nobody has more of them at once (security reference R9). */
const AT_ONCE = 4

/** Names in a folder and below; needs no right but to see them (contract reference 1.21). */
export function mountSearch(app: Hono<Env>, { driveFor, finder, options }: SearchDeps): void {
  const turnstile = createTurnstile(AT_ONCE, { retryAfterSeconds: 1 })
  type SearchCall = Pick<Call<typeof search.run>, 'params' | 'query' | 'viewer' | 'request'>
  const taskOf = ({ params: { path }, query, viewer }: SearchCall, signal: AbortSignal) => {
    if (!path.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
    return { drive: driveFor(viewer.access), from: path, text: query.query, signal }
  }

  function lines(call: SearchCall, form: 'ours' | 'old'): Response {
    const left = new AbortController()
    const task = taskOf(call, AbortSignal.any([call.request.signal, left.signal]))
    const onEnd = turnstile.enter(guestOf(call.viewer))
    return respondLines(searchBelow(finder, task), { form, onLeave: () => left.abort(), onEnd })
  }

  mount(app, search.lines, async (call) => lines(call, 'ours'))

  mount(app, search.run, async (call) => {
    const namesJson = call.request.headers.get('accept')?.includes('application/json') === true
    if (options.searchLines === true && !namesJson) return lines(call, 'old')
    const leave = turnstile.enter(guestOf(call.viewer))
    try {
      return respondArray(await searchRanked(finder, taskOf(call, call.request.signal)))
    } finally {
      leave()
    }
  })
}
