import { ConfigError } from '../config/config-error.ts'
import { nearest } from '../config/nearest.ts'
import { Hooks } from '../settings/settings.ts'
import { defineCommand, type Call, type Command } from './command.ts'
import { removePositions } from './positions.ts'
import { json, visible } from './print.ts'

type Event = keyof typeof Hooks.shape

export const CMDS_COMMANDS: readonly Command[] = [
  defineCommand('cmds ls', 'the commands that run at events, as event(index): command', list, {
    flags: [{ name: 'event', kind: 'text', short: 'e', about: 'only this event' }],
  }),
  defineCommand('cmds add <event> <command> …', 'add a command to an event, such as after_upload', add),
  defineCommand('cmds rm <event> <index> [last index]', 'remove a command, or those from the first to the last', remove),
]

async function list(call: Call): Promise<void> {
  const { commands } = await (await call.openAdmin()).settings()
  const only = call.flags.get('event')
  const events = only === undefined ? eventNames() : [eventNamed(String(only))]
  if (call.json) return call.terminal.out(json(Object.fromEntries(events.map((event) => [event, commands[event]]))))
  for (const event of events)
    for (const [at, command] of commands[event].entries()) call.terminal.out(`${event}(${at}): ${visible(command)}`)
}

async function add(call: Call): Promise<void> {
  const [name = '', ...words] = call.args
  await change(call, eventNamed(name), (before) => [...before, words.join(' ')])
}

async function remove(call: Call): Promise<void> {
  const [name = '', ...positions] = call.args
  await change(call, eventNamed(name), (before) => removePositions(before, positions))
}

async function change(call: Call, event: Event, action: (before: readonly string[]) => string[]): Promise<void> {
  const admin = await call.openAdmin()
  await admin.changeSettings((before) => ({ ...before, commands: { ...before.commands, [event]: action(before.commands[event]) } }))
  const { disableExec } = call.serverSettings
  if (disableExec) call.terminal.complain('satchel: no command runs as long as disableExec is on, which is the default')
  await list(call)
}

function eventNames(): Event[] {
  return Object.keys(Hooks.shape).filter((name): name is Event => Object.hasOwn(Hooks.shape, name))
}

function eventNamed(name: string): Event {
  const found = eventNames().find((event) => event === name.toLowerCase())
  if (found !== undefined) return found
  const like = nearest(name, eventNames())
  throw new ConfigError(
    `no event is called ${JSON.stringify(name)}; ${like === null ? `there are ${eventNames().join(', ')}` : `did you mean ${like}?`}`,
  )
}
