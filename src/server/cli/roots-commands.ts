import { ConfigError } from '../config/config-error.ts'
import { createRootStore } from '../roots/store.ts'
import { type Call, type Command, defineCommand } from './command.ts'
import { json, table, visible, yesNo } from './print.ts'

const clock = (): Date => new Date()

export const ROOTS_COMMANDS: readonly Command[] = [
  defineCommand('roots ls', 'the folders that are served, and whether their disks are connected', list),
  defineCommand('roots forget <name>', 'take another folder for a root: the one that is there at the next start of the server', forget),
]

async function list(call: Call): Promise<void> {
  const { root, roots } = call.serverSettings
  const store = createRootStore({ ...(await call.openAdmin()), clock })
  const further = await Promise.all(
    roots.map(async (spec) => ({ ...spec, state: await call.lookAtRoot(spec, await store.markOf(spec.name, spec.address)) })),
  )
  const listed = [{ name: '', kind: 'local', address: root, isReadOnly: false, state: 'connected' } as const, ...further]
  if (call.json) return call.terminal.out(json(listed))
  const rows = listed.map(({ name, kind, address, isReadOnly, state }) => [
    name === '' ? '(main)' : visible(name),
    kind,
    visible(address),
    yesNo(isReadOnly),
    state,
  ])
  call.terminal.out(table([['Name', 'Kind', 'Address', 'Read-only', 'State'], ...rows]))
}

async function forget(call: Call): Promise<void> {
  const [name = ''] = call.args
  const store = createRootStore({ ...(await call.openAdmin()), clock })
  if (!(await store.forget(name))) throw new ConfigError(`no root named ${JSON.stringify(name)} has been used`)
  call.terminal.out(`${visible(name)} is taken as it is at the next start of the server`)
}
