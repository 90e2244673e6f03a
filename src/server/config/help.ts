import { flagName, isFrom, KEY_NAMES, keyOf, variableName } from './keys.ts'
import { boolean } from './kinds.ts'

const USAGE = `Satchel, a web file manager

  satchel [flags]               serve a folder
  satchel config explain [KEY]  where a setting's value comes from
  satchel hash [PASSWORD]       a hash for --password; asks standard input without argument
  satchel version

A flag wins over an environment variable (SATCHEL_PORT, FB_PORT), that over the configuration file, that over the default.

Flags:
`

export function help(): string {
  const rows = KEY_NAMES.map((name) => {
    const { short, kind, fallback, about } = keyOf(name)
    const value = kind === boolean ? '' : ` ${kind.label}`
    return {
      flag: `${short === undefined ? '   ' : `-${short},`} ${flagName(name)}${value}`,
      about: fallback === '' ? about : `${about} (${fallback})`,
    }
  })
  const width = Math.max(...rows.map(({ flag }) => flag.length))
  return USAGE + rows.map(({ flag, about }) => `  ${flag.padEnd(width)}  ${about}\n`).join('')
}

/** The table of docs/operating.md. */
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
