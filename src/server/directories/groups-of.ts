import type { Conversation } from './conversation.ts'
import type { StoredDirectory } from './directory.ts'
import { canonicalDn, filterValue } from './ldap-text.ts'
import type { DirectoryPerson } from './person.ts'
import { DirectoryProblem } from './problem.ts'

/** Of one person, nested ones included. */
const MOST_GROUPS = 2000
const MOST_LEVELS = 20
/** Names in one filter. */
const AT_ONCE = 40

/** LDAP_MATCHING_RULE_IN_CHAIN of Active Directory: follows nested groups in the server. */
const IN_CHAIN = '1.2.840.113556.1.4.1941'

/** Each search asks for names only, whatever the number of members of a group. */
const NAMES = ['1.1']

/**
 * The groups of a person by their canonical names, in any order; groups that lead in a circle count once. Throws `DirectoryProblem` rather than
 * leaving some out.
 */
export async function groupsOf(
  conversation: Conversation,
  directory: StoredDirectory,
  person: DirectoryPerson,
): Promise<ReadonlySet<string>> {
  const { groupWay, nested, memberAttribute } = directory
  const found = new Map<string, string>()
  if (groupWay === 'none') return new Set()
  if (groupWay === 'chain') {
    for (const dn of await search(`(${memberAttribute}:${IN_CHAIN}:=${filterValue(person.dn)})`)) add(dn)
    return new Set(found.keys())
  }
  let next = groupWay === 'memberOf' ? person.memberOf.filter(add) : (await withMembers([memberValue()])).filter(add)
  if (!nested) return new Set(found.keys())
  for (let level = 1; next.length > 0; level += 1) {
    if (level > MOST_LEVELS) throw new DirectoryProblem('wrong', `groups are nested more than ${MOST_LEVELS} times`)
    const above = groupWay === 'memberOf' ? await memberOf(next) : await withMembers(next)
    next = above.filter(add)
  }
  return new Set(found.keys())

  /** @returns whether it was not known yet */
  function add(dn: string): boolean {
    const key = canonicalDn(dn)
    if (key === null || found.has(key)) return false
    if (found.size >= MOST_GROUPS) throw new DirectoryProblem('wrong', `more than ${MOST_GROUPS} groups`)
    found.set(key, dn)
    return true
  }

  function memberValue(): string {
    if (memberAttribute.toLowerCase() !== 'memberuid') return person.dn
    return person.username ?? ''
  }

  async function withMembers(members: readonly string[]): Promise<string[]> {
    const groups: string[] = []
    for (let at = 0; at < members.length; at += AT_ONCE) {
      const parts = members
        .slice(at, at + AT_ONCE)
        .flatMap((member) => (member === '' ? [] : [`(${memberAttribute}=${filterValue(member)})`]))
      if (parts.length > 0) groups.push(...(await search(`(|${parts.join('')})`)))
    }
    return groups
  }

  async function search(condition: string): Promise<string[]> {
    const { groupBaseDn, groupFilter, baseDn } = directory
    const asked = {
      base: groupBaseDn === '' ? baseDn : groupBaseDn,
      scope: 'sub',
      filter: groupFilter === '' ? condition : `(&${groupFilter}${condition})`,
      attributes: NAMES,
      most: MOST_GROUPS,
    } as const
    const entries = await conversation.search(asked)
    if (entries.length > MOST_GROUPS) throw new DirectoryProblem('wrong', `more than ${MOST_GROUPS} groups`)
    return entries.map(({ dn }) => dn)
  }

  /** What the groups themselves are members of; one that cannot be read is in none. */
  async function memberOf(groups: readonly string[]): Promise<string[]> {
    const above: string[] = []
    for (const base of groups) {
      const asked = { base, scope: 'base', filter: '(objectClass=*)', attributes: ['memberOf'], most: 1 } as const
      const [entry] = await conversation.search(asked).catch(unlessHidden)
      above.push(...(entry?.texts('memberOf') ?? []))
    }
    return above
  }
}

/** A group that is gone, or hidden from who searches, is in no other. */
function unlessHidden(error: unknown): [] {
  if (error instanceof DirectoryProblem && error.kind === 'wrong') return []
  throw error
}
