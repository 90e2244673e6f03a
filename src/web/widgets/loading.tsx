import { t } from '../i18n/i18n.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** A spinner in the middle of the space that the content will take. */
export function Loading({ height, size = 22 }: { height: string; size?: number }) {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minBlockSize: height }} role="status" aria-label={t('app.loading')}>
      <Spinner size={size} />
    </div>
  )
}
