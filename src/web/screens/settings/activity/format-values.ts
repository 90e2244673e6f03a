import { ClaimValues, SIGN_IN_PROBLEMS, type SignInProblem } from '../../../../shared/contract/providers.ts'
import type { Permissions } from '../../../../shared/contract/users.ts'
import { formatMoment, formatNumber, formatWholeBytes } from '../../../i18n/format.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'

/** Formats a recorded value; unexpected values are returned unchanged. */
export type FormatValue = (value: string) => string

export const asIs: FormatValue = (value) => value
export const number: FormatValue = (value) => (/^\d{1,15}$/.test(value) ? plain(formatNumber(Number(value))) : value)
export const bytes: FormatValue = (value) => (/^\d{1,15}$/.test(value) ? plain(formatWholeBytes(Number(value))) : value)
export const count: FormatValue = (value) => (/^\d{1,9}$/.test(value) ? t('global.runner.count', { count: Number(value) }) : value)
export const yesOrNo: FormatValue = (value) => (value === 'true' ? t('users.admin.yes') : value === 'false' ? t('users.admin.no') : value)
export const noOrYes: FormatValue = (value) => yesOrNo(value === 'true' ? 'false' : value === 'false' ? 'true' : value)
export const onOrOff: FormatValue = (value) => (value === 'on' ? t('factors.on') : value)
export const moment: FormatValue = (value) => {
  if (value === 'permanent' || value === 'never') return t('share.permanent')
  const seconds = /^\d+ s$/.test(value) ? Number.parseInt(value, 10) : Date.parse(value) / 1000
  return Number.isNaN(seconds) ? value : plain(formatMoment(seconds))
}
/** A JSON array. */
export const list: FormatValue = (value) => {
  const items = /^\[.*\]$/s.test(value) ? value.slice(1, -1).match(/"(?:[^"\\]|\\.)*"/g) : null
  return items === null ? (value === '[]' ? '' : value) : items.map((item) => String(JSON.parse(item))).join(' ')
}
/** Space-separated permission names. */
export const rights: FormatValue = (value) => words(value, (name) => (isRight(name) ? t(`perm.${name}`) : name))
/** `deny /private; allow expression \.txt$`. */
export const rules: FormatValue = (value) =>
  value
    .split('; ')
    .map((rule) => {
      const [, verdict, pattern, what] = /^(allow|deny) (expression )?(.*)$/s.exec(rule) ?? []
      if (verdict === undefined || what === undefined) return rule
      const kind = pattern === undefined ? '' : `${t('rules.pattern')} `
      return `${t(verdict === 'allow' ? 'rules.allow' : 'rules.deny')}: ${kind}${what}`
    })
    .join('; ')
/** `after_upload after_delete to hooks.example`, or `off to hooks.example`. */
export const webhook: FormatValue = (value) => {
  const [, events = '', host] = /^(.*) to (\S+)$/s.exec(value) ?? []
  if (host === undefined) return value
  return events === 'off' ? t('webhooks.off') : words(events, (name) => (isEvent(name) ? t(`global.event.${name}`) : name))
}
export const method: FormatValue = (value) => {
  if (value === 'json') return t('user.password')
  if (value === 'passkey') return t('factors.passkey.first')
  if (value.startsWith('oidc ')) return t('activity.provider', { name: value.slice('oidc '.length) })
  return value === 'proxy' || value === 'hook' || value === 'noauth' ? t(`activity.method.${value}`) : value
}
/** A second factor, or what stands for one. */
export const factor: FormatValue = (value) => {
  const known = FACTORS.get(value)
  return known === undefined ? value : t(known)
}
/** Why a sign-in through a provider failed, or the provider's address. */
export const problem: FormatValue = (value) =>
  SIGN_IN_PROBLEMS.some((known) => known === value) ? t(`signin.problem.${value as SignInProblem}`) : value
/** `{"claim":"groups","values":["staff"]}`. */
export const claim: FormatValue = (value) => {
  const read = ClaimValues.safeParse(jsonFrom(value))
  if (!read.success) return value
  return read.data.values.length === 0 ? '' : `${read.data.claim}: ${read.data.values.join(', ')}`
}
/** A role, or single rights. */
export const role: FormatValue = (value) => (isRoleName(value) ? t(`role.${value}`) : rights(value))
export const mayDo: FormatValue = (value) =>
  value === 'view' || value === 'download' || value === 'edit' || value === 'drop' ? t(`share.rights.${value}`) : value
export const theme: FormatValue = (value) =>
  value === '' ? t('frame.theme.light') : value === 'light' || value === 'dark' || value === 'system' ? t(`frame.theme.${value}`) : value
export const view: FormatValue = (value) => (value === 'list' || value === 'mosaic' ? t(`files.view.${value}`) : value)

const FACTORS: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ['totp', 'factors.totp'],
  ['passkey', 'factors.passkey.first'],
  ['recovery', 'factors.codes'],
  ['device', 'factors.devices'],
])

const ROLE_NAMES = ['viewer', 'contributor', 'editor', 'manager', 'uploader', 'none'] as const

export function isRoleName(name: string | null): name is (typeof ROLE_NAMES)[number] {
  return ROLE_NAMES.some((known) => known === name)
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Truncated by the log because of its length.
    return null
  }
}

function words(text: string, say: FormatValue): string {
  return text.split(' ').filter(Boolean).map(say).join(', ')
}

const RIGHTS = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const satisfies (keyof Permissions)[]

export function isRight(name: string): name is keyof Permissions {
  return RIGHTS.some((right) => right === name)
}

const EVENTS = ['copy', 'delete', 'rename', 'save', 'upload'] as const
type HookEvent = `${'before' | 'after'}_${(typeof EVENTS)[number]}`

export function isEvent(name: string): name is HookEvent {
  return EVENTS.some((event) => name === `before_${event}` || name === `after_${event}`)
}

/** Removes directional marks of Arabic dates, which would be shown escaped. */
function plain(text: string): string {
  return text.replaceAll(/[\u200e\u200f\u061c]/g, '')
}
