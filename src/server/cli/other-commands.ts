import { ConfigError } from '../config/config-error.ts'
import type { Call, Command } from './command.ts'

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

/** The bcrypt hash of a password, as `--password` and the predecessor accept it. Null if bcrypt would ignore a part of it. */
async function hashPassword(password: string): Promise<string | null> {
  const text = password.replace(/\r?\n$/, '')
  if (text === '' || Buffer.byteLength(text) > 72) return null
  return Bun.password.hash(text, { algorithm: 'bcrypt', cost: 10 })
}
