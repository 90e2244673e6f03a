import { ConfigError } from '../config/config-error.ts'
import type { Call, Command } from './command.ts'
import { hashPassword } from './hash.ts'

export const OTHER_COMMANDS: readonly Command[] = [
  {
    name: 'hash',
    args: '[password]',
    about: 'a hash for --password; asks standard input without argument',
    alone: true,
    run: hash,
  },
  { name: 'version', args: '', about: 'which version this is', alone: true, run: async (call) => sayVersion(call) },
]

async function hash({ args, terminal }: Call): Promise<void> {
  const made = await hashPassword(args[0] ?? (await Bun.stdin.text()))
  if (made === null) throw new ConfigError('a password for this hash has 1 to 72 bytes; longer ones go into a --password-file')
  terminal.out(made)
}

function sayVersion({ terminal, version }: Call): void {
  terminal.out(`Satchel v${version}`)
}
