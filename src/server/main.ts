import type { Config } from './config.ts'
import { version } from '../../package.json'
import type { Access } from './access/access.ts'
import type { CommandEnvironment, Terminal } from './cli/command.ts'
import { loadConfig, type LoadOptions, readWritten } from './config.ts'
import { ConfigError } from './config/config-error.ts'
import { DatabaseProblem } from './db/problem.ts'
import type { Drive } from './drive/drive.ts'
import { help } from './config/help.ts'
import { systemFiles } from './config/system-files.ts'
import { HOME } from './entries/entries.ts'
import type { LookAtRoot } from './roots/look.ts'
import { isFirstStart } from './first-start.ts'
import { type Compose, serve, type Serving } from './serve.ts'
import { collectWhenIdle } from './threads/idle-collection.ts'
import { signInProblem } from './sessions/sign-in-problem.ts'
import { namesCommand } from './cli/flags.ts'

/** A second signal this soon is the same one: a terminal sends it to us and to our parent process, which forwards it. */
const SAME_SIGNAL_MS = 300

/** The server, not yet loaded: the command line starts without it. */
export interface Product {
  readonly compose: Compose
  readonly openRoot: (served: Pick<Config, 'root' | 'roots'>) => (access: Access) => Drive
  readonly lookAtRoot: LookAtRoot
  /** Why programs cannot run in a sandbox here; null if they can. */
  readonly sandboxState: () => Promise<{ problem: string | null; weakness: string | null }>
}

/** The whole program: runs the command line and resolves with the exit code, 0 on success and 1 on refusal. */
export async function main(options: LoadOptions, product: () => Promise<Product>, terminal: Terminal): Promise<number> {
  const { out, complain } = terminal
  try {
    if (namesCommand(options.argv)) {
      const { runCommand } = await commands()
      if (await runCommand(options.argv, surroundings(options, product, terminal))) return 0
    }
    const { words, asks } = readWritten(options)
    if (asks === 'help' || words[0] === 'help') return said(out, help((await commands()).listing()))
    if (asks === 'version') return said(out, `Satchel v${version}`)
    if (words.length > 1) throw new ConfigError(`unknown command ${words.join(' ')}; --help lists them all`)
    const serving = await serveWith(options, product, terminal)
    collectWhenIdle()
    await stopped(serving, complain)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof DatabaseProblem)) throw error
    complain(`satchel: ${error.message}`)
    return 1
  }
}

/** From the command line to a running server. Throws `ConfigError` and `DatabaseProblem`. */
export async function serveWith(options: LoadOptions, product: () => Promise<Product>, { out, complain }: Terminal): Promise<Serving> {
  const loaded = loadConfig(options)
  for (const warning of loaded.warnings) complain(`satchel: ${warning}`)
  return serve(loaded, (await product()).compose, out)
}

/** Loaded only for a command: a server does not need their dependencies. */
function commands() {
  return import('./cli/run.ts')
}

function surroundings(options: LoadOptions, product: () => Promise<Product>, terminal: Terminal): CommandEnvironment {
  return {
    terminal,
    version,
    cwd: options.cwd,
    sources: (argv) => readWritten({ ...options, argv }).sources,
    load: (argv) => loadConfig({ ...options, argv }).config,
    isFirstStart,
    openRoot: async (served) => (await product()).openRoot(served),
    lookAtRoot: async (spec, mark) => (await product()).lookAtRoot(spec, mark),
    sandboxState: async () => (await product()).sandboxState(),
    signInProblem,
  }
}

function said(out: (line: string) => void, text: string): number {
  out(text.trimEnd())
  return 0
}

/** Waits for a signal and for running requests; a second signal ends the process at once. */
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

/** The inputs of the command line on this machine. */
export function optionsOf(argv: readonly string[]): LoadOptions {
  return { argv, env: process.env, cwd: process.cwd(), files: systemFiles, program: HOME }
}

/** Loaded on demand. */
export function wholeProduct(): Promise<Product> {
  return import('./compose.ts')
}

if (import.meta.main) {
  process.exit(await main(optionsOf(process.argv.slice(2)), wholeProduct, { out: console.log, complain: console.error }))
}
