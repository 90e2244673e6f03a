import type { Share, ShareChange, ShareRights } from '../../shared/contract/shares.ts'
import { MAX_SHARE_COUNT, MAX_SHARE_MESSAGE_CHARS, MAX_SHARE_TITLE_CHARS } from '../../shared/limits.ts'
import { slugProblem } from '../../shared/share-slug.ts'

/** Options of a link as form values. */
export interface ShareDraft {
  readonly title: string
  readonly message: string
  readonly slug: string
  readonly rights: ShareRights
  /** Local date and time; empty for immediately. */
  readonly starts: string
  readonly maxDownloads: string
  readonly logVisits: boolean
  readonly maxFiles: string
  /** In megabytes, possibly fractional. */
  readonly maxFile: string
  readonly maxBytes: string
  /** File extensions separated by commas or spaces. */
  readonly types: string
}

const MEGABYTE = 1024 * 1024

type Known = Omit<Share, 'hash' | 'path' | 'userID' | 'expire' | 'hasPassword' | 'downloads' | 'received' | 'broken' | 'inTrash'>

const PLAIN: Known = {
  slug: '',
  title: '',
  message: '',
  rights: 'download',
  starts: 0,
  maxDownloads: 0,
  logVisits: true,
  drop: { maxFile: 0, maxFiles: 0, maxBytes: 0, types: [] },
}

export function draftOf({ slug, title, message, rights, starts, maxDownloads, logVisits, drop }: Known = PLAIN): ShareDraft {
  const amount = (value: number): string => (value === 0 ? '' : String(value))
  return {
    slug,
    title,
    message,
    rights,
    logVisits,
    starts: starts === 0 ? '' : localMinute(new Date(starts * 1000)),
    maxDownloads: amount(maxDownloads),
    maxFiles: amount(drop.maxFiles),
    maxFile: amount(drop.maxFile / MEGABYTE),
    maxBytes: amount(drop.maxBytes / MEGABYTE),
    types: drop.types.join(', '),
  }
}

export type DraftProblem = 'slug-form' | 'slug-reserved' | 'count' | 'size' | 'types' | 'long'

/** Validation errors by field. */
export function problemsOf(draft: ShareDraft): Partial<Record<keyof ShareDraft, DraftProblem>> {
  const slug = draft.slug.trim()
  const slugged = slug === '' ? null : slugProblem(slug)
  return {
    ...(slugged !== null && { slug: `slug-${slugged}` as const }),
    ...(draft.title.trim().length > MAX_SHARE_TITLE_CHARS && { title: 'long' as const }),
    ...(draft.message.trim().length > MAX_SHARE_MESSAGE_CHARS && { message: 'long' as const }),
    ...(!isCount(draft.maxDownloads) && { maxDownloads: 'count' as const }),
    ...(!isCount(draft.maxFiles) && { maxFiles: 'count' as const }),
    ...(bytesOf(draft.maxFile) === null && { maxFile: 'size' as const }),
    ...(bytesOf(draft.maxBytes) === null && { maxBytes: 'size' as const }),
    ...(!typesOf(draft.types).every((type) => /^[a-z0-9]{1,16}$/.test(type)) && { types: 'types' as const }),
  }
}

/** Options that differ from the saved link. */
export function changesIn(draft: ShareDraft, before: Known = PLAIN): Omit<ShareChange, 'password' | 'expires' | 'unit'> {
  const old = draftOf(before)
  const { slug, title, message, rights, logVisits } = draft
  const changed = (...fields: (keyof ShareDraft)[]): boolean => fields.some((field) => draft[field] !== old[field])
  return {
    ...(changed('slug') && { slug: slug.trim() }),
    ...(changed('title') && { title: title.trim() }),
    ...(changed('message') && { message: message.trim() }),
    ...(changed('rights') && { rights }),
    ...(changed('logVisits') && { logVisits }),
    ...(changed('starts') && { starts: draft.starts === '' ? 0 : Math.floor(Date.parse(draft.starts) / 1000) }),
    ...(changed('maxDownloads') && { maxDownloads: Number(draft.maxDownloads) }),
    ...(changed('maxFile', 'maxFiles', 'maxBytes', 'types') && {
      drop: {
        maxFile: bytesOf(draft.maxFile) ?? 0,
        maxFiles: Number(draft.maxFiles),
        maxBytes: bytesOf(draft.maxBytes) ?? 0,
        types: typesOf(draft.types),
      },
    }),
  }
}

function isCount(typed: string): boolean {
  return /^\d*$/.test(typed.trim()) && Number(typed) <= MAX_SHARE_COUNT
}

/** Bytes of megabytes as typed, with a point or a comma; null if invalid. */
function bytesOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.')
  if (text === '') return 0
  const bytes = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * MEGABYTE) : Number.NaN
  return bytes <= MAX_SHARE_COUNT ? bytes : null
}

function typesOf(typed: string): string[] {
  return typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((type) => type.replace(/^\*?\./, ''))
    .filter((type) => type !== '')
}

function localMinute(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
