import { setTimeout as sleep } from 'node:timers/promises'
import type { Belongings, HandOver, HandOverChoice } from '../../shared/contract/hand-over.ts'
import { isAppError } from '../../shared/errors.ts'
import { EVERYTHING } from '../access/everything.ts'
import { ConfigError } from '../config/config-error.ts'
import { createHandOvers } from '../hand-over/hand-over.ts'
import { createOutbox } from '../jobs/outbox.ts'
import { OPERATOR } from './admin-context.ts'
import { type Call, type Command, defineCommand } from './command.ts'
import { json, visible } from './print.ts'

export const HAND_OVER_COMMAND: Command = defineCommand(
  'users hand-over <id|name> [successor]',
  'when somebody leaves: disable the account and give its files and links to another; without one, how far it is',
  handOver,
  {
    flags: [
      {
        name: 'files',
        kind: 'text',
        about: 'move puts the files into a new folder of the successor, which is the default; stay leaves them',
      },
      { name: 'folder', kind: 'text', about: 'the name of that folder; From NAME (DATE) by default' },
      {
        name: 'shares',
        kind: 'text',
        about: 'pass makes the successor the owner of links and shares, which is the default; end ends them',
      },
      { name: 'rest', kind: 'text', about: 'links and shares that cannot pass: end, which is the default, or keep' },
      { name: 'delete', kind: 'switch', about: 'remove the account in the end' },
      { name: 'preview', kind: 'switch', about: 'only say what would be done' },
    ],
  },
)

/** A running server looks for work every three seconds. */
const WAIT_MS = 6000
const LOOK_MS = 300

async function handOver(call: Call): Promise<void> {
  const { args, flags, terminal, serverSettings } = call
  const admin = await call.openAdmin()
  const leaver = await admin.account(args[0] ?? '')
  const handOvers = createHandOvers({
    ...admin,
    settings: { read: admin.settings, readNow: () => null },
    grantedTo: admin.groups.grantedTo,
    systemDrive: (await call.openRoot(serverSettings))(EVERYTHING),
    outbox: createOutbox({ db: admin.db, clock: now }),
    requireProof: async () => {},
    clock: now,
    wake: () => {},
  })
  if (args[1] === undefined) return show(call, (await handOvers.last(leaver.id)) ?? nothing(leaver.username))
  const successor = await admin.account(args[1])
  const choice = choiceFrom(call, successor.id)
  if (flags.get('preview') === true)
    return tell(call, await handOvers.preview(leaver.id, { to: successor.id, folder: choice.folder }), choice)
  await handOvers.start(leaver.id, choice, OPERATOR).catch((error: unknown) => {
    if (isAppError(error, 'busy'))
      throw new ConfigError('one goes on already; without a successor the command says how far it is', { cause: error })
    throw error
  })
  terminal.complain(`satchel: ${visible(leaver.username)} is switched off; a running server does the rest`)
  const until = Date.now() + WAIT_MS
  for (;;) {
    const last = (await handOvers.last(leaver.id)) ?? nothing(leaver.username)
    const isOver = last.state === 'done' || last.state === 'failed'
    if (!isOver && last.state !== 'running' && Date.now() > until) {
      terminal.complain(
        `satchel: no server has begun; it begins when one starts, and "satchel users hand-over ${leaver.id}" says how far it is`,
      )
      return show(call, last)
    }
    if (isOver) return show(call, last)
    await sleep(LOOK_MS)
  }
}

const now = (): Date => new Date()

function nothing(username: string): never {
  throw new ConfigError(`nothing of ${visible(username)} is handed over; name a successor`)
}

function choiceFrom(call: Call, to: number): HandOverChoice {
  return {
    to,
    files: oneOf(call, 'files', ['move', 'stay'] as const),
    folder: String(call.flags.get('folder') ?? ''),
    shares: oneOf(call, 'shares', ['pass', 'end'] as const),
    rest: oneOf(call, 'rest', ['end', 'keep'] as const),
    account: call.flags.get('delete') === true ? 'delete' : 'disable',
  }
}

/** The first is the default. */
function oneOf<T extends string>({ flags }: Call, name: string, values: readonly [T, T]): T {
  const given = flags.get(name)
  if (given === undefined) return values[0]
  const found = values.find((value) => value === given)
  if (found === undefined) throw new ConfigError(`--${name}: ${JSON.stringify(given)} is neither ${values.join(' nor ')}`)
  return found
}

function show({ terminal, json: wanted }: Call, last: HandOver): void {
  if (wanted) return terminal.out(json(last))
  terminal.out(`to ${visible(last.to.name)}: ${last.state}${last.error === null ? '' : `, ${last.error}`}`)
  if (last.folder !== null) terminal.out(`files: ${visible(last.folder)}`)
  if (last.state === 'running' && last.total > 0) terminal.out(`copied: ${last.done} of ${last.total} bytes`)
  terminal.out(`links and shares: ${last.passed} passed, ${last.ended} ended, ${last.kept} kept`)
}

function tell({ terminal, json: wanted }: Call, found: Belongings, choice: HandOverChoice): void {
  if (wanted) return terminal.out(json(found))
  const { home, folder, given, passing, problems } = found
  const size = `${home.files} files and folders, ${home.bytes} bytes${home.isCounted ? '' : ' at least'}`
  if (home.state !== 'own') terminal.out(`files: nothing moves, the folder ${visible(home.path)} is ${home.state}`)
  else terminal.out(choice.files === 'move' && folder !== null ? `files: ${size}, to ${visible(folder)}` : `files: ${size}, stay`)
  if (home.hidden > 0) terminal.out(`  rules hide ${home.hidden} of them from the successor`)
  if (home.revealed > 0) terminal.out(`  rules hid ${home.revealed} of them, and do not hide them from the successor`)
  const passes = choice.shares === 'pass' ? passing : 0
  terminal.out(`links and shares: ${passes} pass, ${given - passes} ${choice.rest === 'keep' && choice.shares === 'pass' ? 'stay' : 'end'}`)
  terminal.out(`tokens and sessions that end: ${found.tokens + found.sessions}`)
  terminal.out(`with the account: ${found.roles} roles, ${found.groups.length} groups, ${found.devices} trusted devices`)
  for (const problem of problems) terminal.out(`cannot be done: ${problem}`)
}
