import RUNTIME_OPTIONS from './runtime-options.json'

/**
 * Starts a program on our runtime; the program's file follows. Without these options, Bun would run the `preload` of `bunfig.toml` in the working or
 * home directory, read `.env`, resolve modules by the `paths` of a `tsconfig.json` there, and download missing packages. Anybody who can write to
 * that folder could run code as the server (A19, decision 036). `scripts/lib/packages.mjs` starts the server with the same options.
 */
export const RUNTIME_COMMAND: readonly string[] = runtimeCommand(process.execPath)

/** The same for another executable of the runtime. */
export function runtimeCommand(executable: string): readonly string[] {
  return [executable, ...RUNTIME_OPTIONS]
}

/** What its environment must say: in an executable of ours, the runtime is the executable itself (`scripts/release/launcher.ts`). */
export const RUNTIME_ENVIRONMENT: Readonly<Record<string, string>> = process.env['BUN_BE_BUN'] === '1' ? { BUN_BE_BUN: '1' } : {}
