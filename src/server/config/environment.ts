import { isFrom, keyNamed, type KeyName, variableName } from './settings-table.ts'
import type { Candidate, Given } from './sources.ts'

const PREFIXES = ['SATCHEL_', 'FB_']
/** Kubernetes sets these for a service with our name. */
const FOREIGN = /^(SERVICE_|PORT_\d)/
/** Groups of settings that are stored in the database, not set by variables. */
const STORED = /^(branding|auth|recaptcha|tus)_/i

/**
 * Settings from `SATCHEL_*` and the predecessor's `FB_*`; ours take precedence, and of two spellings the regular one. An empty variable counts as
 * absent. Unknown names with our prefix are reported, and those of the predecessor that are stored in its database.
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
        if (prefix === 'FB_' ? STORED.test(bare) : !FOREIGN.test(bare)) warnings.push(ignored(variable, bare))
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

/** The predecessor read some settings from variables that are stored in the database here. */
function ignored(variable: string, bare: string): string {
  const [group = '', ...rest] = bare.toLowerCase().split('_')
  const name = `${group}.${rest.join('')}`
  const stored = rest.length > 0 && STORED.test(bare)
  return `${variable} is no setting and was ignored${stored ? `; "satchel config set --${name}" stores it` : ''}`
}
