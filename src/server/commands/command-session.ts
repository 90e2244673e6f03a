import { type FilePath, parentOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Drive } from '../drive/drive.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { GrantedTo } from '../users/access-of.ts'
import type { Users } from '../users/users.ts'
import type { Guard, Guarded } from './guard.ts'

/** Everything a user's program runs with; dispose it when the program has ended. */
export interface CommandSession extends Guarded {
  /** Working directory, as the program sees it. */
  readonly cwd: string
  readonly allowed: readonly string[]
  readonly shell: readonly string[]
}

/** Opens a session with the user's current rights; null if they may run nothing. */
export type OpenCommandSession = () => Promise<CommandSession | null>

export interface CommandSessionDeps {
  readonly systemDrive: Drive
  readonly driveFor: (access: Access) => Drive
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
}

/**
 * A program may run as long as nothing has changed about its user: session, right, rules, scope, list of commands.
 * @param options.reauthenticate the current viewer, as in `mount`
 */
export function commandSessionOpener(
  guard: Guard,
  { systemDrive, driveFor, users, settings, grantedTo }: CommandSessionDeps,
  { path, reauthenticate }: { path: FilePath; reauthenticate: () => Promise<Viewer | null> },
): OpenCommandSession {
  async function currentRights() {
    const viewer = await reauthenticate()
    const account = viewer?.access.may.execute === true ? await users.find(viewer.userId) : null
    if (viewer === null || account === null) return null
    const { rules, shell } = await settings.read()
    const { scope, perm, commands, hideDotfiles } = account
    return {
      access: viewer.access,
      commands,
      shell,
      fingerprint: JSON.stringify([scope, perm, commands, hideDotfiles, account.rules, rules, await grantedTo(account.id)]),
    }
  }

  return async () => {
    const now = await currentRights()
    if (now === null) return null
    const folder = await folderAt(driveFor(now.access), path)
    const scope = await systemDrive.place(now.access.scope, 'follow')
    const guarded = await guard.open(now.access, { mayStay: async () => (await currentRights())?.fingerprint === now.fingerprint })
    const { mount } = guarded
    const cwd = mount.start.scope === undefined ? '/' : mount.inside(pathFrom(scope, folder) ?? ROOT)
    return { ...guarded, cwd, allowed: now.commands, shell: now.shell }
  }
}

/** The storage path of a folder. Fails if there is none that the user may see. */
export async function folderAt(drive: Drive, path: FilePath): Promise<FilePath> {
  const { stat } = await drive.stat(path)
  return drive.place(stat.kind === 'folder' ? path : parentOf(path), 'follow')
}
