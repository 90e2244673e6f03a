import { fail } from '../shared/errors.ts'
import type { Access } from './access/access.ts'
import { type AccessChanges, createLatest } from './access/latest.ts'
import { cutTo } from './access/token-access.ts'
import type { Viewer } from './access/viewer.ts'
import type { DriveFor } from './drive/drive-for.ts'
import type { Drive } from './drive/drive.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Tokens } from './tokens/tokens.ts'
import type { SettingsReader } from './settings/settings.ts'
import { accessOf, type GrantedTo } from './users/access-of.ts'
import type { Users } from './users/users.ts'

interface JobDrivesDeps {
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly sessions: Pick<Sessions, 'follow'>
  readonly tokens: Pick<Tokens, 'stillCounts'>
  readonly changes: AccessChanges
  readonly driveFor: DriveFor
  /** The access of a recipient of a share with people; null if they have none now. */
  readonly openShare: (viewer: Viewer, id: string) => Promise<Access | null>
}

/**
 * Opens the Drive of one job, with the current account at every step. It fails with `access-changed` once the account is deleted, disabled or has
 * another scope, or the sign-in or API token that started the job has ended.
 */
export type JobDrives = (viewer: Pick<Viewer, 'userId' | 'username' | 'sessionId' | 'token' | 'gesture' | 'through'>) => Promise<Drive>

export function createJobDrives({ users, settings, grantedTo, sessions, tokens, changes, driveFor, openShare }: JobDrivesDeps): JobDrives {
  return async ({ userId, username, sessionId, token, gesture, through }) => {
    const stillCounts = token === undefined ? await sessions.follow(sessionId) : () => tokens.stillCounts(token.id)

    async function accessNow(): Promise<Access> {
      const account = await users.find(userId)
      if (account === null || account.disabled || !(await stillCounts())) return fail('access-changed', {})
      const access = accessOf(account, await settings.read(), await grantedTo(userId))
      const own = token === undefined ? access : cutTo(access, token)
      if (through === undefined) return own
      return (await openShare({ ...through.own, access: own }, through.share)) ?? fail('access-changed', {})
    }

    const access = await accessNow()
    return driveFor(
      { ...access, latest: createLatest(access, accessNow, changes) },
      {
        id: userId,
        name: username,
        via: 'job',
        inShare: through !== undefined,
        ...(gesture && { group: gesture.group, joins: gesture.joins }),
      },
    )
  }
}
