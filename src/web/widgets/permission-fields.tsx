import { useId } from 'react'
import type { Right } from '../../shared/contract/endpoint.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { t } from '../i18n/i18n.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import styles from './permission-fields.module.css'
import { lockOf, withRight } from './permissions.ts'

const FILES: readonly Right[] = ['create', 'delete', 'download', 'modify', 'rename']

export interface PermissionFieldsProps {
  perm: Permissions
  /** Whether commands are enabled on the server. */
  execution: boolean
  onPerm: (perm: Permissions) => void
}

/** Permission checkboxes: administration, then files. */
export function PermissionFields({ perm, execution, onPerm }: PermissionFieldsProps) {
  const people: readonly Right[] = execution ? ['admin', 'execute', 'share'] : ['admin', 'share']
  return (
    <div className={styles.groups}>
      <Group title={t('perm.people')} rights={people} perm={perm} onPerm={onPerm} />
      <Group title={t('perm.files')} rights={FILES} perm={perm} onPerm={onPerm} />
    </div>
  )
}

function Group({ title, rights, perm, onPerm }: { title: string; rights: readonly Right[] } & Omit<PermissionFieldsProps, 'execution'>) {
  const id = useId()
  const reasons = new Set(rights.map((right) => lockOf(perm, right)).filter((reason) => reason !== null))
  return (
    <fieldset className={styles.group} aria-describedby={reasons.size > 0 ? id : undefined}>
      <legend className={styles.title}>{title}</legend>
      {rights.map((right) => (
        <Checkbox
          key={right}
          className={styles.right}
          label={t(`perm.${right}`)}
          checked={perm[right]}
          disabled={lockOf(perm, right) !== null}
          onChecked={(on) => onPerm(withRight(perm, right, on))}
        />
      ))}
      <p id={id} className={styles.reason} aria-live="polite">
        {reasons.has('admin') ? t('perm.locked.admin') : reasons.has('share') ? t('perm.locked.share') : null}
      </p>
    </fieldset>
  )
}
