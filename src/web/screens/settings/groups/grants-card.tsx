import { FolderPlus, X } from 'lucide-react'
import { useState } from 'react'
import type { Subject } from '../../../../shared/contract/groups.ts'
import { type FileRight, ROLES } from '../../../../shared/contract/rights.ts'
import { useGrants, useSetGrant } from '../../../data/groups.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { RoleSelect } from '../../../widgets/role-select.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { useChooseScope } from '../scope-paths.ts'
import styles from './lines.module.css'

/** Folders on which a group or a person has a role instead of the rights of the account; each change is saved at once. */
export function GrantsCard({ who }: { who: Subject }) {
  const { data: grants = [] } = useGrants(who)
  const [rights, setRights] = useState<FileRight[]>([...ROLES.viewer])
  const set = useSetGrant()
  const chooseFolder = useChooseScope()
  const add = async () => {
    const path = await chooseFolder()
    if (path !== null) set.mutate({ who, regex: false, path, rights })
  }
  return (
    <div className="grid gap-5" data-part="grants">
      {grants.length === 0 ? (
        <p className="muted text-small">{t('grants.none')}</p>
      ) : (
        <ul className={styles.lines} aria-label={t('grants.title')}>
          {grants.map(({ regex, path, rights: given }) => (
            <li key={`${regex} ${path}`} className={styles.line}>
              <bdi dir="ltr" className={styles.path}>
                {displayName(path)}
              </bdi>
              <RoleSelect
                label={t('access.role-of', { name: displayName(path) })}
                labelHidden
                rights={given}
                disabled={set.isPending}
                onRights={(next) => set.mutate({ who, regex, path, rights: next })}
              />
              <IconButton
                label={t('access.remove', { name: displayName(path) })}
                icon={X}
                disabled={set.isPending}
                onClick={() => set.mutate({ who, regex, path, rights: null })}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.adding}>
        <RoleSelect label={t('access.role')} rights={rights} onRights={setRights} />
        <Button label={t('grants.add')} icon={FolderPlus} busy={set.isPending} onClick={() => void add()} />
      </div>
      <div role="alert">{set.error !== null && <FieldMessage tone="error" text={errorText(set.error)} />}</div>
    </div>
  )
}
