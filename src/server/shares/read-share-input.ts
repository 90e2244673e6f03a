import { type DropTerms, type ShareUnit, type ShareInput, SHARE_UNIT_SECONDS, SHARE_UNITS } from '../../shared/contract/shares.ts'
import { fail } from '../../shared/errors.ts'
import {
  MAX_SHARE_COUNT,
  MAX_SHARE_DURATION,
  MAX_SHARE_MESSAGE_CHARS,
  MAX_SHARE_TITLE_CHARS,
  MAX_SHARE_TYPES,
} from '../../shared/limits.ts'
import { slugProblem } from '../../shared/share-slug.ts'
import type { ShareTerms } from './store.ts'

/** Requested terms of a link; the password is in clear, null for none, and undefined to keep it. */
export type RequestedTerms = Omit<ShareTerms, 'passwordHash'> & { readonly password: string | null | undefined }

export const DEFAULT_TERMS: Omit<ShareTerms, 'passwordHash'> = {
  expire: 0,
  starts: 0,
  slug: '',
  title: '',
  message: '',
  rights: 'download',
  maxDownloads: 0,
  logVisits: true,
  drop: { maxFile: 0, maxFiles: 0, maxBytes: 0, types: [] },
}

/**
 * Applies input to the terms `before`: absent fields are kept. An empty duration or 0 means a permanent link; unknown units mean hours. Fails with
 * `invalid-input` for a duration that is not an integer in 0..2147483647, and for any other invalid value.
 */
export function readShareInput(
  input: ShareInput,
  before: Omit<ShareTerms, 'passwordHash'>,
  { now, folder }: { now: Date; folder: boolean },
): RequestedTerms {
  const { expires, unit, password, slug, title, message, starts, maxDownloads, drop } = input
  const terms = {
    expire: expires === undefined || expires === null ? before.expire : endOf(readDuration(expires), { unit: unitOf(unit ?? ''), now }),
    starts: starts === undefined ? before.starts : readCount('starts', starts),
    password: password === undefined || password === null ? undefined : password.trim() || null,
    slug: slug === undefined ? before.slug : readSlug(slug.trim()),
    title: title === undefined ? before.title : readText('title', title, MAX_SHARE_TITLE_CHARS),
    message: message === undefined ? before.message : readText('message', message, MAX_SHARE_MESSAGE_CHARS),
    rights: input.rights ?? before.rights,
    maxDownloads: maxDownloads === undefined ? before.maxDownloads : readCount('maxDownloads', maxDownloads),
    logVisits: input.logVisits ?? before.logVisits,
    drop: drop === undefined ? before.drop : readDrop(drop),
  }
  if (!folder && (terms.rights === 'edit' || terms.rights === 'drop')) bad('rights: only a folder can be changed or filled')
  if (terms.expire !== 0 && terms.starts >= terms.expire) bad('starts: not before it ends')
  return terms
}

function endOf(duration: number, { unit, now }: { unit: ShareUnit; now: Date }): number {
  return duration === 0 ? 0 : Math.floor(now.getTime() / 1000) + duration * SHARE_UNIT_SECONDS[unit]
}

function readDuration(given: string | number): number {
  const text = String(given).trim()
  if (text === '') return 0
  const duration = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return duration <= MAX_SHARE_DURATION ? duration : bad(`expires: not a number of 0 to ${MAX_SHARE_DURATION}`)
}

function unitOf(text: string): ShareUnit {
  return SHARE_UNITS.find((unit) => unit === text) ?? 'hours'
}

function readSlug(slug: string): string {
  const problem = slug === '' ? null : slugProblem(slug)
  return problem === null ? slug : bad(`slug: ${problem}`)
}

function readText(field: string, given: string, most: number): string {
  const text = given.trim()
  return text.length <= most && text.isWellFormed() ? text : bad(`${field}: at most ${most} letters`)
}

function readCount(field: string, given: number): number {
  return Number.isInteger(given) && given >= 0 && given <= MAX_SHARE_COUNT
    ? given
    : bad(`${field}: not a number of 0 to ${MAX_SHARE_COUNT}`)
}

function readDrop({ maxFile, maxFiles, maxBytes, types }: DropTerms): DropTerms {
  const suffixes = [...new Set(types.map((type) => type.trim().replace(/^\./, '').toLowerCase()).filter((type) => type !== ''))]
  if (suffixes.length > MAX_SHARE_TYPES || !suffixes.every((type) => /^[a-z0-9]{1,16}$/.test(type)))
    bad(`drop.types: at most ${MAX_SHARE_TYPES} suffixes of letters and digits`)
  return {
    maxFile: readCount('drop.maxFile', maxFile),
    maxFiles: readCount('drop.maxFiles', maxFiles),
    maxBytes: readCount('drop.maxBytes', maxBytes),
    types: suffixes,
  }
}

function bad(issue: string): never {
  return fail('invalid-input', { issues: [issue] })
}
