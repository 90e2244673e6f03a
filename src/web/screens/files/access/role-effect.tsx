import type { Subject } from '../../../../shared/contract/groups.ts'
import type { FileRight } from '../../../../shared/contract/rights.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useRoleEffect } from '../../../data/explain.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { roleText } from '../../../widgets/role-select.tsx'

/** Whose rights a role would change, before it is given. */
export function RoleEffectText({ path, who, rights }: { path: FilePath; who: Subject | null; rights: readonly FileRight[] }) {
  const { data } = useRoleEffect(path, who, rights)
  if (who === null || data === undefined) return null
  const { count, examples } = data
  return (
    <div role="status" className="muted text-small" data-part="role-effect">
      <p>{t('access.effect', { count })}</p>
      {examples.length > 0 && (
        <ul>
          {examples.map(({ id, username, before, after }) => (
            <li key={id}>{t('access.effect.one', { name: displayName(username), before: roleText(before), after: roleText(after) })}</li>
          ))}
        </ul>
      )}
      {count > examples.length && <p>{t('access.effect.more', { count: count - examples.length })}</p>}
    </div>
  )
}
