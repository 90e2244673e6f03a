const SHELLS: ReadonlySet<string> = new Set(['ash', 'bash', 'dash', 'elvish', 'fish', 'ksh', 'mksh', 'nu', 'sh', 'xonsh', 'yash', 'zsh'])

/** The first shell in a user's list of commands, as written there; null if there is none, and so no terminal. */
export function shellAmong(commands: readonly string[]): string | null {
  return commands.find((command) => SHELLS.has(command.slice(command.lastIndexOf('/') + 1))) ?? null
}
