import { resolve } from 'node:path'
import { version } from '../../package.json'
import { hashPassword } from './cli/hash.ts'
import { loadConfig, type LoadOptions, readWritten, type Written } from './config.ts'
import { ConfigError } from './config/config-error.ts'
import { explain } from './config/explain.ts'
import { help } from './config/help.ts'
import { KEY_NAMES, keyNamed } from './config/keys.ts'
import { systemFiles } from './config/system-files.ts'
import { type Compose, serve, type Serving } from './serve.ts'

/** A second signal this soon is the same one: a terminal sends it to us and to whoever started us, who passes it on. */
const SAME_SIGNAL_MS = 300

export interface Terminal {
  readonly out: (line: string) => void
  readonly complain: (line: string) => void
}

/** The whole program: does what the command line asks and resolves with the exit code. */
export async function main(options: LoadOptions, compose: Compose, { out, complain }: Terminal): Promise<number> {
  try {
    const written = readWritten(options)
    const [command, ...rest] = written.words
    if (written.asks === 'help' || command === 'help') return said(out, help())
    if (written.asks === 'version' || command === 'version') return said(out, `Satchel v${version}`)
    if (command === 'config' && rest[0] === 'explain') return said(out, explained(written, rest.slice(1), options.cwd))
    if (command === 'hash') return said(out, await hashed(rest[0] ?? (await Bun.stdin.text())))
    if (command !== undefined) throw new ConfigError(`unknown command ${written.words.join(' ')}; --help lists them all`)
    const loaded = loadConfig(options)
    for (const warning of loaded.warnings) complain(`satchel: ${warning}`)
    await stopped(await serve(loaded, compose, out), complain)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    complain(`satchel: ${error.message}`)
    return 1
  }
}

function explained({ sources }: Written, names: readonly string[], cwd: string): string {
  const keys = names.map((name) => keyNamed(name) ?? unknownKey(name))
  return (keys.length === 0 ? KEY_NAMES : keys).map((key) => explain(key, sources.get(key) ?? [], cwd)).join('\n\n')
}

function unknownKey(name: string): never {
  throw new ConfigError(`unknown setting ${name}; --help lists them all`)
}

async function hashed(password: string): Promise<string> {
  const hash = await hashPassword(password)
  if (hash === null) throw new ConfigError('a password for this hash has 1 to 72 bytes; longer ones go into a --password-file')
  return hash
}

function said(out: (line: string) => void, text: string): number {
  out(text.trimEnd())
  return 0
}

/** Waits for a signal and for the end of what runs; a second signal ends the process at once. */
async function stopped(serving: Serving, complain: (line: string) => void): Promise<void> {
  const { promise, resolve: begin } = Promise.withResolvers<void>()
  let first: number | null = null
  const onSignal = (): void => {
    const now = performance.now()
    if (first !== null && now - first > SAME_SIGNAL_MS) process.exit(130)
    first ??= now
    begin()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  await promise
  complain('satchel: stopping; running transfers may end')
  await serving.stop()
}

if (import.meta.main) {
  const { compose } = await import('./compose.ts')
  const options = {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    files: systemFiles,
    program: resolve(import.meta.dir, '../..'),
  }
  process.exit(await main(options, compose, { out: console.log, complain: console.error }))
}
