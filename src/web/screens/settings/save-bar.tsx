import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './save-bar.module.css'

export interface SaveBarProps {
  /** How many places differ from what is saved. */
  changes: number
  /** What the saving button says. */
  label: string
  busy: boolean
  /** Whether nothing of it has ever been saved. */
  isNew?: boolean
  onDiscard: () => void
}

/** Stays in sight below a long form: what is unsaved, and the two ways on. The saving button submits the form that it stands in. */
export function SaveBar({ changes, label, busy, isNew = false, onDiscard }: SaveBarProps) {
  return (
    <div className={styles.bar} data-part="save-bar">
      <p className={styles.text} role="status">
        {changes > 0 ? t('form.unsaved', { count: changes }) : isNew ? null : t('form.saved')}
      </p>
      {changes > 0 && (
        <Button variant="quiet" onClick={onDiscard} disabled={busy}>
          {t('form.discard')}
        </Button>
      )}
      <Button type="submit" variant="primary" busy={busy} disabledReason={changes === 0 ? t('form.nothing') : null}>
        {label}
      </Button>
    </div>
  )
}
