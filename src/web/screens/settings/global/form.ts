import type { Settings, UserDefaults } from '../../../../shared/contract/settings.ts'

/** Events in order of occurrence. */
export const EVENTS = [
  'before_upload',
  'after_upload',
  'before_save',
  'after_save',
  'before_copy',
  'after_copy',
  'before_rename',
  'after_rename',
  'before_delete',
  'after_delete',
] as const
export type EventName = (typeof EVENTS)[number]

/** Settings as form values: text stays as typed until saved. */
export interface SettingsForm extends Omit<Settings, 'shell' | 'commands' | 'tus' | Numbered | 'defaults'> {
  /** One line, split at spaces. */
  shell: string
  /** One command per line. */
  commands: Readonly<Record<EventName, string>>
  /** `10 MB`, or a number of bytes. */
  chunkSize: string
  retryCount: string
  minimumPasswordLength: string
  activityDays: string
  trashDays: string
  trashShare: string
  versionDays: string
  versionShare: string
  defaults: Omit<UserDefaults, 'commands'> & { commands: string }
}

const UNITS = ['', 'K', 'M', 'G'] as const

export function formOf(stored: Settings): SettingsForm {
  const { shell, commands, tus, minimumPasswordLength, activityDays = 0, defaults, ...rest } = stored
  const { trashDays = 0, trashShare = 0, versionDays = 0, versionShare = 0, ...settings } = rest
  return {
    ...settings,
    shell: (shell ?? []).join(' '),
    commands: byEvent((event) => (commands?.[event] ?? []).join('\n')),
    chunkSize: sizeText(tus.chunkSize),
    retryCount: String(tus.retryCount),
    minimumPasswordLength: String(minimumPasswordLength),
    activityDays: String(activityDays),
    trashDays: String(trashDays),
    trashShare: String(trashShare),
    versionDays: String(versionDays),
    versionShare: String(versionShare),
    defaults: { ...defaults, commands: defaults.commands.join(' ') },
  }
}

/** The settings to save; invalid numbers become NaN, which `problemsOf` reports. */
export function settingsOf({
  shell,
  commands,
  chunkSize,
  retryCount,
  minimumPasswordLength,
  activityDays,
  trashDays,
  trashShare,
  versionDays,
  versionShare,
  defaults,
  ...form
}: SettingsForm): Settings {
  return {
    ...form,
    shell: wordsOf(shell),
    commands: byEvent((event) => linesOf(commands[event])),
    tus: { chunkSize: sizeOf(chunkSize), retryCount: countOf(retryCount) },
    minimumPasswordLength: countOf(minimumPasswordLength),
    activityDays: countOf(activityDays),
    trashDays: countOf(trashDays),
    trashShare: countOf(trashShare),
    versionDays: countOf(versionDays),
    versionShare: countOf(versionShare),
    defaults: { ...defaults, commands: wordsOf(defaults.commands) },
  }
}

type Numbered =
  | 'chunkSize'
  | 'retryCount'
  | 'minimumPasswordLength'
  | 'activityDays'
  | 'trashDays'
  | 'trashShare'
  | 'versionDays'
  | 'versionShare'

/** Fields with invalid text. */
export function problemsOf(form: SettingsForm): ReadonlySet<Numbered> {
  const problems = new Set<Numbered>()
  if (!(sizeOf(form.chunkSize) > 0)) problems.add('chunkSize')
  if (Number.isNaN(countOf(form.retryCount))) problems.add('retryCount')
  if (Number.isNaN(countOf(form.activityDays))) problems.add('activityDays')
  for (const days of ['trashDays', 'versionDays'] as const) if (Number.isNaN(countOf(form[days]))) problems.add(days)
  for (const share of ['trashShare', 'versionShare'] as const) if (!(countOf(form[share]) <= 100)) problems.add(share)
  if (!(countOf(form.minimumPasswordLength) > 0)) problems.add('minimumPasswordLength')
  return problems
}

/** Splits at spaces, dropping empty parts. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Splits at newlines, dropping empty lines. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Bytes of `10 MB`, `512KiB` or `1048576` (1 KB is 1024 bytes); NaN if invalid. */
export function sizeOf(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMG]?)(?:i?B)?$/i.exec(text.trim()) ?? []
  if (digits === '') return Number.NaN
  return Math.round(Number(digits) * 1024 ** UNITS.findIndex((one) => one === unit.toUpperCase()))
}

function sizeText(bytes: number): string {
  const power = UNITS.findLastIndex((_, at) => bytes > 0 && bytes % 1024 ** at === 0)
  return power < 1 ? String(bytes) : `${bytes / 1024 ** power} ${UNITS[power]}B`
}

function countOf(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN
}

function byEvent<T>(value: (event: EventName) => T): Record<EventName, T> {
  // EVENTS contains every event, so every key exists.
  return Object.fromEntries(EVENTS.map((event) => [event, value(event)])) as Record<EventName, T>
}
