import { fail } from '../../shared/errors.ts'
import type { UploadTarget } from './uploads.ts'
import type { Upload } from './store.ts'

/** The predecessor forgot an upload without a sign of life after three minutes: a client that was silent for longer does not come back to it. */
const LIVELY_MS = 3 * 60_000

/**
 * The upload that a request means, of all to its path, the youngest first. One that names it means that one. Clients of the predecessor do not:
 * the path is all they say. They mean the last that their session announced; and should another one of it stand at the very offset they name,
 * nobody can tell whose bytes these are, and they are refused (`precondition-failed`) rather than put together with those of another client.
 *
 * @param options.at where bytes are to go; nothing where somebody only asks
 */
export function chooseUpload(uploads: readonly Upload[], place: UploadTarget, { at, now }: { at?: number; now: number }): Upload | null {
  const { key, session = '', share = '' } = place
  if (share !== '') return uploads.find((one) => one.key === '') ?? null
  if (key !== undefined) return uploads.find((one) => one.key === key) ?? null
  const own = uploads.filter((one) => one.session === session || one.session === '')
  // A session that was renewed has another name.
  const [youngest, ...others] = own.length > 0 ? own : uploads
  if (youngest === undefined) return null
  if (at === undefined || youngest.finished) return youngest
  const rivals = others.filter((one) => !one.finished && one.touchedAt + LIVELY_MS > now)
  // At the beginning it does not matter which of two equal announcements is meant.
  const isDoubtful = rivals.some((one) => mayStandAt(one, at) && (at > 0 || !isEqual(one, youngest)))
  return isDoubtful ? fail('precondition-failed', { path: place.path }) : youngest
}

/** While somebody writes to it, nobody here knows where it stands. */
function mayStandAt({ durable, heldUntil }: Upload, at: number): boolean {
  return durable === null || heldUntil > 0 || durable === at
}

function isEqual(one: Upload, other: Upload): boolean {
  return one.length === other.length && one.stamp === other.stamp
}
