import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { createRootStore } from '../../roots/store.ts'
import type { Call } from '../command.ts'
import { advice, fine, type Finding, problem, reasonOf } from './finding.ts'

const clock = (): Date => new Date()

/** Whether the folders of further roots are there, are the same as before, and hide nothing of the main one. */
export async function rootFindings(call: Call): Promise<Finding[]> {
  const { root, roots } = call.serverSettings
  if (roots.length === 0) return []
  // Before the first start there is no database.
  const store = await call.openAdmin().then(
    ({ db }) => createRootStore({ db, clock }),
    () => null,
  )
  const findings: Finding[] = []
  for (const spec of roots) {
    const { name, address } = spec
    const about = `root ${name}`
    try {
      if (lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined)
        findings.push(
          advice(about, `${root} has a ${name} itself, which this root hides`, `rename ${join(root, name)} to see what is in it`),
        )
      const look = await call.lookAtRoot(spec, (await store?.markOf(name, address)) ?? null)
      if (look === 'missing')
        findings.push(advice(about, `${address} is not there: its disk is not connected`, 'connect and mount its disk'))
      else if (look === 'another')
        findings.push(
          advice(
            about,
            `${address} is not the folder that was served: its disk is not mounted, or is another one`,
            `mount its disk; if it is really another one, run "satchel roots forget ${name}" and restart the server`,
          ),
        )
      else findings.push(fine(about, look === 'new' ? `${address} is there` : `${address} is connected`))
    } catch (error) {
      findings.push(problem(about, `${address} cannot be opened: ${reasonOf(error)}`, 'chown or chmod it for the account of the server'))
    }
  }
  return findings
}
