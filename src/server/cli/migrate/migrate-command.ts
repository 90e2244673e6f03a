import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { isPostgres } from '../../config/database-location.ts'
import { foreignProblem } from '../../db/foreign.ts'
import { isFolder } from '../../settings/is-folder.ts'
import type { Settings } from '../../settings/settings.ts'
import { importShares, shareNames } from '../../shares/import-shares.ts'
import { isUnused } from '../../users/first-minute.ts'
import { conflictsOf, importAccounts, type ImportedAccount } from '../../users/import-accounts.ts'
import type { Account } from '../../users/account.ts'
import { usernameKey } from '../../users/username.ts'
import type { AdminContext } from '../admin-context.ts'
import { defineCommand, type Call, type ServerSettings } from '../command.ts'
import { WRITE_CONFIG } from '../config-commands.ts'
import { FROM_FILE, refuseServed } from '../import-export.ts'
import { importedSettings, placeOptions } from '../imported-settings.ts'
import { json } from '../print.ts'
import { readScope } from '../scopes.ts'
import { serverOptions } from '../server-block.ts'
import { checkWritable, writeServerOptions } from '../server-options.ts'
import { readUserRecords } from '../user-records.ts'
import { giveMarks } from './give-marks.ts'
import { readLinks } from './links.ts'
import type { OldDatabase } from './old-database.ts'
import { quantumScope } from './quantum.ts'
import { readOldDatabase } from './read-old.ts'
import { cut, type Report, reportLines } from './report.ts'
import { wrongRootProblem } from './wrong-root-problem.ts'

/** So many reasons why nothing was moved are shown. */
const MOST_PROBLEMS = 20

export const MIGRATE_COMMAND = defineCommand(
  'migrate <filebrowser.db>',
  'move accounts, settings and links of File Browser or FileBrowser Quantum here; its database is only read',
  migrate,
  {
    flags: [
      { name: 'dry-run', kind: 'switch', about: 'say what would be moved, and change nothing' },
      { name: 'overwrite', kind: 'switch', about: 'settings, and accounts whose id is there already, become the old ones' },
      { name: 'old-root', kind: 'text', about: 'the folder that File Browser served, where its database does not say so' },
      { name: 'quantum-config', kind: 'text', about: 'the config.yaml of FileBrowser Quantum, which has its settings and sources' },
      { name: 'source', kind: 'text', about: 'the source of FileBrowser Quantum that is served here, by name or path' },
      { name: 'report', kind: 'text', about: 'a file for the whole report, where the terminal shows the beginning of long lists' },
      WRITE_CONFIG,
    ],
    settings: withOwnDatabase,
  },
)

/** Where the old server was started, its configuration is found, which names the old database. */
function withOwnDatabase(given: ServerSettings, sources: Call['sources']): ServerSettings {
  const isOld = sources.get('database')?.[0]?.from !== 'flag' && !isPostgres(given.database) && foreignProblem(given.database) !== null
  return isOld ? { ...given, database: ownDatabase(given.dataDir) } : given
}

function ownDatabase(dataDir: string): string {
  return join(dataDir, 'satchel.db')
}

/** Everything that is read and checked before anything is written. */
interface Plan {
  readonly settings: Settings | null
  readonly accounts: readonly ImportedAccount[]
  /** Ids that are here. */
  readonly presentIds: ReadonlySet<number>
  readonly keptAccounts: readonly string[]
  readonly links: Awaited<ReturnType<typeof readLinks>>
  readonly doubt: string | null
  readonly notes: readonly string[]
}

async function migrate(call: Call): Promise<void> {
  const { args, cwd, flags, terminal } = call
  const [dryRun, overwrite] = [flags.get('dry-run') === true, flags.get('overwrite') === true]
  const target = flags.get('write-config')
  if (target !== undefined) checkWritable(String(target), cwd)
  const reportFile = flags.has('report') ? resolve(cwd, String(flags.get('report'))) : null
  if (reportFile !== null) {
    refuseServed(reportFile, call.serverSettings.root)
    if (!(await isFolder(dirname(reportFile)))) throw new ConfigError(`there is no folder ${dirname(reportFile)}`)
  }
  const isFirst = await call.isFirstStart(call.serverSettings)
  // A trial makes no database, and neither does a move that is refused.
  const admin = isFirst ? null : await call.openAdmin()
  const all = (await admin?.users.all()) ?? []
  const isFresh = admin !== null && isUnused(all, await admin.settings())
  const present = isFresh ? [] : all
  const [config, source] = [flags.get('quantum-config'), flags.get('source')]
  const old = readOldDatabase(resolve(cwd, args[0] ?? ''), {
    config: config === undefined ? null : resolve(cwd, String(config)),
    source: source === undefined ? null : String(source),
    root: isRootNamed(call) ? call.serverSettings.root : null,
    present,
  })
  const { options: given, notes } = serverOptions(old.server)
  const options = new Map([
    ...given,
    ...(isRootNamed(call) ? [['root', call.serverSettings.root] as const] : []),
    ...(hasOwnDatabase(call) ? [['database', call.serverSettings.database] as const] : []),
  ])
  const plan = await planOf(call, old, { admin, present, takesSettings: present.length === 0 || overwrite, overwrite, make: !dryRun })
  if (!dryRun) await carryOut(plan, admin ?? (await call.openAdmin({ create: true })), { overwrite, replace: isFresh })
  const named = (isHere: boolean) => plan.accounts.filter(({ id }) => plan.presentIds.has(id) === isHere).map(({ username }) => username)
  const report: Report = {
    doubt: plan.doubt,
    settings: plan.settings !== null,
    accounts: { added: named(false), overwrote: named(true), kept: plan.keptAccounts },
    links: {
      added: plan.links.found.length,
      kept: plan.links.kept,
      ended: plan.links.ended,
      leftOut: [...plan.links.leftOut, ...old.leftOut],
      closed: plan.links.closed,
    },
    notes: [...(isFresh ? all.map(replaced) : []), ...plan.notes, ...old.notes, ...(plan.settings === null ? [] : notes)],
  }
  if (reportFile !== null) await writeReport(reportFile, reportLines(report, { whole: true }))
  if (call.json) {
    if (!dryRun && target !== undefined) writeServerOptions(String(target), options, cwd)
    return terminal.out(json({ dryRun, ...report, options: Object.fromEntries(options) }))
  }
  if (dryRun) terminal.out('a trial: nothing was changed')
  for (const line of reportLines(report, { whole: false })) terminal.out(line)
  if (!dryRun) placeOptions(call, options, target === undefined ? null : String(target))
}

function replaced({ username }: Account): string {
  return `the administrator ${JSON.stringify(username)} of the first start, whose printed password nobody has used, makes room for the old accounts`
}

interface PlanOptions {
  /** Null where there are no accounts yet. */
  readonly admin: AdminContext | null
  readonly present: readonly Account[]
  readonly takesSettings: boolean
  readonly overwrite: boolean
  readonly make: boolean
}

/** Throws `ConfigError` for whatever prevents the move. */
async function planOf(call: Call, old: OldDatabase, { admin, present, takesSettings, overwrite, make }: PlanOptions): Promise<Plan> {
  const { root, oldRoot } = rootsOf(call, old)
  const { records, notes, problems } = readUserRecords(old.users, (scope, generation) =>
    old.product === 'File Browser' ? readScope(scope, { root, oldRoot, generation }) : quantumScope(scope),
  )
  if (problems.length > 0) throw refusal(problems)
  const read = await importedSettings(old, root)
  const isKept = ({ id, username }: ImportedAccount): boolean =>
    !overwrite && present.some((other) => other.id === id && usernameKey(other.username) === usernameKey(username))
  const accounts = records.filter((record) => !isKept(record))
  const conflicts = present.flatMap((one) => conflictsOf(one, accounts, { overwrite }))
  if (conflicts.length > 0) throw refusal(conflicts)
  const settings = takesSettings || admin === null ? read.settings : await admin.settings()
  const driveFor = await call.openRoot({ root, roots: [] })
  const links = await readLinks(old.links, {
    owners: new Map([...present, ...accounts].map((account) => [account.id, account])),
    settings,
    driveFor,
    names: admin === null ? { hashes: new Set(), slugs: new Set() } : await shareNames(admin.db),
    now: new Date(),
    make,
  })
  const { database, dataDir } = call.serverSettings
  const owner = isPostgres(database) ? dataDir : dirname(database)
  if (make) giveMarks(new Set(links.found.map(({ place }) => place)), { root, owner })
  return {
    settings: takesSettings ? read.settings : null,
    accounts,
    presentIds: new Set(present.map(({ id }) => id)),
    keptAccounts: records.filter(isKept).map(({ username }) => username),
    links,
    doubt: await wrongRootProblem({ root, oldRoot, accounts: records, links }),
    notes: [...(takesSettings ? read.notes : []), ...(accounts.length === 0 ? [] : notes)],
  }
}

function refusal(problems: readonly string[]): ConfigError {
  return new ConfigError(['nothing was moved:', ...cut(problems, MOST_PROBLEMS)].join('\n'))
}

/** Names of links open them, so only the operator may read it. Throws `ConfigError`. */
async function writeReport(file: string, lines: readonly string[]): Promise<void> {
  try {
    await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  } catch (error) {
    throw new ConfigError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Whether `withOwnDatabase` has changed it: then the server must not be started with what is written either. */
function hasOwnDatabase({ cwd, serverSettings: { dataDir, database }, sources }: Call): boolean {
  const text = sources.get('database')?.[0]?.text ?? ''
  return text !== '' && resolve(cwd, text) !== database && database === ownDatabase(dataDir)
}

/** Which folder is served: what the operator named, otherwise what File Browser served, if it is here. */
function rootsOf(call: Call, { server }: OldDatabase): { root: string; oldRoot: string | null } {
  const stored = typeof server.root === 'string' && server.root.startsWith('/') ? server.root : null
  const named = call.flags.get('old-root')
  return {
    root: isRootNamed(call) || stored === null ? call.serverSettings.root : stored,
    oldRoot: named === undefined ? stored : String(named),
  }
}

function isRootNamed({ sources }: Call): boolean {
  return sources.get('root')?.some(({ from }) => from !== 'default') === true
}

/** In one transaction: a move that was interrupted has moved nothing. */
async function carryOut(
  { settings, accounts, links }: Plan,
  admin: AdminContext,
  { overwrite, replace }: { overwrite: boolean; replace: boolean },
): Promise<void> {
  await admin.allOrNothing(async (inside) => {
    if (settings !== null)
      await inside.changeSettings((before) => ({ ...settings, printedPassword: replace ? '' : before.printedPassword }))
    const done = await importAccounts(inside.db, accounts, { overwrite, replace, now: new Date() })
    if ('conflicts' in done) throw refusal(done.conflicts)
    for (const username of done.removed) inside.note({ kind: 'user-removed', subject: username, details: [FROM_FILE] })
    for (const { username, work } of done.accounts)
      inside.note({ kind: work === 'added' ? 'user-created' : 'user-changed', subject: username, details: [FROM_FILE] })
    await importShares(inside.db, links.found)
    for (const { place } of links.found) inside.note({ kind: 'share-created', subject: place, details: [FROM_FILE] })
  })
}
