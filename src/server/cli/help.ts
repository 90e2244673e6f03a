import { flagName, keyOf } from '../config/settings-table.ts'
import { boolean } from '../config/kinds.ts'
import type { Command, Flag } from './command.ts'
import { flagsOf, serverFlagsOf } from './flags.ts'
import { table } from './print.ts'

const VALUES = { text: ' TEXT', switch: '', count: ' NUMBER', list: ' A,B,…', words: ' "A B …"' } as const satisfies Record<
  Flag['kind'],
  string
>

export function commandHelp(command: Command): string {
  const own = flagsOf(command).map(rowOf)
  const server = serverFlagsOf(command).map((name) => {
    const { short, kind, about } = keyOf(name)
    const value = kind === boolean ? '' : ` ${kind.label}`
    return [`${short === undefined || isShadowed(short, command) ? '   ' : `-${short},`} ${flagName(name)}${value}`, about]
  })
  return [
    `satchel ${command.name} ${command.args}`.trimEnd(),
    `  ${command.about}`,
    '',
    'Flags:',
    indented(table([...own, ...server])),
    '',
  ].join('\n')
}

export function commandList(commands: readonly Command[]): string {
  return indented(table(commands.map(({ name, args, about }) => [`satchel ${name} ${args}`.trimEnd(), about])))
}

function isShadowed(short: string, command: Command): boolean {
  return flagsOf(command).some((flag) => flag.short === short)
}

function rowOf({ name, short, kind, about }: Flag): string[] {
  return [`${short === undefined ? '   ' : `-${short},`} --${name}${VALUES[kind]}`, about]
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
