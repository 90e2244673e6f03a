import type { PlannedChange } from '../../shared/contract/explain.ts'
import type { Group } from '../../shared/contract/groups.ts'
import type { NewPerson } from '../../shared/contract/people.ts'
import type { Rule } from '../../shared/contract/users.ts'
import { fail } from '../../shared/errors.ts'
import { cleanScope } from '../../shared/scope.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { GrantedNow } from '../groups/everybody.ts'
import { checkedGrantPath } from '../groups/groups.ts'
import { issueOfEachRule } from '../settings/check.ts'
import type { Settings, SettingsReader } from '../settings/settings.ts'
import type { Granted } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import { withRole } from './with-role.ts'

/** What decides about one person: the account, everybody's rules, and what groups and roles give. */
export interface Standing {
  readonly account: Pick<Account, 'scope' | 'perm' | 'rules' | 'hideDotfiles'>
  readonly settings: Pick<Settings, 'rules'>
  readonly granted: Granted
}

/** One person now and after a change; null if there is no such account then, or it is disabled. */
export interface PlannedPerson {
  readonly id: number | null
  readonly username: string
  readonly before: Standing | null
  readonly after: Standing | null
}

export interface PlannedDeps {
  readonly users: Pick<Users, 'all' | 'find'>
  readonly groups: { readonly all: () => Promise<Group[]> }
  readonly people: { readonly planned: (person: NewPerson) => Promise<NewAccount | null> }
  readonly settings: SettingsReader
  readonly grantedToEverybody: (path: null) => Promise<GrantedNow>
}

/** An account that a list would make. */
export interface NewAccount extends Pick<Account, 'username' | 'scope' | 'perm' | 'rules' | 'hideDotfiles'> {
  /** Ids. */
  readonly groups: readonly number[]
}

/**
 * Whom a change concerns, by name, with what decides about them now and then. Fails with `not-found` for an account or a group that is not there, and
 * with `invalid-input` for a rule or a path that could not be saved.
 */
export async function plannedPeople(change: PlannedChange, deps: PlannedDeps): Promise<PlannedPerson[]> {
  const { users, groups, people, settings, grantedToEverybody } = deps
  const pause = periodicYield()
  if ('rules' in change) await checkRules(change.rules ?? [], pause)
  const now = await settings.read()
  const grantedTo = await grantedToEverybody(null)
  const standing = (account: Account, granted = grantedTo(account.id)): Standing => ({ account, settings: now, granted })
  const requireGroup = async (id: number): Promise<void> => {
    if (!(await groups.all()).some((group) => group.id === id)) fail('not-found', {})
  }

  async function changing(accounts: readonly Account[], after: (before: Standing, account: Account) => Standing): Promise<PlannedPerson[]> {
    const planned: PlannedPerson[] = []
    for (const account of accounts) {
      await pause()
      if (account.disabled) continue
      const before = standing(account)
      planned.push({ id: account.id, username: account.username, before, after: after(before, account) })
    }
    return planned.toSorted((a, b) => (usernameKey(a.username) < usernameKey(b.username) ? -1 : 1))
  }

  const membersOf = async (id: number): Promise<Account[]> =>
    (await users.all()).filter((account) => grantedTo(account.id).groups.some((group) => group.id === id))
  const amongAll = async (ids: readonly number[]): Promise<Account[]> => {
    const wanted = new Set(ids)
    return (await users.all()).filter(({ id }) => wanted.has(id))
  }

  switch (change.what) {
    case 'account': {
      const account = (await users.find(change.id)) ?? fail('not-found', {})
      const { scope = '', perm = account.perm, rules = account.rules, hideDotfiles = account.hideDotfiles } = change
      // An empty folder keeps the old one, as when it is saved.
      const moved = scope.trim() === '' ? account.scope : cleanScope(scope)
      return changing([account], (before) => ({ ...before, account: { scope: moved, perm, rules, hideDotfiles } }))
    }
    case 'group': {
      await requireGroup(change.id)
      return changing(await membersOf(change.id), (before) => ({ ...before, granted: withGroup(before.granted, change) }))
    }
    case 'everybody':
      return changing(await users.all(), (before) => ({ ...before, settings: { rules: change.rules } }))
    case 'join':
    case 'leave': {
      const { what, group } = change
      await requireGroup(group)
      return changing(await amongAll(change.people), (before, { id }) => ({
        ...before,
        granted: grantedTo(id, (ids) => [...ids.filter((one) => one !== group), ...(what === 'join' ? [group] : [])]),
      }))
    }
    case 'role': {
      const { who, regex, rights } = change
      if (who.kind === 'group') await requireGroup(who.id)
      const path = checkedGrantPath(change)
      const accounts = who.kind === 'user' ? await amongAll([who.id]) : await users.all()
      if (who.kind === 'user' && accounts.length === 0) fail('not-found', {})
      const concerned = who.kind === 'group' ? await membersOf(who.id) : accounts
      const wanted = { subject: who, rights, path, regex }
      return changing(concerned, (before, { id }) => ({ ...before, granted: withRole(before.granted, id, wanted) }))
    }
    case 'import': {
      const planned: PlannedPerson[] = []
      for (const person of change.people) {
        await pause()
        const account = await people.planned(person)
        if (account === null) continue
        const granted = grantedTo(NOBODY, () => account.groups)
        planned.push({ id: null, username: account.username, before: null, after: { account, settings: now, granted } })
      }
      return planned
    }
  }
}

/** No account has this id. */
const NOBODY = 0

function withGroup(granted: Granted, { id, perm, rules }: Extract<PlannedChange, { what: 'group' }>): Granted {
  return {
    ...granted,
    groups: granted.groups.map((group) => (group.id === id ? { ...group, perm: perm ?? group.perm, rules: rules ?? group.rules } : group)),
  }
}

async function checkRules(rules: readonly Rule[], pause: () => Promise<void>): Promise<void> {
  const issues: string[] = []
  for (const issue of issueOfEachRule(rules, 'rules')) {
    if (issue !== null) issues.push(issue)
    await pause()
  }
  if (issues.length > 0) fail('invalid-input', { issues })
}
