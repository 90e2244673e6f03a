import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { DavCall } from './dav-call.ts'
import { lockTokenOf } from './dav-headers.ts'
import { pathInUri } from './destination.ts'
import { type ConditionList, isIfHeld, type ResourceState } from './if-header.ts'
import { etagFor, resourceAt } from './resource.ts'

const NOTHING: ResourceState = { etag: null, tokens: new Set() }

/** Fails with `precondition-failed` if the header `If` of a request does not hold. */
export async function refuseUnlessIf(call: DavCall, lists: readonly ConditionList[]): Promise<void> {
  const stateOf = async (uri: string | null): Promise<ResourceState> => {
    const path = uri === null ? call.path : pathInUri(uri, call)
    return path === null ? NOTHING : stateAt(call, path)
  }
  if (!(await isIfHeld(lists, stateOf))) fail('precondition-failed', {})
}

/** Of what the viewer may not see, the same as of what does not exist. */
async function stateAt({ drive, locks }: DavCall, path: FilePath): Promise<ResourceState> {
  if (!drive.canSee(path)) return NOTHING
  try {
    const resource = await nullOn('not-found', resourceAt(drive, path))
    const held = await locks.covering(drive, path)
    return { etag: resource === null ? null : etagFor(resource), tokens: new Set(held.map(({ id }) => lockTokenOf(id))) }
  } catch (error) {
    if (isAppError(error)) return NOTHING
    throw error
  }
}
