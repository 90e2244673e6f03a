import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** A part of an upload, from byte `at` on. */
export interface Piece {
  readonly number: number
  readonly at: number
  readonly size: number
}

export type PieceStore = ReturnType<typeof createPieceStore>

/** Which pieces of uploads have arrived. */
export function createPieceStore(db: Kysely<Schema>) {
  const pieces = (upload: string) => db.selectFrom('upload_pieces').select(['number', 'at', 'size']).where('upload', '=', upload)

  return {
    /** In their order. */
    of: (upload: string): Promise<Piece[]> => pieces(upload).orderBy('number').execute(),

    async find(upload: string, number: number): Promise<Piece | null> {
      return (await pieces(upload).where('number', '=', number).executeTakeFirst()) ?? null
    },

    async last(upload: string): Promise<Piece | null> {
      return (await pieces(upload).orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? null
    },

    async count(upload: string): Promise<number> {
      const { count } = await db
        .selectFrom('upload_pieces')
        .select((of) => of.fn.countAll<number | string>().as('count'))
        .where('upload', '=', upload)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async add(upload: string, piece: Piece): Promise<void> {
      await db
        .insertInto('upload_pieces')
        .values({ upload, ...piece })
        .execute()
    },

    async removeAll(upload: string): Promise<void> {
      await db.deleteFrom('upload_pieces').where('upload', '=', upload).execute()
    },

    /** Of uploads that have gone. */
    async removeOrphans(): Promise<void> {
      await db
        .deleteFrom('upload_pieces')
        .where('upload', 'not in', (inner) => inner.selectFrom('uploads').select('id'))
        .execute()
    },
  }
}
