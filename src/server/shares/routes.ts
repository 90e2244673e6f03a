import { shares as calls, ShareInput } from '../../shared/contract/shares.ts'
import { fail, issueTexts } from '../../shared/errors.ts'
import { foldKeys } from '../../shared/fold-keys.ts'
import { statusResponse } from '../http/errors.ts'
import { mount, readText } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Shares } from './shares.ts'

/** The input contains a password, and a message to visitors. */
const MAX_INPUT_BYTES = 64 * 1024

/** Management of links by owners and administrators. */
export function mountShares(app: Router, { shares }: { shares: Shares }): void {
  mount(app, calls.mine, ({ viewer }) => shares.mine(viewer))
  mount(app, calls.ofPath, ({ viewer, params }) => shares.ofPath(viewer, params.path))
  mount(app, calls.create, async ({ viewer, params, query, request, peer }) =>
    shares.create(viewer, params.path, { ...query, ...(await readInput(request)) }, { address: peer }),
  )
  mount(app, calls.change, ({ viewer, params, body, peer }) => shares.change(viewer, params.hash, body, { address: peer }))
  mount(app, calls.visits, ({ viewer, params }) => shares.visits(viewer, params.hash))
  mount(app, calls.remove, async ({ viewer, params, peer }) => {
    await shares.remove(viewer, params.hash, { address: peer })
    return statusResponse(200)
  })
}

/** A link without password and expiry may be created without a body. */
async function readInput(request: Request): Promise<ShareInput> {
  const text = await readText(request, MAX_INPUT_BYTES)
  if (text.trim() === '') return {}
  const parsed = ShareInput.safeParse(foldKeys(ShareInput, parseJson(text)))
  if (parsed.success) return parsed.data
  return fail('invalid-input', { issues: issueTexts(parsed.error) })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    return fail('invalid-input', { issues: ['body: not JSON'] }, { cause })
  }
}
