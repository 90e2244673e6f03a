import type { TokenUse } from '../../shared/contract/by-token.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { ROOT } from '../../shared/file-path.ts'
import type { Viewer, ViewerToken } from '../access/viewer.ts'

/**
 * Who a call is served to: null for a visitor. Fails with `sign-in-needed`, `own-password-needed`, `forbidden` or `download-refused` if the contract
 * does not let this viewer make it.
 * @param options.withheld a cookie came with the request but did not count
 */
export function admit(
  endpoint: Endpoint & { tokenUse: TokenUse },
  viewer: Viewer | null,
  { withheld }: { withheld: boolean },
): Viewer | null {
  const isHeldBack = viewer?.mustChangePassword === true && endpoint.beforeOwnPassword !== true
  if (endpoint.by === 'anyone') return isHeldBack || viewer?.token !== undefined ? null : viewer
  if (viewer === null) return withheld ? fail('forbidden', { right: 'origin' }) : fail('sign-in-needed', {})
  if (isHeldBack) fail('own-password-needed', {})
  if (viewer.token !== undefined && !suits(endpoint.tokenUse, viewer.token)) fail('forbidden', { right: 'token' })
  if (endpoint.by === 'admin' && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
  for (const right of endpoint.needs) {
    if (viewer.access.may[right]) continue
    if (right === 'download') fail('download-refused', {})
    fail('forbidden', { right })
  }
  return viewer
}

function suits(use: TokenUse, { folder }: ViewerToken): boolean {
  return use === 'yes' || (use === 'whole' && folder === ROOT)
}
