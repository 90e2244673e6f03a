import { detailsOf } from '../../shared/audit-details.ts'
import { parseBytes, parseCount } from '../../shared/byte-amount.ts'
import type { Subject } from '../../shared/contract/groups.ts'
import { subjectFrom, subjectKey } from '../../shared/subject-key.ts'
import { ConfigError } from '../config/config-error.ts'
import { limitsText } from '../quotas/quotas.ts'
import type { Holding, QuotaLimits } from '../quotas/store.ts'
import type { AdminContext } from './admin-context.ts'
import { type Call, type Command, defineCommand, type Flag } from './command.ts'
import { SUBJECT_FLAGS, subjectOf } from './groups-commands.ts'
import { json, table, visible } from './print.ts'

const LIMIT_FLAGS: readonly Flag[] = [
  { name: 'bytes', kind: 'text', about: 'the most bytes, as 500M, 10G or 2T; none for no limit' },
  { name: 'files', kind: 'text', about: 'the most files and folders; none for no limit' },
]

export const QUOTAS_COMMANDS: readonly Command[] = [
  defineCommand('quotas ls', 'the quotas of accounts, groups and everybody, and how much of each is used', list),
  defineCommand('quotas set', 'limit what may lie in the folder of an account or in those of a group; what is not given stays', set, {
    flags: [...LIMIT_FLAGS, ...SUBJECT_FLAGS],
  }),
  defineCommand('quotas rm', 'take a quota away', remove, { flags: SUBJECT_FLAGS }),
]

interface Listed {
  readonly kind: Subject['kind']
  readonly id: number
  readonly name: string
  readonly bytes: number | null
  readonly files: number | null
  /** Null until a server has counted. */
  readonly usedBytes: number | null
  readonly usedFiles: number | null
}

async function list(call: Call): Promise<void> {
  const { quotas } = await call.openAdmin()
  const listed = (await Promise.all((await quotas.holding()).map((holding) => listedOf(quotas, holding)))).flat()
  if (call.json) return call.terminal.out(json(listed))
  call.terminal.out(table([['Of', 'ID', 'Name', 'Bytes', 'Used', 'Files', 'Used'], ...listed.map(rowOf)]))
}

async function listedOf(quotas: AdminContext['quotas'], { quota, reserved }: Holding): Promise<Listed[]> {
  const who = subjectFrom(quota.subject)
  const name = await quotas.nameOf(who)
  const { used, maxBytes, maxFiles } = quota
  const sum = used === null ? null : { bytes: used.bytes + reserved.bytes, files: used.files + reserved.files }
  if (name === null) return []
  return [{ ...who, name, bytes: maxBytes, files: maxFiles, usedBytes: sum?.bytes ?? null, usedFiles: sum?.files ?? null }]
}

function rowOf({ kind, id, name, bytes, files, usedBytes, usedFiles }: Listed): string[] {
  const text = (value: number | null, none: string) => (value === null ? none : String(value))
  return [
    kind,
    kind === 'everybody' ? '' : String(id),
    visible(name),
    text(bytes, 'no limit'),
    text(usedBytes, 'not counted'),
    text(files, 'no limit'),
    text(usedFiles, 'not counted'),
  ]
}

async function set(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const who = await subjectOf(call, admin)
  const before = await admin.quotas.find(subjectKey(who))
  const limits = {
    maxBytes: limitIn(call, 'bytes', before?.maxBytes ?? null, (text) => parseBytes(text, 'B')),
    maxFiles: limitIn(call, 'files', before?.maxFiles ?? null, parseCount),
  }
  if (!call.flags.has('bytes') && !call.flags.has('files')) throw new ConfigError('nothing to set was given; --bytes and --files can be')
  await write(admin, who, { before, limits })
  await list(call)
}

async function remove(call: Call): Promise<void> {
  const admin = await call.openAdmin()
  const who = await subjectOf(call, admin)
  const before = await admin.quotas.find(subjectKey(who))
  if (before === null) throw new ConfigError('there is no such quota; "satchel quotas ls" lists them')
  await write(admin, who, { before, limits: { maxBytes: null, maxFiles: null } })
  await list(call)
}

async function write(
  admin: AdminContext,
  who: Subject,
  { before, limits }: { before: QuotaLimits | null; limits: QuotaLimits },
): Promise<void> {
  await admin.quotas.set(subjectKey(who), limits)
  const details = detailsOf(limitsText(before), limitsText(limits))
  if (details.length > 0) admin.note({ kind: 'quota-changed', subject: (await admin.quotas.nameOf(who)) ?? '', details })
}

function limitIn(
  { flags }: Call,
  name: 'bytes' | 'files',
  before: number | null,
  parse: (text: string) => number | undefined,
): number | null {
  const given = flags.get(name)
  if (given === undefined) return before
  if (given === 'none') return null
  return parse(String(given)) ?? unclear(name, String(given))
}

function unclear(name: string, text: string): never {
  const example = name === 'bytes' ? '500M, 10G or none' : '1000 or none'
  throw new ConfigError(`--${name}: ${JSON.stringify(text)} is no limit; write ${example}`)
}
