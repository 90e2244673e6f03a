import { isFrom, keyNamed, type KeyName, variableName } from './keys.ts'
import type { Candidate, Given } from './sources.ts'

const PREFIXES = ['SATCHEL_', 'FB_']
/** Kubernetes sets these for a service that happens to have our name. */
const FOREIGN = /^(SERVICE_|PORT_\d)/

/**
 * Settings from `SATCHEL_*` and the predecessor's `FB_*`; ours come first, and of two spellings the regular one. An empty variable is not
 * given. A name that means nothing under our own prefix is told.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): { given: Given; warnings: string[] } {
  const given = new Map<KeyName, Candidate>()
  const warnings: string[] = []
  for (const prefix of PREFIXES) {
    for (const [variable, text = ''] of Object.entries(env)) {
      if (!variable.startsWith(prefix) || text === '') continue
      const bare = variable.slice(prefix.length)
      const name = keyNamed(bare)
      if (name === null || !isFrom(name, 'environment')) {
        if (prefix === 'SATCHEL_' && !FOREIGN.test(bare)) warnings.push(`${variable} is no setting and was ignored`)
        continue
      }
      if (name === 'port' && text.startsWith('tcp://')) continue
      const before = given.get(name)
      const isBetter = before === undefined || (before.name.startsWith(prefix) && bare === variableName(name))
      if (isBetter) given.set(name, { from: 'environment', name: variable, text })
    }
  }
  return { given, warnings }
}
