import type { Kysely, Selectable } from 'kysely'
import type { Subject } from '../../shared/contract/groups.ts'
import { FileRights, type FileRight, type Grant } from '../../shared/contract/rights.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, pathsTo } from '../../shared/file-path.ts'
import { subjectFrom, subjectKey } from '../../shared/subject-key.ts'
import { inGrantOrder } from '../access/grants.ts'
import type { GrantsTable } from '../db/group-tables.ts'
import type { Schema } from '../db/schema.ts'

/** More of one subject would be looked through at every request. */
export const MOST_GRANTS = 1000

export interface StoredGrant extends Grant {
  readonly subject: Subject
}

export type GrantStore = ReturnType<typeof createGrantStore>

export function createGrantStore(db: Kysely<Schema>) {
  return {
    /** Of several subjects, each in the order in which the last match decides. */
    async of(subjects: readonly Subject[]): Promise<Grant[][]> {
      const keys = subjects.map(subjectKey)
      // Not sorted by the database, which would go through all grants in the order of their ids.
      const rows = await db.selectFrom('grants').selectAll().where('subject', 'in', keys).execute()
      rows.sort((a, b) => (a.id < b.id ? -1 : 1))
      const bySubject = Map.groupBy(rows, ({ subject }) => subject)
      return keys.map((key) => inGrantOrder((bySubject.get(key) ?? []).map(grantFrom)))
    },

    /**
     * Those that may decide about a path: on it, on the folders above it, and patterns; without a path, all. By `everybody`, `group ID` and `user ID`, each
     * in the order in which the last match decides.
     */
    async about(path: FilePath | null): Promise<Map<string, Grant[]>> {
      let found = db.selectFrom('grants').selectAll()
      if (path !== null)
        found = found.where((of) => of.or([of('regex', '=', 1), of('path', 'in', pathsTo(path.normalize('NFC') as FilePath))]))
      const rows = await found.execute()
      rows.sort((a, b) => (a.id < b.id ? -1 : 1))
      const bySubject = Map.groupBy(rows, ({ subject }) => subject)
      return new Map([...bySubject].map(([subject, list]) => [subject, inGrantOrder(list.map(grantFrom))]))
    },

    /** Everybody's grants on a path and on the folders above it; patterns are not considered. */
    async at(path: FilePath): Promise<StoredGrant[]> {
      const rows = await db.selectFrom('grants').selectAll().where('regex', '=', 0).where('path', 'in', pathsTo(path)).execute()
      return rows.map((row) => ({ ...grantFrom(row), subject: subjectFrom(row.subject) }))
    },

    /** Fails with `invalid-input` if the subject has too many, and with `not-found` if it does not exist. */
    async put(subject: Subject, { regex, path, rights }: Grant): Promise<void> {
      const key = subjectKey(subject)
      await db.transaction().execute(async (trx) => {
        await requireSubject(trx, subject)
        await trx
          .insertInto('grants')
          .values({ id: Bun.randomUUIDv7(), subject: key, regex: Number(regex), path, rights: JSON.stringify(rights) })
          .onConflict((conflict) => conflict.columns(['subject', 'regex', 'path']).doUpdateSet({ rights: JSON.stringify(rights) }))
          .execute()
        const { count } = await trx
          .selectFrom('grants')
          .select((of) => of.fn.countAll<string | number>().as('count'))
          .where('subject', '=', key)
          .executeTakeFirstOrThrow()
        if (Number(count) > MOST_GRANTS) fail('invalid-input', { issues: [`rights: no more than ${MOST_GRANTS}`] })
      })
    },

    /** @returns whether there was one */
    async remove(subject: Subject, { regex, path }: Pick<Grant, 'regex' | 'path'>): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('grants')
        .where('subject', '=', subjectKey(subject))
        .where('regex', '=', Number(regex))
        .where('path', '=', path)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}

async function requireSubject(trx: Kysely<Schema>, { kind, id }: Subject): Promise<void> {
  if (kind === 'everybody') return
  const table = kind === 'group' ? 'groups' : 'users'
  if ((await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) === undefined) fail('not-found', {})
}

function grantFrom(row: Selectable<GrantsTable>): Grant {
  const rights: FileRight[] = FileRights.parse(JSON.parse(row.rights))
  return { regex: row.regex === 1, path: row.path, rights }
}
