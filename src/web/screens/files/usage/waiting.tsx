import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from './usage-dialog.module.css'

/** While the server does not know yet. */
export const ASK_AGAIN_MS = 3000

export function Waiting() {
  return (
    <div className={styles.waiting}>
      <Spinner size={28} />
    </div>
  )
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <Empty title={errorText(error)}>
        <Button variant="primary" onClick={onRetry}>
          {t('action.retry')}
        </Button>
      </Empty>
    </div>
  )
}

export function Unknown() {
  return (
    <div role="status">
      <Empty title={t('usage.unknown.title')} text={t('usage.unknown')} />
    </div>
  )
}
