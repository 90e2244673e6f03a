import type { PeopleShare, PeopleShareChange } from '../../shared/contract/people-shares.ts'
import type { ShareChange, ShareRights } from '../../shared/contract/shares.ts'
import { fail } from '../../shared/errors.ts'

/** Parameters by name, of a form or of JSON. */
export interface ShareForm {
  get(name: string): string | null
}

/** Kinds of shares by their numbers in the protocol. */
export const TYPES = { user: 0, group: 1, link: 3 } as const

const READ = 1
const UPDATE = 2
const CREATE = 4
const DELETE = 8
const WRITE = UPDATE | CREATE | DELETE

/** The most that a link has of what is asked for, never more; null if nothing is asked. */
export function linkRights(form: ShareForm, { folder }: { folder: boolean }): ShareRights | null {
  const hidden = form.get('hideDownload')
  if (hidden === 'true' || hidden === '1') return 'view'
  const asked = permissionsIn(form, { folder })
  if (asked === null) return hidden === null ? null : 'download'
  if (!folder) return 'download'
  if ((asked & READ) === 0) return (asked & CREATE) === 0 ? refuse('permissions: nothing') : 'drop'
  return (asked & WRITE) === WRITE ? 'edit' : 'download'
}

/** The most that a role has of what is asked for, never more; null if nothing is asked. */
export function shareRole(form: ShareForm, { folder }: { folder: boolean }): PeopleShare['role'] | null {
  const asked = permissionsIn(form, { folder })
  if (asked === null) return null
  if ((asked & READ) === 0) refuse('permissions: nothing that can be read')
  if (!folder) return (asked & UPDATE) === 0 ? 'viewer' : 'editor'
  if ((asked & WRITE) === WRITE) return 'editor'
  return (asked & CREATE) === 0 ? 'viewer' : 'contributor'
}

/** What a share lets others do, as bits of the protocol. */
export function permissionsOf(rights: ShareRights | PeopleShare['role'], { folder }: { folder: boolean }): number {
  if (rights === 'drop') return CREATE
  if (rights === 'contributor') return folder ? READ | CREATE : READ
  if (rights === 'edit' || rights === 'editor') return folder ? READ | WRITE : READ | UPDATE
  return READ
}

function permissionsIn(form: ShareForm, { folder }: { folder: boolean }): number | null {
  const sent = form.get('permissions')
  if (sent !== null && sent !== '') return /^\d{1,3}$/.test(sent) ? Number(sent) : refuse('permissions: not a number')
  const upload = form.get('publicUpload')
  if (upload === null) return null
  return folder && upload === 'true' ? READ | WRITE : READ
}

/** Terms of a link besides its rights. */
export function linkChange(form: ShareForm, { now }: { now: Date }): Omit<ShareChange, 'rights'> {
  const password = form.get('password')
  const end = endIn(form)
  const note = form.get('note')
  const label = form.get('label') ?? form.get('name')
  return {
    ...(password !== null && { password }),
    ...(end !== null && { expires: end === 0 ? 0 : secondsUntil(end, now), unit: 'seconds' }),
    ...(note !== null && { message: note }),
    ...(label !== null && { title: label }),
  }
}

/** Terms of a share with people besides its role. */
export function peopleChange(form: ShareForm): Omit<PeopleShareChange, 'role'> {
  const end = endIn(form)
  const note = form.get('note')
  return { ...(end !== null && { expire: end }), ...(note !== null && { message: note }) }
}

/** Seconds since 1970: the end of a day; 0 for no end, and null if nothing is said. */
function endIn(form: ShareForm): number | null {
  const sent = form.get('expireDate')
  if (sent === null) return null
  if (sent === '') return 0
  const [day = ''] = /^\d{4}-\d{2}-\d{2}/.exec(sent) ?? []
  const end = Date.parse(`${day}T23:59:59Z`)
  return Number.isNaN(end) ? refuse('expireDate: not a day') : Math.floor(end / 1000)
}

function secondsUntil(end: number, now: Date): number {
  const left = end - Math.floor(now.getTime() / 1000)
  return left > 0 ? left : refuse('expireDate: in the past')
}

function refuse(issue: string): never {
  return fail('invalid-input', { issues: [issue] })
}
