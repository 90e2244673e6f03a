import { fail } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Upload } from './store.ts'
import { isNameless, isOfFolderToken } from './token-keys.ts'

/** The user and path of an upload. */
export interface UploadTarget {
  readonly userId: number
  readonly path: FilePath
  /** The link that a visitor uploads through, in the name of its owner; absent for a user's own upload. */
  readonly share?: string
  /** The client's name for it; absent if it does not send one. */
  readonly key?: string | undefined
  /** The session of the client. */
  readonly session?: string
}

/** The predecessor forgot an idle upload after three minutes: its clients do not come back to it later. */
const LIVELY_MS = 3 * 60_000

/**
 * The upload that a request refers to, of all to its path, the newest first. A request that names one means that one. Clients of the predecessor send
 * only the path. They mean the last that their session announced; if another one of it is at the very offset they send, nobody can tell whose bytes
 * these are, and they are refused (`precondition-failed`) instead of being mixed with those of another client.
 * @param options.at offset of the bytes to append; absent for queries
 */
export function chooseUpload(uploads: readonly Upload[], place: UploadTarget, { at, now }: { at?: number; now: number }): Upload | null {
  const { key, session = '', share = '' } = place
  if (share !== '') return uploads.find((one) => one.key === '') ?? null
  if (key !== undefined && !isNameless(key)) return uploads.find((one) => one.key === key) ?? null
  const nameless = uploads.filter((one) => (key === undefined ? !isOfFolderToken(one) : one.key.startsWith(key)))
  const own = nameless.filter((one) => one.session === session || one.session === '')
  // After a renewal, a session has another id.
  const [youngest, ...others] = own.length > 0 ? own : nameless
  if (youngest === undefined) return null
  if (at === undefined || youngest.finished) return youngest
  const rivals = others.filter((one) => !one.finished && one.touchedAt + LIVELY_MS > now)
  // At the beginning it does not matter which of two equal announcements is meant.
  const isDoubtful = rivals.some((one) => mayStandAt(one, at) && (at > 0 || !isEqual(one, youngest)))
  return isDoubtful ? fail('precondition-failed', { path: place.path }) : youngest
}

/** While somebody writes to it, its offset is unknown here. */
function mayStandAt({ durable, heldUntil }: Upload, at: number): boolean {
  return durable === null || heldUntil > 0 || durable === at
}

function isEqual(one: Upload, other: Upload): boolean {
  return one.length === other.length && one.stamp === other.stamp
}
