import type { ResultOf } from '../../shared/contract/endpoint.ts'
import type { ImportedPerson, NewPerson, PeopleAction, people as calls } from '../../shared/contract/people.ts'
import { parseBytes, parseCount } from '../../shared/byte-amount.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import type { Caller } from '../access/caller.ts'
import type { Bus } from '../bus/bus.ts'
import type { Groups } from '../groups/groups.ts'
import type { Addresses } from '../mail/addresses.ts'
import { setAddress } from '../mail/set-address.ts'
import { isMailAddress } from '../mail/settings.ts'
import type { PasswordLinks } from '../password-links/password-links.ts'
import { havePasswords, type Settings, type SettingsReader } from '../settings/settings.ts'
import { proposedHome } from '../users/home.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { Management } from '../users/manage.ts'
import { usernameKey, usernameProblem } from '../users/username.ts'
import type { Users } from '../users/users.ts'

export interface PeopleDeps {
  readonly users: Pick<Users, 'find' | 'findByName'>
  readonly management: Management
  readonly groups: Pick<Groups, 'named' | 'addMember' | 'removeMember'>
  readonly quotas: Pick<Quotas, 'set'>
  readonly passwordLinks: Pick<PasswordLinks, 'create'>
  readonly addresses: Addresses
  readonly bus: Bus
  readonly settings: SettingsReader
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  readonly requireProof: (caller: Caller) => Promise<void>
}

export type People = ReturnType<typeof createPeople>

const NOBODY = { id: null, secret: null, mailedTo: null } as const

/** Changes of many accounts, each as if it were made alone: with the same checks, and with its own entry in the activity log. */
export function createPeople({ users, management, groups, quotas, passwordLinks, addresses, bus, settings, requireProof }: PeopleDeps) {
  async function changeOne(id: number, change: PeopleAction, caller: Caller): Promise<void> {
    if (change.action === 'join') return groups.addMember(change.group, id, caller)
    if (change.action === 'leave') return groups.removeMember(change.group, id, caller)
    if (id === caller.viewer.userId) fail('forbidden', { right: 'admin' })
    if (change.action === 'delete') return management.remove(id, caller)
    await management.change(id, { what: 'user', which: ['disabled'], data: { disabled: change.action === 'disable' } }, caller)
  }

  /** Why a line cannot become an account, and the folder that it would reach. */
  async function examine(person: NewPerson) {
    const { username, address = '', scope: asked = '', groups: names = [] } = person
    const issues: string[] = []
    let scope: string | null = null
    const problem = usernameProblem(username)
    if (problem !== null) issues.push(`username: ${problem}`)
    if (address !== '' && !isMailAddress(address)) issues.push('address: not an address')
    const now = await settings.read()
    if (problem === null)
      try {
        scope = proposedHome(username, asked, now).scope
      } catch (error) {
        if (!isAppError(error, 'invalid-input')) throw error
        issues.push('scope: needed')
      }
    for (const name of names) {
      const group = await groupNamed(name)
      if (group === null) issues.push(`groups: ${JSON.stringify(name)} does not exist`)
      // A list makes no administrators.
      else if (group.perm.admin) issues.push(`groups: ${JSON.stringify(name)} makes administrators`)
    }
    const { maxBytes, maxFiles } = limitsOf(person)
    if (maxBytes === undefined) issues.push('quota: not an amount')
    if (maxFiles === undefined) issues.push('files: not a number')
    return { issues, scope }
  }

  /** By its name, which may be a number. */
  async function groupNamed(name: string) {
    const group = await groups.named(name)
    return group !== null && usernameKey(group.name) === usernameKey(name) ? group : null
  }

  async function make(person: NewPerson, { mail, caller }: { mail: boolean; caller: Caller }): Promise<ImportedPerson> {
    const { username, address = '', scope = '', groups: names = [] } = person
    const now = await settings.read()
    const home = proposedHome(username, scope, now)
    const data = { ...fieldsOf(now), username }
    const account = await management.create({ what: 'user', which: [], data }, caller, { withoutPassword: true, home })
    const { id } = account
    if (address !== '') await setAddress({ addresses, users, bus }, { id, address, caller })
    for (const name of names) {
      const group = await groupNamed(name)
      if (group !== null) await groups.addMember(group.id, id, caller)
    }
    const { maxBytes = null, maxFiles = null } = limitsOf(person)
    if (maxBytes !== null || maxFiles !== null) {
      const { viewer, address: from } = caller
      await quotas.set({ kind: 'user', id }, { maxBytes, maxFiles }, { viewer, address: from })
    }
    const link = await passwordLinks.create(id, { mail: mail && address !== '' }, caller)
    return { state: 'made', issues: [], scope: account.scope, id, secret: link.secret, mailedTo: link.mailedTo }
  }

  /** A list makes no administrators, whatever new accounts get. */
  function fieldsOf({ defaults }: Pick<Settings, 'defaults'>) {
    return { ...defaults, perm: { ...defaults.perm, admin: false }, rules: [] }
  }

  async function importOne(
    person: NewPerson,
    { preview, ...options }: { preview: boolean; mail: boolean; caller: Caller },
  ): Promise<ImportedPerson> {
    const { issues, scope } = await examine(person)
    if (issues.length > 0) return refused(issues)
    const existing = await users.findByName(person.username)
    if (existing !== null) return { ...NOBODY, state: 'exists', issues, scope: existing.scope }
    if (preview) return { ...NOBODY, state: 'new', issues, scope }
    try {
      return await make(person, options)
    } catch (error) {
      if (isAppError(error, 'name-taken')) return refused(['scope: the folder belongs to another account'])
      if (isAppError(error, 'invalid-input')) return refused(error.detail.issues)
      throw error
    }
  }

  return {
    /** The account that a line of a list would become; null if it is refused, or there is one of that name. */
    async planned(person: NewPerson) {
      const { issues, scope } = await examine(person)
      if (issues.length > 0 || scope === null || (await users.findByName(person.username)) !== null) return null
      const named = await Promise.all((person.groups ?? []).map(groupNamed))
      const { perm, rules, hideDotfiles } = fieldsOf(await settings.read())
      return { username: person.username, scope, perm, rules, hideDotfiles, groups: named.flatMap((group) => group?.id ?? []) }
    },

    /** Of accounts that are named twice, one change is made. Fails with `proof-needed`, and with `not-found` for a group. */
    async change(ids: readonly number[], change: PeopleAction, caller: Caller): Promise<ResultOf<typeof calls.change>> {
      if ('group' in change && (await groups.named(String(change.group))) === null) fail('not-found', {})
      await requireProof(caller)
      const result: ResultOf<typeof calls.change> = { changed: [], refused: [] }
      for (const id of new Set(ids))
        try {
          await changeOne(id, change, caller)
          result.changed.push(id)
        } catch (error) {
          if (!isAppError(error, 'not-found') && !isAppError(error, 'forbidden') && !isAppError(error, 'busy')) throw error
          result.refused.push({ id, error: error.code })
        }
      return result
    },

    /** Fails with `proof-needed`, and with `invalid-input` if people sign in elsewhere; a line that is refused does not keep the others out. */
    async import(
      list: readonly NewPerson[],
      { preview, mail, caller }: { preview: boolean; mail: boolean; caller: Caller },
    ): Promise<ImportedPerson[]> {
      if (!havePasswords(await settings.read())) fail('invalid-input', { issues: ['authMethod: people sign in elsewhere'] })
      if (!preview) await requireProof(caller)
      const results: ImportedPerson[] = []
      const seen = new Set<string>()
      for (const person of list) {
        const key = usernameKey(person.username)
        const isSecond = seen.has(key) && usernameProblem(person.username) === null
        seen.add(key)
        results.push(isSecond ? refused(['username: twice in the list']) : await importOne(person, { preview, mail, caller }))
      }
      return results
    },
  }
}

/** Null for no limit, undefined for what is none. */
function limitsOf({ quota = '', files = '' }: NewPerson) {
  return {
    maxBytes: quota.trim() === '' ? null : parseBytes(quota, 'G'),
    maxFiles: files.trim() === '' ? null : parseCount(files),
  }
}

function refused(issues: string[]): ImportedPerson {
  return { ...NOBODY, state: 'refused', issues, scope: null }
}
