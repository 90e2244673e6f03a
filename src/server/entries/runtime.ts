import RUNTIME_OPTIONS from './runtime-options.json'

/**
 * What starts a program on our runtime, before the program's file. Without these options, Bun runs what `bunfig.toml` of the current folder or of the
 * home folder names (`preload`), reads the environment from `.env`, takes modules for ours that `tsconfig.json` there names (`paths`), and downloads
 * packages that it does not find. Whoever may write into that folder would run code as us (A19, decision 036). `scripts/lib/packages.mjs` starts the
 * server with the same ones.
 */
export const RUNTIME_COMMAND: readonly string[] = runtimeCommand(process.execPath)

/** The same for the runtime in another place. */
export function runtimeCommand(executable: string): readonly string[] {
  return [executable, ...RUNTIME_OPTIONS]
}
