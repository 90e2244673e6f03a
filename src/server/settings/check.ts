import type { SettingsChange } from '../../shared/contract/settings.ts'
import type { Rule } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import { checkRule } from '../../shared/rules.ts'
import { Hooks } from './settings.ts'

/** Each rule is checked for every visible path. */
const MAX_RULES = 1000
const MAX_NAME_CHARS = 255
/** A CSS colour, without anything that could load a resource or end the declaration. */
const COLOR = /^(#[0-9a-f]{3,8}|[a-z]{1,30}|(rgba?|hsla?|hwb|(ok)?lab|(ok)?lch)\([\d\s.,%/+a-z-]{1,64}\))?$/i
const MAX_CHUNK_BYTES = 1024 ** 3
const MAX_RETRIES = 100
const MAX_ACTIVITY_DAYS = 3650
const MAX_TRASH_DAYS = 3650
const MAX_VERSION_DAYS = 3650

/** Validates an administrator's changes. Fails with `invalid-input` and a list of all issues. */
export async function checkSettings(wanted: SettingsChange, isFolder: (path: string) => Promise<boolean>): Promise<void> {
  const { branding, tus, minimumPasswordLength: least } = wanted
  const issues = [
    ...ruleIssues(wanted.rules ?? [], 'rules'),
    ...Object.keys(wanted.commands ?? {})
      .filter((event) => !Object.hasOwn(Hooks.shape, event))
      .map((event) => `commands: no event is called ${JSON.stringify(event)}`),
    ...unless(branding.name.length <= MAX_NAME_CHARS, `branding.name: longer than ${MAX_NAME_CHARS} characters`),
    ...unless(COLOR.test(branding.color), 'branding.color: no colour'),
    ...unless(branding.files === '' || (await isFolder(branding.files)), 'branding.files: not the absolute path of a folder'),
    ...unless(isCount(least, 1024), 'minimumPasswordLength: not a number from 1 to 1024'),
    ...unless(isCount(tus.chunkSize, MAX_CHUNK_BYTES), `tus.chunkSize: not a number of bytes up to ${MAX_CHUNK_BYTES}`),
    ...unless(isCount(tus.retryCount, MAX_RETRIES), `tus.retryCount: not a number from 0 to ${MAX_RETRIES}`),
    ...unless(isCount(wanted.activityDays ?? 0, MAX_ACTIVITY_DAYS), `activityDays: not a number from 0 to ${MAX_ACTIVITY_DAYS}`),
    ...unless(isCount(wanted.trashDays ?? 0, MAX_TRASH_DAYS), `trashDays: not a number from 0 to ${MAX_TRASH_DAYS}`),
    ...unless(isCount((wanted.trashShare ?? 1) - 1, 99), 'trashShare: not a number from 1 to 100'),
    ...unless(isCount(wanted.versionDays ?? 0, MAX_VERSION_DAYS), `versionDays: not a number from 0 to ${MAX_VERSION_DAYS}`),
    ...unless(isCount((wanted.versionShare ?? 1) - 1, 99), 'versionShare: not a number from 1 to 100'),
    ...unless(!wanted.userHomeBasePath.includes('\0') && !wanted.defaults.scope.includes('\0'), 'a path must not hold NUL'),
    ...unless(mayShare(wanted), 'permission to share requires permission to download'),
  ]
  if (issues.length > 0) fail('invalid-input', { issues })
}

/** Why rules cannot be saved, each with its position in the list. */
export function ruleIssues(rules: readonly Rule[], name: string): string[] {
  return [...issueOfEachRule(rules, name)].filter((issue) => issue !== null)
}

/** The same, rule by rule, for callers that let others run between them: compiling a pattern takes milliseconds. */
export function* issueOfEachRule(rules: readonly Rule[], name: string): Generator<string | null> {
  if (rules.length > MAX_RULES) return yield `${name}: more than ${MAX_RULES}`
  for (const [at, rule] of rules.entries()) {
    const issue = checkRule(rule)
    yield issue === null ? null : `${name}.${at}: ${issue}`
  }
}

function mayShare({ defaults: { perm } }: SettingsChange): boolean {
  return perm.admin === true || perm.download === true || perm.share !== true
}

function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most
}

function unless(fine: boolean, issue: string): string[] {
  return fine ? [] : [issue]
}
