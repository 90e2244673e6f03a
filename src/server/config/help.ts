import { flagName, isFrom, KEY_NAMES, keyOf, variableName } from './settings-table.ts'
import { boolean } from './kinds.ts'

/** @param commands commands besides serving, one per line */
export function help(commands: string): string {
  const usage = `Satchel, a web file manager

  satchel [serve] [flags]  serve a folder
${commands}

Run a command with --help for details. Flags override environment variables (SATCHEL_PORT, FB_PORT), which override the configuration file.

Server flags:
`
  const rows = KEY_NAMES.map((name) => {
    const { short, kind, fallback, about } = keyOf(name)
    const value = kind === boolean ? '' : ` ${kind.label}`
    return {
      flag: `${short === undefined ? '   ' : `-${short},`} ${flagName(name)}${value}`,
      about: fallback === '' ? about : `${about} (${fallback})`,
    }
  })
  const width = Math.max(...rows.map(({ flag }) => flag.length))
  return usage + rows.map(({ flag, about }) => `  ${flag.padEnd(width)}  ${about}\n`).join('')
}

/** The table of docs/configuration.md. */
export function settingsTable(): string {
  const rows = KEY_NAMES.map((name) => {
    const { short, aliases = [], fallback, about, kind } = keyOf(name)
    const flags = [flagName(name), ...aliases.map((alias) => `--${alias}`), ...(short === undefined ? [] : [`-${short}`])]
    const variable = isFrom(name, 'environment') ? `\`SATCHEL_${variableName(name)}\`` : ''
    const file = isFrom(name, 'file') ? `\`${name}\`` : ''
    const cells = [
      flags.map((flag) => `\`${flag}\``).join(' '),
      variable,
      file,
      kind.label.replaceAll('|', ' or '),
      fallback === '' ? '' : `\`${fallback}\``,
      about,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return ['| flag | variable | in a file | value | default | what it is |', '|---|---|---|---|---|---|', ...rows].join('\n')
}
