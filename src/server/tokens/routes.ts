import { tokens as calls } from '../../shared/contract/tokens.ts'
import { fail } from '../../shared/errors.ts'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { performerOf } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import { rightsInTree } from './rights.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Tokens } from './tokens.ts'

export interface TokenRoutesDeps {
  readonly tokens: Tokens
  readonly driveFor: (access: Access) => Drive
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  readonly requireProof: (caller: Caller) => Promise<void>
}

export function mountTokens(app: Router, { tokens, driveFor, requireProof }: TokenRoutesDeps): void {
  mount(app, calls.list, ({ viewer, query: { all, user } }) => {
    const isOwn = !all && (user === undefined || Number(user) === viewer.userId)
    if (!isOwn && !viewer.access.may.admin) fail('forbidden', { right: 'admin' })
    return tokens.list(all ? null : user === undefined ? viewer.userId : Number(user))
  })

  mount(app, calls.create, async ({ viewer, body: { current_password: password, ...input }, peer }) => {
    const { userId, username, access } = viewer
    const folder = parseFilePath(input.folder)
    const drive = driveFor(access)
    if ((await drive.stat(folder)).stat.kind !== 'folder') fail('not-found', { path: folder })
    await requireProof({ viewer, address: peer, password })
    return tokens.create({ id: userId, username, may: folder === ROOT ? rightsInTree(access) : await drive.rights(folder) }, input, {
      by: performerOf(viewer),
      address: peer,
    })
  })

  mount(app, calls.remove, async ({ viewer, params, peer }) => {
    const whose = { userId: viewer.access.may.admin ? null : viewer.userId }
    await tokens.remove(params.id, whose, { by: performerOf(viewer), address: peer })
    return undefined
  })
}
