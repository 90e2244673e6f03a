import { Sorting, ViewMode, type Permissions } from '../../shared/contract/users.ts'
import { ALL_RIGHTS, NO_RIGHTS, RIGHTS } from '../access/permissions.ts'
import type { Granted } from '../users/provision.ts'

/** What the operator's program says about somebody who wants to sign in. */
export interface HookReply {
  /** `auth` accepts, `pass` checks our own passwords, `block` refuses; anything else is an error. */
  readonly action: string
  /** What it grants, applied to the existing values. */
  grantedOver(before: Before): Granted
}

interface Before {
  readonly perm: Permissions
  readonly sorting: Sorting
}

const MAX_LOCALE_CHARS = 64

/** Lines of `key=value`; of two with the same key the last counts. Other lines and unknown keys are ignored. */
export function readHookReply(stdout: string): HookReply {
  const said = new Map<string, string>()
  for (const line of stdout.split('\n')) {
    const [, key, value] = /^([^=]*)=(.*)$/s.exec(line) ?? []
    if (key !== undefined && value !== undefined) said.set(key.trim(), value.trim())
  }
  const flag = (key: string): boolean | undefined => (said.has(key) ? said.get(key) === 'true' : undefined)
  return {
    action: said.get('hook.action') ?? '',
    grantedOver: (before) =>
      withoutMissing({
        scope: said.get('user.scope'),
        locale: said.get('user.locale')?.slice(0, MAX_LOCALE_CHARS),
        viewMode: ViewMode.safeParse(said.get('user.viewMode')).data,
        singleClick: flag('user.singleClick'),
        redirectAfterCopyMove: flag('user.redirectAfterCopyMove'),
        hideDotfiles: flag('user.hideDotfiles'),
        commands: said
          .get('user.commands')
          ?.split(' ')
          .filter((command) => command !== ''),
        sorting: sortingOver(before.sorting, { by: said.get('user.sorting.by'), asc: flag('user.sorting.asc') }),
        perm: permOver(before.perm, flag),
      }),
  }
}

function sortingOver(before: Sorting, { by, asc }: { by: string | undefined; asc: boolean | undefined }): Sorting | undefined {
  const known = Sorting.shape.by.safeParse(by).data
  return known === undefined && asc === undefined ? undefined : { by: known ?? before.by, asc: asc ?? before.asc }
}

/** An administrator has every right. */
function permOver(before: Permissions, flag: (key: string) => boolean | undefined): Permissions | undefined {
  const named = RIGHTS.filter((right) => flag(`user.perm.${right}`) !== undefined)
  if (named.length === 0) return undefined
  if (flag('user.perm.admin') === true) return ALL_RIGHTS
  return named.reduce((perm, right) => ({ ...perm, [right]: flag(`user.perm.${right}`) === true }), { ...NO_RIGHTS, ...before })
}

function withoutMissing(granted: { [Key in keyof Granted]: Granted[Key] | undefined }): Granted {
  // Proven by the filter: the remaining values have their own types.
  return Object.fromEntries(Object.entries(granted).filter(([, value]) => value !== undefined)) as Granted
}
