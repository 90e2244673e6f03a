import type { Reach, RightsSource, SeeingReason, Whose } from '../../shared/contract/explain.ts'
import { FILE_RIGHTS, type Grant } from '../../shared/contract/rights.ts'
import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, pathFrom } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import { rightsInScope } from '../access/access.ts'
import type { Settings } from '../settings/settings.ts'
import { accessOf, type Granted, grantsIn } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'

export type ExplainedAccount = Pick<Account, 'id' | 'username' | 'scope' | 'perm' | 'rules' | 'hideDotfiles' | 'disabled'>

export interface ExplainInput {
  readonly account: ExplainedAccount
  readonly settings: Pick<Settings, 'rules'>
  readonly granted: Granted
  /** The folder of the account with links resolved; null if it does not exist. */
  readonly scope: FilePath | null
  /** The node with links resolved. */
  readonly place: FilePath
}

/** What an account can do with a node, and why: from the same Access with which its requests are decided. */
export function explainReach({ account, settings, granted, scope, place }: ExplainInput): Reach {
  const { id, username } = account
  const unseen = (reason: SeeingReason): Reach => ({ id, username, sees: false, reason, rights: [], source: null })
  if (account.disabled) return unseen({ kind: 'disabled' })
  const path = scope === null ? null : pathFrom(scope, place)
  if (path === null) return unseen({ kind: 'outside', scope: cleanScope(account.scope) })
  const access = accessOf(account, settings, granted)
  const verdict = access.rules.verdict(path)
  if (verdict === 'hidden') return unseen({ kind: 'dotfile' })
  const reason = ruleReason() ?? { kind: 'scope' }
  if (verdict === 'denied') return unseen(reason)
  const may = rightsInScope(access, path)
  return { id, username, sees: true, reason, rights: FILE_RIGHTS.filter((right) => may[right]), source: sourceOf() }

  function ruleReason(): SeeingReason | null {
    const at = access.rules.deciding(path as FilePath)
    if (at === null) return null
    const lists: (readonly Rule[])[] = [settings.rules, ...granted.groups.map(({ rules }) => rules), account.rules]
    const rule = lists[at.list]?.[at.index]
    if (rule === undefined) return null
    const text = rule.regex ? (rule.regexp?.raw ?? '') : rule.path
    return { kind: 'rule', allow: rule.allow, whose: whose(at.list), regex: rule.regex, rule: text }
  }

  function sourceOf(): RightsSource {
    if (access.may.admin) {
      const group = account.perm.admin ? null : granted.groups.find(({ perm }) => perm.admin)
      return { kind: 'administrator', group: group?.name ?? null }
    }
    const at = access.rules.grants.deciding(path as FilePath)
    const grant = at === null ? undefined : grantAt(granted.grants[at.list] ?? [], at.index)
    if (at !== null && grant !== undefined) return { kind: 'grant', whose: whose(at.list), regex: grant.regex, path: grant.path }
    const adding = granted.groups.filter(({ perm }) => FILE_RIGHTS.some((right) => perm[right] && !account.perm[right]))
    return { kind: 'account', groups: adding.map(({ name }) => name) }
  }

  /** As it is stored; positions count only those that are about the account's folder. */
  function grantAt(grants: readonly Grant[], index: number): Grant | undefined {
    return grants.filter((grant) => grantsIn(access.scope, [grant]).length > 0)[index]
  }

  /** Lists are everybody's, those of the groups in their order, and the person's own. */
  function whose(list: number): Whose {
    if (list === 0) return { kind: 'everybody', name: '' }
    const group = granted.groups[list - 1]
    return group === undefined ? { kind: 'user', name: username } : { kind: 'group', name: group.name }
  }
}
