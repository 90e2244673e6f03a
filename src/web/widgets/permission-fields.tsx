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
  const id = useId()
  const people: readonly Right[] = execution ? ['admin', 'execute', 'share'] : ['admin', 'share']
  const reasons = new Set([...people, ...FILES].map((right) => lockOf(perm, right)))
  return (
    <div className="grid gap-4">
      <div className={styles.groups}>
        <Group title={t('perm.people')} rights={people} perm={perm} reasonId={id} onPerm={onPerm} />
        <Group title={t('perm.files')} rights={FILES} perm={perm} reasonId={id} onPerm={onPerm} />
      </div>
      <p id={id} className={styles.reason} aria-live="polite">
        {reasons.has('admin') ? t('perm.locked.admin') : reasons.has('share') ? t('perm.locked.share') : null}
      </p>
    </div>
  )
}

interface GroupProps extends Omit<PermissionFieldsProps, 'execution'> {
  title: string
  rights: readonly Right[]
  /** The words that say why some cannot be changed. */
  reasonId: string
}

function Group({ title, rights, perm, reasonId, onPerm }: GroupProps) {
  const isLocked = rights.some((right) => lockOf(perm, right) !== null)
  return (
    <fieldset className={styles.group} aria-describedby={isLocked ? reasonId : undefined}>
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
    </fieldset>
  )
}
