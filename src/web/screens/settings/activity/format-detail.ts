import { AUDIT_KINDS, type AuditDetail, type AuditKind } from '../../../../shared/contract/audit.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import {
  asIs,
  bytes,
  claim,
  count,
  factor,
  isEvent,
  isRight,
  isRoleName,
  list,
  mayDo,
  method,
  moment,
  noOrYes,
  onOrOff,
  number,
  problem,
  rights,
  role,
  rules,
  type FormatValue,
  theme,
  view,
  webhook,
  yesOrNo,
} from './format-values.ts'

/** A changed value, localised. */
export interface FormattedDetail {
  /** Label of the field; null if unknown (then its recorded name is used). */
  readonly label: string | null
  /** Null if there was no value, or it is not recorded. */
  readonly before: string | null
  readonly after: string | null
}

/** Localises a detail; unknown fields stay as recorded. */
export function formatDetail({ place, before, after }: AuditDetail): FormattedDetail {
  // Rights of a link, or of a role on a folder.
  const isRole = place === 'rights' && isRoleName(after ?? before)
  const [label, say] = wordsOf(isRole ? 'role' : place)
  const said = (value: string | null): string | null => (value === null ? null : say(value))
  return { label, before: said(before), after: said(after) }
}

export function isKnown(kind: string): kind is AuditKind {
  return AUDIT_KINDS.some((known) => known === kind)
}

/** Makes an identifier readable: `user-moved` → `user moved`. */
export function humanize(word: string): string {
  return word.replaceAll('-', ' ')
}

function wordsOf(place: string): [label: string | null, say: FormatValue] {
  const known = WORDS.get(place)
  if (known !== undefined) return [t(known[0]), known[1] ?? asIs]
  const [, group, rest] = /^(commands|defaults\.perm|defaults)\.(.+)$/.exec(place) ?? []
  if (group === 'commands' && rest !== undefined && isEvent(rest)) return [t(`global.event.${rest}`), count]
  if (group === 'defaults.perm' && rest !== undefined && isRight(rest)) return [ofDefaults(t(`perm.${rest}`)), yesOrNo]
  if (group === 'defaults' && rest !== undefined) {
    const [label, say] = wordsOf(rest)
    return [label && ofDefaults(label), say]
  }
  return [null, asIs]
}

function ofDefaults(label: string): string {
  return `${t('global.defaults')}: ${label}`
}

/** Limits of a file request, recorded as JSON. */
const parts: FormatValue = (value) => {
  const record = recordFrom(value)
  if (record === null) return value
  const limits = Object.entries(record).map(([name, limit]) => ({ place: `drop.${name}`, after: JSON.stringify(limit) }))
  return limits
    .filter(({ after }) => after !== '0' && after !== '[]')
    .map(({ place, after }) => {
      const [label, say] = wordsOf(place)
      return `${label ?? place}: ${say(after)}`
    })
    .join('; ')
}

function recordFrom(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    // Truncated by the log because of its length.
    return null
  }
}

const WORDS: ReadonlyMap<string, readonly [label: MessageKey, say?: FormatValue]> = new Map<string, readonly [MessageKey, FormatValue?]>([
  // User.
  ['username', ['user.username']],
  ['password', ['user.password']],
  ['scope', ['user.reach']],
  ['perm', ['user.permissions', rights]],
  ['rules', ['user.rules', rules]],
  ['commands', ['user.commands', list]],
  ['lockPassword', ['user.lock-password', yesOrNo]],
  ['disabled', ['user.enabled', noOrYes]],
  ['webdavDisabled', ['user.webdav', noOrYes]],
  ['webdav', ['global.webdav', yesOrNo]],
  ['locale', ['user.language']],
  ['hideDotfiles', ['global.defaults.hide-dotfiles', yesOrNo]],
  ['singleClick', ['global.defaults.single-click', yesOrNo]],
  ['viewMode', ['global.defaults.view', view]],
  // Session.
  ['method', ['activity.method', method]],
  ['device', ['activity.device']],
  ['everywhere', ['settings.devices.everywhere']],
  // API tokens.
  ['token', ['activity.token']],
  ['folder', ['tokens.folder']],
  ['expires', ['tokens.expires', moment]],
  ['user', ['title.user']],
  ['mail', ['mail.address']],
  // Second factors.
  ['second', ['activity.second', factor]],
  ['totp', ['factors.totp', onOrOff]],
  ['passkey', ['factors.passkey.first']],
  ['recovery', ['factors.codes.renew']],
  ['everything', ['activity.everything']],
  // Groups, roles and quotas.
  ['group', ['users.group']],
  ['member', ['groups.members']],
  ['role', ['access.role', role]],
  ['bytes', ['quota.title', bytes]],
  ['files', ['quota.files', number]],
  // Sign-in providers.
  ['provider', ['signin.links.provider', problem]],
  ['name', ['files.column.name']],
  ['enabled', ['signin.enabled', yesOrNo]],
  ['issuer', ['signin.issuer']],
  ['clientId', ['signin.client-id']],
  ['clientSecret', ['signin.client-secret']],
  ['scopes', ['signin.scopes', list]],
  ['usernameClaim', ['signin.username-claim']],
  ['allow', ['signin.allow', claim]],
  ['admin', ['signin.admin', claim]],
  ['secondFactor', ['signin.second-factor', yesOrNo]],
  ['create', ['signin.create', yesOrNo]],
  ['endSession', ['signin.end-session', yesOrNo]],
  // Settings.
  ['signup', ['global.signup', yesOrNo]],
  ['hideLoginButton', ['global.hide-login', yesOrNo]],
  ['createUserDir', ['global.create-home', yesOrNo]],
  ['userHomeBasePath', ['global.home-base']],
  ['minimumPasswordLength', ['global.password-length', number]],
  ['shell', ['global.shell', list]],
  ['activityDays', ['global.activity-days', number]],
  ['activityAddresses', ['global.activity-addresses', yesOrNo]],
  ['tus.chunkSize', ['global.chunk-size', bytes]],
  ['tus.retryCount', ['global.retries', number]],
  ['branding.name', ['global.name']],
  ['branding.theme', ['global.theme', theme]],
  ['branding.color', ['global.colour']],
  ['branding.files', ['global.branding-files']],
  ['branding.disableExternal', ['global.no-external', yesOrNo]],
  ['branding.disableUsedPercentage', ['global.no-usage', yesOrNo]],
  // Webhook.
  ['webhook', ['webhooks.events', webhook]],
  ['secret', ['webhooks.renew']],
  // Share.
  ['expire', ['activity.ends', moment]],
  ['protected', ['share.protected', yesOrNo]],
  ['rights', ['share.rights', mayDo]],
  ['starts', ['share.starts', moment]],
  ['maxDownloads', ['share.downloads', number]],
  ['logVisits', ['share.log', yesOrNo]],
  ['title', ['share.caption']],
  ['drop', ['share.more', parts]],
  ['drop.maxFiles', ['share.drop.files', number]],
  ['drop.maxFile', ['activity.drop.file', bytes]],
  ['drop.maxBytes', ['activity.drop.all', bytes]],
  ['drop.types', ['share.drop.types', list]],
  // Trash and versions.
  ['count', ['activity.items', number]],
  ['all', ['trash.everyone', yesOrNo]],
  ['deletedBy', ['activity.deleted-by']],
  ['modified', ['files.column.modified', moment]],
  // Any.
  ['import', ['activity.import']],
])
