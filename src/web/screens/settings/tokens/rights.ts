import type { Right } from '../../../../shared/contract/endpoint.ts'
import type { Permissions } from '../../../../shared/contract/users.ts'
import { t } from '../../../i18n/i18n.tsx'
import { formatList } from '../../../i18n/list.ts'

/** The rights in the order of the dialog: the harmless ones first. */
export const TOKEN_RIGHTS: readonly Right[] = ['download', 'create', 'modify', 'rename', 'delete', 'share', 'execute', 'admin']

/** What a token may do, as words. */
export function rightWords(perm: Permissions): string {
  if (perm.admin) return t('perm.admin')
  const granted = TOKEN_RIGHTS.filter((right) => perm[right])
  return granted.length === 0 ? t('tokens.rights.none') : formatList(granted.map((right) => t(`perm.${right}`)))
}

/** Rights that do not go together with one folder. */
export function needsWholeTree(right: Right): boolean {
  return right === 'admin' || right === 'execute'
}
