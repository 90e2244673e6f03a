import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { addSpan, type Span } from './spans.ts'

/** One state of one file; a changed file has another version. */
export interface Version {
  readonly identity: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970, with fractions. */
  readonly modified: number
}

/** CRC-32 checksums of files that were archived, so that a resumed download does not read them again. */
export type Checksums = ReturnType<typeof createChecksums>

const FORGET_AFTER_MS = 90 * 24 * 3600_000
/** Spans that are written in one transaction. */
const MOST_UNSAVED = 256

interface Known {
  readonly version: Version
  readonly spans: readonly Span[]
}

export function createChecksums({ db, clock }: { db: Kysely<Schema>; clock: () => Date }) {
  const unsaved = new Map<string, Known>()
  const oneByOne = createKeyedMutex()

  async function read({ identity, size, modified }: Version): Promise<readonly Span[]> {
    const row = await db.selectFrom('checksums').selectAll().where('identity', '=', identity).executeTakeFirst()
    return row?.size === size && row.modified === modified ? parseSpans(row.spans) : []
  }

  async function recall(version: Version): Promise<readonly Span[]> {
    const stored = await read(version)
    const fresh = unsaved.get(keyOf(version))?.spans ?? []
    return fresh.reduce<readonly Span[]>((spans, span) => addSpan(spans, span, version.size), stored)
  }

  async function write(all: Iterable<Known>): Promise<void> {
    const now = clock().getTime()
    const rows: { identity: string; size: number; modified: number; spans: string; used_at: number }[] = []
    for (const { version, spans } of all) {
      const merged = spans.reduce((known, span) => addSpan(known, span, version.size), [...(await read(version))])
      rows.push({ ...rowOf(version), spans: JSON.stringify(merged.map(({ first, end, crc }) => [first, end, crc])), used_at: now })
    }
    await db.transaction().execute(async (trx) => {
      for (const row of rows) {
        await trx
          .insertInto('checksums')
          .values(row)
          .onConflict((conflict) => conflict.column('identity').doUpdateSet(row))
          .execute()
      }
    })
  }

  async function saveLearned(): Promise<void> {
    const learned = new Map(unsaved)
    if (learned.size === 0) return
    await write(learned.values())
    // Until it is written, it must be found here.
    for (const [key, known] of learned) if (unsaved.get(key) === known) unsaved.delete(key)
  }

  /** One save at a time; what is learned meanwhile waits for the next one. */
  function save(): Promise<void> {
    return oneByOne('save', saveLearned)
  }

  return {
    /** The known spans of a file, in order. */
    recall,
    /** Cached in memory at once and stored with the next `save`. */
    async learn(version: Version, span: Span): Promise<void> {
      const key = keyOf(version)
      const known = unsaved.get(key)
      // A new object each time, so that a running save does not mark it as written.
      unsaved.set(key, { version, spans: addSpan(known?.spans ?? [], span, version.size) })
      if (unsaved.size >= MOST_UNSAVED) await save()
    },
    save,
    /** Removes entries that have not been used for a long time. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('checksums')
        .where('used_at', '<', clock().getTime() - FORGET_AFTER_MS)
        .execute()
    },
  }
}

function keyOf({ identity, size, modified }: Version): string {
  return `${identity} ${size} ${modified}`
}

function rowOf({ identity, size, modified }: Version): Version {
  return { identity, size, modified }
}

function parseSpans(text: string): Span[] {
  // Written only by `write` above.
  return (JSON.parse(text) as [number, number, number][]).map(([first, end, crc]) => ({ first, end, crc }))
}
