import { Settings } from '../settings/settings.ts'
import type { Flag, FlagValues } from './command.ts'
import { withValue } from './records.ts'
import { applyFlags, DEFAULTS_FLAGS } from './user-flags.ts'

/** Names whose place in the settings differs from the command line. */
const PLACES: Readonly<Record<string, string>> = { 'auth.method': 'authMethod', 'auth.logoutPage': 'logoutPage' }
const DEFAULT_CAPTCHA_HOST = 'https://www.google.com'

const OWN_FLAGS: readonly Flag[] = [
  { name: 'signup', kind: 'switch', short: 's', about: 'people may make accounts themselves' },
  { name: 'hideLoginButton', kind: 'switch', about: 'no button to sign in on public pages' },
  { name: 'createUserDir', kind: 'switch', about: 'every new account gets a folder of its own' },
  { name: 'userHomeBasePath', kind: 'text', about: 'where these folders are made' },
  { name: 'minimumPasswordLength', kind: 'count', about: 'shortest password, in bytes' },
  { name: 'activityDays', kind: 'count', about: 'days for which sign-ins and administration are kept; 0 keeps none' },
  { name: 'activityAddresses', kind: 'switch', about: 'keep the addresses of clients with them' },
  { name: 'trashDays', kind: 'count', about: 'days for which deleted files can be restored; 0 deletes them at once' },
  { name: 'trashShare', kind: 'count', about: 'percent of a disk that its trash may take' },
  { name: 'versionDays', kind: 'count', about: 'days for which earlier contents of files are kept; 0 keeps none' },
  { name: 'versionShare', kind: 'count', about: 'percent of a disk that earlier contents may take' },
  { name: 'compatibility', kind: 'switch', about: 'clients other than our web need no fresh proof for sensitive changes' },
  { name: 'webdav', kind: 'switch', about: 'programs reach files by WebDAV at /dav/' },
  { name: 'secondFactorFor', kind: 'text', about: 'who must have a second factor: nobody, administrators or everybody' },
  { name: 'shell', kind: 'words', about: 'shell that runs commands, with its arguments' },
  { name: 'auth.method', kind: 'text', about: 'json, proxy, noauth or hook' },
  { name: 'auth.header', kind: 'text', about: 'proxy: the header that names who signs in' },
  { name: 'auth.command', kind: 'text', about: 'hook: the program that decides who signs in' },
  { name: 'auth.logoutPage', kind: 'text', about: 'where somebody goes after signing out' },
  { name: 'recaptcha.host', kind: 'text', about: `where the captcha comes from; ${DEFAULT_CAPTCHA_HOST} when not given` },
  { name: 'recaptcha.key', kind: 'text', about: 'site key of the captcha' },
  { name: 'recaptcha.secret', kind: 'text', about: 'secret of the captcha' },
  { name: 'mail.host', kind: 'text', about: 'SMTP server; without one, no mail is sent' },
  { name: 'mail.port', kind: 'count', about: 'port of the SMTP server' },
  { name: 'mail.security', kind: 'text', about: 'tls, starttls or none' },
  { name: 'mail.username', kind: 'text', about: 'user name at the SMTP server' },
  { name: 'mail.password', kind: 'text', about: 'password at the SMTP server' },
  { name: 'mail.from', kind: 'text', about: 'sender address of mails' },
  { name: 'mail.site', kind: 'text', about: 'where people reach this server, for links in mails' },
  { name: 'mail.reset', kind: 'switch', about: 'people who forget their password can ask for a link' },
  { name: 'mail.quotas', kind: 'switch', about: 'administrators are told of every quota that is nearly or completely used up' },
  { name: 'branding.name', kind: 'text', about: 'site name' },
  { name: 'branding.files', kind: 'text', about: 'absolute path of the folder with logo and style sheet' },
  { name: 'branding.theme', kind: 'text', about: 'light, dark or system' },
  { name: 'branding.color', kind: 'text', about: 'browser toolbar colour' },
  { name: 'branding.disableExternal', kind: 'switch', about: 'hide links to the project' },
  { name: 'branding.disableUsedPercentage', kind: 'switch', about: 'hide storage usage' },
  { name: 'tus.chunkSize', kind: 'count', about: 'bytes of one part of an upload' },
  { name: 'tus.retryCount', kind: 'count', about: 'how often a part is tried again' },
]

/** Accepted for compatibility with the predecessor. */
const IDLE_FLAGS: readonly Flag[] = [
  { name: 'fileMode', kind: 'text', about: 'accepted without effect' },
  { name: 'dirMode', kind: 'text', about: 'accepted without effect' },
  { name: 'lockPassword', kind: 'switch', about: 'accepted without effect: new accounts begin unlocked' },
]

/** Flags of `config set` and `config init`, including the defaults of new accounts. */
export const CONFIG_FLAGS: readonly Flag[] = [...OWN_FLAGS, ...DEFAULTS_FLAGS, ...IDLE_FLAGS]

export function idleIn(flags: FlagValues): string[] {
  return IDLE_FLAGS.map(({ name }) => name).filter((name) => flags.has(name))
}

export function saysSomething(flags: FlagValues): boolean {
  return CONFIG_FLAGS.some(({ name }) => flags.has(name))
}

/** The settings with the flags applied. Throws zod's error for an invalid value. */
export function settingsWith(before: Settings, flags: FlagValues): Settings {
  let changed: Record<string, unknown> = { ...before, defaults: applyFlags(before.defaults, flags, DEFAULTS_FLAGS) }
  for (const { name } of OWN_FLAGS) {
    const value = flags.get(name)
    if (value === undefined) continue
    if (name.startsWith('recaptcha.')) changed = { recaptcha: { host: DEFAULT_CAPTCHA_HOST, key: '', secret: '' }, ...withoutNull(changed) }
    changed = withValue(changed, PLACES[name] ?? name, value)
  }
  return Settings.parse(changed)
}

/** Null would replace a default. */
function withoutNull(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}
