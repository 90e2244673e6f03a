import type { Kysely } from 'kysely'
import type { HomeState } from '../../shared/contract/hand-over.ts'
import { segmentProblem, type FilePath, isWithin, joinPath, ROOT } from '../../shared/file-path.ts'
import { fail } from '../../shared/errors.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import { exists } from '../drive/exists.ts'
import { realScope } from '../shares/shares.ts'
import type { Account } from '../users/account.ts'

export interface Home {
  readonly scope: FilePath
  /** Storage path, links resolved; the scope if it is missing. */
  readonly place: FilePath
  readonly state: HomeState
}

/** The folder of an account, and whether it is its own: not the root, and neither it nor a folder in it is that of another account. */
export async function homeOf(db: Kysely<Schema>, systemDrive: Drive, { id, scope: given }: Account): Promise<Home> {
  const scope = cleanScope(given)
  const place = await realScope(systemDrive, scope)
  if (place === null) return { scope, place: scope, state: 'missing' }
  const rows = await db.selectFrom('users').select('scope').distinct().where('id', '!=', id).execute()
  const isInside = (other: FilePath | null): boolean => other !== null && (isWithin(other, scope) || isWithin(other, place))
  let isTaken = place === ROOT
  for (const row of rows) {
    if (isTaken) break
    const other = cleanScope(row.scope)
    isTaken = isInside(other) || isInside(await realScope(systemDrive, other))
  }
  return { scope, place, state: isTaken ? 'shared' : 'own' }
}

/** The name of the new folder. Fails with `invalid-input` for one that cannot be. */
export function folderName(asked: string, { username }: Pick<Account, 'username'>, now: Date): string {
  const name = asked.trim() === '' ? `From ${username} (${now.toISOString().slice(0, 10)})`.replaceAll('/', '_') : asked.trim()
  if (segmentProblem(name) !== null || !name.isWellFormed() || name.toLowerCase() === '.satchel')
    fail('invalid-input', { issues: ['folder: not a name'] })
  return name
}

/** The first name that is free: `name`, `name 2` and so on. */
export async function freeFolder(systemDrive: Drive, parent: FilePath, name: string): Promise<FilePath> {
  for (let number = 1; ; number++) {
    const path = joinPath(parent, number === 1 ? name : `${name} ${number}`)
    if (!(await exists(systemDrive, path))) return path
  }
}
