import { useQuery } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import { documentTextQuery } from '../../../data/document-text.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './document-text.module.css'

/** The text of an office document, if the server can extract it. */
export function DocumentText({ name, path, modified }: { name: string; path: FilePath; modified: number }) {
  const { data, isPending } = useQuery(documentTextQuery(path, modified))
  if (isPending)
    return (
      <p className="row gap-4 muted" role="status">
        <Spinner size={18} /> {t('preview.text.wait')}
      </p>
    )
  if (data === undefined || data.text === '') return null
  return (
    <div
      className={styles.paper}
      role="region"
      aria-label={t('preview.text.of', { name: displayName(name) })}
      tabIndex={0}
      data-own-keys
      data-part="document-text"
    >
      <p className={styles.note}>{t(data.isCut ? 'preview.text.cut' : 'preview.text.only')}</p>
      <div className={styles.text} dir="auto">
        {data.text}
      </div>
    </div>
  )
}
