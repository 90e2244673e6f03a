import { join } from 'node:path'
import { isAppError, type AppError } from '../../shared/errors.ts'
import { upgradesIn } from '../backup/before-upgrade.ts'
import { ConfigError } from '../config/config-error.ts'
import { type KeyName, keyNamed } from '../config/settings-table.ts'
import { readFlags } from '../config/parse-flags.ts'
import { nearest } from '../config/nearest.ts'
import { isBusy } from '../db/database.ts'
import { BACKUP_COMMANDS } from './backup/backup-commands.ts'
import { CMDS_COMMANDS } from './cmds-commands.ts'
import { defineCommand, type Call, type Command, type CommandEnvironment } from './command.ts'
import { CONFIG_COMMANDS } from './config-commands.ts'
import { CONFIG_FILE_COMMANDS } from './config-files.ts'
import { DOCTOR_COMMAND } from './doctor/doctor-command.ts'
import { completionScript, shellNamed } from './completion.ts'
import { flagsOf, readCommandFlags, commandWords } from './flags.ts'
import { HEALTH_COMMAND } from './health-command.ts'
import { commandHelp, commandList } from './help.ts'
import { makeHome } from './make-home.ts'
import { MIGRATE_COMMAND } from './migrate/migrate-command.ts'
import { SHADOW_COMMAND } from './shadow/shadow-command.ts'
import { openAdminContext, type AdminContext } from './admin-context.ts'
import { HAND_OVER_COMMAND } from './hand-over-command.ts'
import { GROUPS_COMMANDS } from './groups-commands.ts'
import { RULES_COMMANDS } from './rules-commands.ts'
import { DIRECTORIES_COMMANDS } from './directories-commands.ts'
import { QUOTAS_COMMANDS } from './quotas-commands.ts'
import { ROOTS_COMMANDS } from './roots-commands.ts'
import { PROVIDERS_COMMANDS } from './providers-commands.ts'
import { TOKENS_COMMANDS } from './tokens-commands.ts'
import { USERS_COMMANDS } from './users-commands.ts'
import { USERS_FILE_COMMANDS } from './users-files.ts'

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...USERS_COMMANDS,
  HAND_OVER_COMMAND,
  ...USERS_FILE_COMMANDS,
  ...TOKENS_COMMANDS,
  ...CONFIG_COMMANDS,
  ...CONFIG_FILE_COMMANDS,
  ...RULES_COMMANDS,
  ...GROUPS_COMMANDS,
  ...QUOTAS_COMMANDS,
  ...ROOTS_COMMANDS,
  ...PROVIDERS_COMMANDS,
  ...DIRECTORIES_COMMANDS,
  ...CMDS_COMMANDS,
  ...BACKUP_COMMANDS,
  MIGRATE_COMMAND,
  SHADOW_COMMAND,
  DOCTOR_COMMAND,
  HEALTH_COMMAND,
  defineCommand(
    'completion <bash|zsh|fish>',
    'the script by which a shell completes these commands',
    async ({ args: [shell = ''], terminal }) => terminal.out(completionScript(shellNamed(shell), COMMANDS).trimEnd()),
    { alone: true },
  ),
  defineCommand('hash [password]', 'a hash for --password; asks standard input without argument', hash, { alone: true }),
  defineCommand('version', 'which version this is', async ({ terminal, version }) => terminal.out(`Satchel v${version}`), { alone: true }),
]

/** All commands for the program's help, one per line. */
export function listing(): string {
  return commandList(COMMANDS)
}

/**
 * Runs the command on the command line, if there is one. Throws `ConfigError` for everything that a person can correct; nothing has been changed
 * then.
 * @returns false if no command was named
 */
export async function runCommand(argv: readonly string[], around: CommandEnvironment): Promise<boolean> {
  const flags = COMMANDS.flatMap(flagsOf).filter(({ short }) => short !== undefined)
  const [first, second] = commandWords(argv, flags)
  if (first === undefined || first.word === 'serve') return false
  const inGroup = COMMANDS.filter(({ name }) => name.startsWith(`${first.word} `))
  const wanted = inGroup.length > 0 ? `${first.word} ${second?.word ?? ''}` : first.word
  const command = COMMANDS.find(({ name }) => name === wanted)
  if (command !== undefined) {
    const serverSettings = inGroup.length > 0 ? [first.at, second?.at] : [first.at]
    const rest = argv.filter((_, at) => !serverSettings.includes(at))
    await run(command, rest, around)
    return true
  }
  if (inGroup.length > 0 && (second === undefined || second.word === 'help')) {
    around.terminal.out(`${commandList(inGroup)}\n\n--help after a command says more.`)
    return true
  }
  if (first.word === 'help') return false
  // What follows an unknown flag may be its value.
  readFlags(argv.slice(0, first.at))
  const names = inGroup.length > 0 ? inGroup.map(({ name }) => name) : [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))]
  const like = nearest(wanted, names)
  throw new ConfigError(`unknown command ${wanted}${like === null ? '; --help lists them all' : `; did you mean ${like}?`}`)
}

async function run(command: Command, argv: readonly string[], around: CommandEnvironment): Promise<void> {
  const { args, values, server } = readCommandFlags(argv, command)
  if (values.get('help') === true) return around.terminal.out(commandHelp(command).trimEnd())
  checkCount(command, args)
  let open: AdminContext | null = null
  let serverSettings: Call['serverSettings'] | null = null
  const call: Call = {
    ...around,
    args,
    flags: values,
    json: values.get('json') === true,
    get serverSettings() {
      if (serverSettings === null) {
        const given = around.load(server)
        serverSettings = command.settings?.(given, call.sources) ?? given
      }
      return serverSettings
    },
    get sources() {
      return around.sources(server)
    },
    serverFlags: serverFlags(server),
    openAdmin: async (options) =>
      (open ??= await openAdminContext(call.serverSettings.database, {
        create: options?.create === true,
        upgrades: upgradesIn({
          folder: join(call.serverSettings.dataDir, 'upgrades'),
          version: around.version,
          log: (line) => around.terminal.complain(`satchel: ${line}`),
        }),
        makeHome: (path) => makeHome(path, { served: call.serverSettings, openRoot: around.openRoot }),
      })),
  }
  try {
    await command.run(call)
  } catch (error) {
    throw isAppError(error) ? new ConfigError(errorText(error), { cause: error }) : asBusy(error)
  } finally {
    // Assigned in a callback, which the compiler does not follow.
    await (open as AsyncDisposable | null)?.[Symbol.asyncDispose]()
  }
}

function serverFlags(server: readonly string[]): ReadonlyMap<KeyName, string> {
  const given = new Map<KeyName, string>()
  for (const flag of server) {
    const at = flag.indexOf('=')
    const name = keyNamed(flag.slice(2, at))
    if (name !== null) given.set(name, flag.slice(at + 1))
  }
  return given
}

/** `<name>` is required, `[name]` optional, `…` repeats the last. */
function checkCount({ name, args: shape }: Command, args: readonly string[]): void {
  const least = shape.match(/<[^>]*>/g)?.length ?? 0
  const most = shape.includes('…') ? Number.POSITIVE_INFINITY : (shape.match(/<[^>]*>|\[[^\]]*\]/g)?.length ?? 0)
  if (args.length < least) throw new ConfigError(`satchel ${name} ${shape}: something is missing; --help says more`)
  if (args.length > most)
    throw new ConfigError(`satchel ${name} ${shape}: ${JSON.stringify(args[most])} is one too many`.replace('  ', ' '))
}

function asBusy(error: unknown): unknown {
  return isBusy(error) ? new ConfigError('the database is in use for too long; nothing was changed, try again', { cause: error }) : error
}

function errorText(error: AppError): string {
  if (isAppError(error, 'invalid-input')) return error.detail.issues.map(plain).join('; ')
  if (isAppError(error, 'name-taken')) return `there is an account ${JSON.stringify(error.detail.username)} already, or one with its folder`
  if (isAppError(error, 'forbidden') && error.detail.right === 'admin') return 'no administrator would be left; nothing was changed'
  if (isAppError(error, 'not-found')) return 'it is gone'
  if (isAppError(error, 'busy')) return 'somebody else changes it all the time; nothing was changed, try again'
  if (isAppError(error, 'storage-full')) return 'the disk is full; nothing was changed'
  return `failed: ${error.code}`
}

/** `data.password: too-short 12` is meant for programs that translate it. */
function plain(issue: string): string {
  return issue
    .replace(/^data\./, '')
    .replace(/: too-short (\d+)$/, ': shorter than $1 bytes')
    .replace(/: too-long (\d+)$/, ': longer than $1 characters')
    .replace(/: too-common$/, ': one of the commonest of all')
}

async function hash({ args, terminal }: Call): Promise<void> {
  const made = await hashPassword(args[0] ?? (await Bun.stdin.text()))
  if (made === null) throw new ConfigError('a password for this hash has 1 to 72 bytes; longer ones go into a --password-file')
  terminal.out(made)
}

/** The bcrypt hash of a password, as `--password` and the predecessor accept it. Null if bcrypt would ignore a part of it. */
async function hashPassword(password: string): Promise<string | null> {
  const text = password.replace(/\r?\n$/, '')
  if (text === '' || Buffer.byteLength(text) > 72) return null
  return Bun.password.hash(text, { algorithm: 'bcrypt', cost: 10 })
}
