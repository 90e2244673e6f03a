import { t } from '../i18n/i18n.tsx'
import { classes } from '../ui/classes.ts'
import { Spinner } from '../ui/spinner.tsx'

/** A spinner in the middle of the space that the content will take. */
export function Loading({ height, size = 22, tone }: { height: string; size?: number; tone?: 'muted' | 'faint' }) {
  return (
    <div className={classes('centered', tone)} style={{ minBlockSize: height }} role="status" aria-label={t('app.loading')}>
      <Spinner size={size} />
    </div>
  )
}
