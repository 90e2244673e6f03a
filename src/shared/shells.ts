/** Programs that are a place to type in. */
const SHELLS: ReadonlySet<string> = new Set(['ash', 'bash', 'dash', 'elvish', 'fish', 'ksh', 'mksh', 'nu', 'sh', 'xonsh', 'yash', 'zsh'])

/** The first shell among what somebody may run, as it stands in their list; null where there is none, and so no terminal for them. */
export function shellAmong(commands: readonly string[]): string | null {
  return commands.find((command) => SHELLS.has(command.slice(command.lastIndexOf('/') + 1))) ?? null
}
