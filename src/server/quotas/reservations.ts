import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** What is reserved, by quota. */
export function reservations(db: Kysely<Schema>) {
  return openChanges(db)
    .select((of) => ['subject', of.fn.sum<number>('bytes').as('bytes'), of.fn.sum<number>('files').as('files')])
    .groupBy('subject')
}

/** Changes that have not ended; what an upload reserves ends with the upload. */
export function openChanges(db: Kysely<Schema>) {
  return db
    .selectFrom('quota_changes')
    .where((of) =>
      of.or([
        of('server', '!=', ''),
        of.exists(
          of
            .selectFrom('uploads')
            .select('uploads.id')
            .whereRef('uploads.id', '=', 'quota_changes.id')
            .where('uploads.lease', 'is distinct from', 'finished'),
        ),
      ]),
    )
}
