import type { Viewer } from '../access/viewer.ts'
import type { RuleSet } from '../access/rules.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { GrantedTo } from '../users/access-of.ts'
import type { Users } from '../users/users.ts'

export interface AccessMarkDeps {
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
}

/** A text for what somebody sees and may do: the same on every server, and another one when rules, rights or the folder of the account change. */
export function createAccessMark({ users, settings, grantedTo }: AccessMarkDeps) {
  // Rules are compiled anew when the account, its groups or the settings change.
  const known = new WeakMap<RuleSet, string>()

  return async ({ userId, access }: Viewer): Promise<string> => {
    const { rules, scope, start, may, most, hideDotfiles } = access
    const found = known.get(rules)
    const about = JSON.stringify([scope, start, may, most ?? null, hideDotfiles])
    if (found !== undefined) return found + about
    const account = await users.find(userId)
    const made = JSON.stringify([account?.rules ?? [], await grantedTo(userId), (await settings.read()).rules])
    known.set(rules, made)
    return made + about
  }
}
