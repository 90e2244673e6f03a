import { databaseLocationOf, shownDatabase } from '../../config/database-location.ts'
import { connectDatabase, isThere } from '../../db/database.ts'
import { type DatabaseHealth, examineDatabase } from '../../db/examine.ts'
import { examinePostgres } from '../../db/examine-postgres.ts'
import { lastUpgrade, newerDatabase } from '../../db/upgrade-record.ts'
import { isFolder } from '../../settings/is-folder.ts'
import type { Call } from '../command.ts'
import { advice, fine, type Finding, inBytes, problem, reasonOf } from './finding.ts'

/** A clock that was set back makes tokens and links last longer; this much is harmless. */
const CLOCK_SLACK_MS = 5 * 60_000

/** The database and, if it can be opened without changing it, its accounts and settings. */
export async function databaseFindings(call: Call, now: Date): Promise<Finding[]> {
  const place = databaseLocationOf(call.serverSettings.database)
  const database = shownDatabase(call.serverSettings.database)
  const about = 'database'
  try {
    if (!(await isThere(place))) return [await absent(call)]
    const health = await healthOf(place)
    const { damage, missing, unknown, latest, bytes } = health
    const state =
      damage.length > 0
        ? problem(about, `${database} is damaged: ${damage.join('; ')}`, 'stop the server and restore a backup: satchel restore')
        : unknown[0] !== undefined
          ? await newerFinding(place, { unknown: unknown[0], version: call.version })
          : missing.length > 0
            ? fine(about, `whole; the next start saves it and brings it up to date (${missing.join(', ')})`)
            : fine(about, `${health.server === null ? 'whole' : `${database} on ${health.server}`} and up to date, ${inBytes(bytes)}`)
    const clock =
      latest !== null && latest.getTime() - now.getTime() > CLOCK_SLACK_MS
        ? [problem('clock', `it is ${now.toISOString()} here, and the database knows ${latest.toISOString()}`, 'set the clock, with NTP')]
        : [fine('clock', now.toISOString())]
    const canOpen = damage.length + unknown.length + missing.length === 0
    return [state, ...forgetful(health), ...clock, ...(canOpen ? await peopleFindings(call) : [])]
  } catch (error) {
    return [problem(about, `${database} cannot be read: ${reasonOf(error)}`, 'check its permissions, or restore a backup: satchel restore')]
  }
}

async function newerFinding(place: ReturnType<typeof databaseLocationOf>, about: { unknown: string; version: string }): Promise<Finding> {
  await using db = await connectDatabase(place)
  const { text, todo } = newerDatabase(await lastUpgrade(db), about)
  return problem('database', text, todo)
}

async function absent(call: Call): Promise<Finding> {
  try {
    await call.isFirstStart(call.serverSettings)
  } catch (error) {
    return problem('database', reasonOf(error), 'bring it back from a backup: satchel restore')
  }
  return fine('database', `there is none yet at ${shownDatabase(call.serverSettings.database)}; the first start makes it`)
}

type Health = DatabaseHealth & { readonly server: string | null; readonly isForgetful: boolean }

async function healthOf(place: ReturnType<typeof databaseLocationOf>): Promise<Health> {
  return 'url' in place ? examinePostgres(place.url) : { ...examineDatabase(place.file), server: null, isForgetful: false }
}

function forgetful(health: Health): Finding[] {
  if (!health.isForgetful) return []
  const text = 'this PostgreSQL may forget what it has acknowledged when its machine stops without warning'
  return [advice('database', text, 'set its fsync and synchronous_commit to on')]
}

async function peopleFindings(call: Call): Promise<Finding[]> {
  const admin = await call.openAdmin()
  const [accounts, settings] = [await admin.users.all(), await admin.settings()]
  const admins = accounts.filter(({ perm, disabled }) => perm.admin && !disabled).length
  const misfit = call.signInProblem(settings, call.serverSettings)
  const { files } = settings.branding
  return [
    admins === 0 && accounts.length > 0
      ? problem('accounts', 'nobody can administer', 'satchel users update <name> --perm.admin, or satchel users enable <name>')
      : fine('accounts', `${accounts.length}, administrators: ${admins}`),
    misfit === null
      ? fine('sign-in', `people sign in by ${settings.authMethod}`)
      : problem('sign-in', misfit, 'satchel config set, or the option that is named'),
    ...(settings.authMethod === 'noauth'
      ? [advice('sign-in', 'nobody signs in: everybody is the first account', 'satchel config set --auth.method json')]
      : []),
    ...(files === '' || (await isFolder(files))
      ? []
      : [problem('branding', `${files} is no folder`, 'bring it back, or satchel config set --branding.files ""')]),
  ]
}
