import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './save-bar.module.css'

export interface SaveBarProps {
  /** Number of changed fields. */
  changes: number
  /** Label of the save button. */
  label: string
  busy: boolean
  /** Whether the record is new. */
  isNew?: boolean
  onDiscard: () => void
}

/** Sticky bar below a form: number of changes, Discard and Save. Save submits the surrounding form. */
export function SaveBar({ changes, label, busy, isNew = false, onDiscard }: SaveBarProps) {
  return (
    <div className={styles.bar} data-part="save-bar">
      <p className={styles.text} role="status">
        {changes > 0 ? t('form.unsaved', { count: changes }) : isNew ? null : t('form.saved')}
      </p>
      {changes > 0 && <Button label={t('form.discard')} variant="quiet" onClick={onDiscard} disabled={busy} />}
      <Button label={label} type="submit" variant="primary" busy={busy} disabledReason={changes === 0 ? t('form.nothing') : null} />
    </div>
  )
}
