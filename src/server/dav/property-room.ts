import type { Kysely } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { DavPropertiesTable } from '../db/dav-tables.ts'
import type { Schema } from '../db/schema.ts'

/** What one person has set, wherever it is: properties are in the database, where no quota counts. */
const MOST_OF_PERSON = 50_000
const MOST_CHARS_OF_PERSON = 16 * 1024 * 1024

/** How much more somebody may set. */
export interface PropertyRoom {
  /** Whether these fit in; then they have taken their part. */
  takes(rows: readonly Pick<DavPropertiesTable, 'chars'>[]): boolean
}

export const FULL: PropertyRoom = { takes: () => false }

/** @param except what is there is about to be replaced */
export async function roomOf(db: Kysely<Schema>, { userId, except }: { userId: number; except: FilePath }): Promise<PropertyRoom> {
  const sums = db
    .selectFrom('dav_properties')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('chars').as('chars')])
  const mine = sums.where('user_id', '=', userId)
  const [all, here] = [await mine.executeTakeFirstOrThrow(), await mine.where('place', '=', except).executeTakeFirstOrThrow()]
  let count = MOST_OF_PERSON - (all.count - here.count)
  let chars = MOST_CHARS_OF_PERSON - ((all.chars ?? 0) - (here.chars ?? 0))
  return {
    takes(rows) {
      const needed = rows.reduce((sum, row) => sum + row.chars, 0)
      if (rows.length > count || needed > chars) return false
      count -= rows.length
      chars -= needed
      return true
    },
  }
}
