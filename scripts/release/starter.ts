import RUNTIME_OPTIONS from '../../src/server/entries/runtime-options.json'

/** Where packages and images install the program; the runtime is in this folder too, as `bun`. */
export const PROGRAM = 'usr/lib/satchel'

/** The command `satchel` of an installed program, for a shell. @param main the main file, relative to the program's folder */
export function starter(main: string): string {
  return `#!/bin/sh
: "\${SATCHEL_CONFIG=/etc/satchel/satchel.yaml}"
export SATCHEL_CONFIG
exec /${PROGRAM}/bun ${RUNTIME_OPTIONS.join(' ')} /${PROGRAM}/${main} "$@"
`
}
