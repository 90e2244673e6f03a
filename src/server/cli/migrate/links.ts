import { isAppError } from '../../../shared/errors.ts'
import { type FilePath, parseFilePath } from '../../../shared/file-path.ts'
import type { Access } from '../../access/access.ts'
import { rightsOf } from '../../access/permissions.ts'
import { EVERYTHING } from '../../access/everything.ts'
import { newSecret } from '../../db/secret.ts'
import type { Drive } from '../../drive/drive.ts'
import type { Settings } from '../../settings/settings.ts'
import { DEFAULT_TERMS } from '../../shares/read-share-input.ts'
import { objectAt } from '../../shares/shared-object.ts'
import type { ImportedShare } from '../../shares/import-shares.ts'
import { accessOf, NOTHING_GRANTED } from '../../users/access-of.ts'
import type { ImportedAccount } from '../../users/import-accounts.ts'
import { isHash } from '../../users/password.ts'
import type { LeftOut, OldLink } from './old-database.ts'

export interface ReadLinks {
  readonly found: readonly ImportedShare[]
  /** How many are here already. */
  readonly kept: number
  /** How many had ended. */
  readonly ended: number
  readonly leftOut: readonly LeftOut[]
  /** Those of `found` that do not open yet, and why: their owners lack a right. */
  readonly closed: readonly LeftOut[]
}

export interface LinkReader {
  /** By id. */
  readonly owners: ReadonlyMap<number, Pick<ImportedAccount, 'id' | 'username' | 'scope' | 'perm' | 'rules' | 'hideDotfiles' | 'disabled'>>
  readonly settings: Settings
  readonly driveFor: (access: Access) => Drive
  /** Of the links that are here. */
  readonly names: { readonly hashes: ReadonlySet<string>; readonly slugs: ReadonlySet<string> }
  readonly now: Date
  /** Whether they will be stored; otherwise nothing is written to the served folder. */
  readonly make: boolean
}

export const NOTHING_THERE = 'what it leads to is missing, or hidden from its owner'

/** Finds what the links lead to, as their owners may see it, and keeps their names, passwords and ends. */
export async function readLinks(links: readonly OldLink[], reader: LinkReader): Promise<ReadLinks> {
  const { owners, settings, driveFor, names, now, make } = reader
  const drives = new Map([...owners].map(([id, owner]) => [id, driveFor(accessOf(owner, settings, NOTHING_GRANTED))]))
  const systemDrive = driveFor(EVERYTHING)
  const found: ImportedShare[] = []
  const leftOut: LeftOut[] = []
  const closed: LeftOut[] = []
  const taken = new Set<string>()
  let [kept, ended] = [0, 0]
  for (const { hash, path, userId, expire, passwordHash, token, terms } of links) {
    const drive = drives.get(userId)
    const target = drive === undefined ? null : await targetOf(drive, path)
    const owner = owners.get(userId)
    const named = (reason: string): LeftOut => ({ hash, path, owner: owner?.username ?? '', reason })
    const leave = (reason: string) => void leftOut.push(named(reason))
    if (names.hashes.has(hash)) kept += 1
    else if (expire !== 0 && expire * 1000 <= now.getTime()) ended += 1
    else if (drive === undefined) leave('its owner has no account')
    else if (names.slugs.has(hash.toLowerCase())) leave('another link here has this name')
    else if (passwordHash !== '' && !isHash(passwordHash)) leave('its password is stored in an unknown way')
    else if (taken.has(hash) || (token !== '' && taken.has(token))) leave('another link has the same name or the same token')
    else if (target === null) leave(NOTHING_THERE)
    else if (!target.folder && terms.rights === 'drop') leave('visitors upload into folders only, and it leads to a file')
    else {
      for (const name of [hash, token]) if (name !== '') taken.add(name)
      const obstacle = owner === undefined ? null : obstacleOf(owner, terms.rights)
      if (obstacle !== null) closed.push(named(obstacle))
      found.push({
        ...DEFAULT_TERMS,
        ...terms,
        ...(!target.folder && terms.rights === 'edit' && { rights: 'download' }),
        hash,
        userId,
        ...target,
        identity: await objectAt(systemDrive, target.place, { make }),
        expire,
        passwordHash: passwordHash === '' ? null : passwordHash,
        passwordVersion: 1,
        ticketKey: newSecret(),
        createdAt: now,
        token,
      })
    }
  }
  return { found, kept, ended, leftOut, closed }
}

/** Why a link does not open as long as its owner has these rights, and what to do; null if it opens. */
function obstacleOf(
  { id, username, perm, disabled }: Pick<ImportedAccount, 'id' | 'username' | 'perm' | 'disabled'>,
  wanted: OldLink['terms']['rights'],
): string | null {
  // People choose their names: one that a shell or our own command line would take for something else is not part of a command.
  const isPlain = /^[a-z_][\w.-]*$/i.test(username)
  const [owner, name] = isPlain ? ['its owner', username] : [`its owner ${JSON.stringify(username)}`, String(id)]
  if (disabled) return `${owner} is disabled; satchel users enable ${name}`
  const { share, download, create } = rightsOf(perm)
  const needed = { share, ...(wanted === 'drop' ? { create } : { download }) }
  const missing = Object.entries(needed).flatMap(([right, has]) => (has ? [] : [right]))
  if (missing.length === 0) return null
  return `${owner} may not ${missing.join(' and ')}; satchel users update ${name} ${missing.map((right) => `--perm.${right}`).join(' ')}`
}

/** The file or folder that a link may open; null if there is none. 2.17 stored folders with and without a slash at the end. */
async function targetOf(drive: Drive, stored: string): Promise<{ place: FilePath; folder: boolean } | null> {
  try {
    const path = parseFilePath(`/${stored.replace(/^\/+|\/+$/g, '')}`)
    const { stat, target } = await drive.stat(path)
    const isSharable = (stat.kind === 'file' || stat.kind === 'folder') && (target === null || target === 'inside')
    const place = await drive.place(path, 'follow')
    return isSharable && place.isWellFormed() ? { place, folder: stat.kind === 'folder' } : null
  } catch (error) {
    if (isAppError(error)) return null
    throw error
  }
}
