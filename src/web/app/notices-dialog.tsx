import { useNotices } from '../data/notices.ts'
import type { PromptProps } from '../data/prompts.ts'
import { formatDate } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './notices-dialog.module.css'

export function NoticesDialog({ onDismiss }: PromptProps<'notices'>) {
  const past = useNotices((state) => state.past)
  return (
    <Dialog title={t('frame.notices.past')} size="small" closeLabel={t('action.close')} onDismiss={onDismiss}>
      {past.length === 0 ? (
        <p className={styles.none}>{t('frame.notices.none')}</p>
      ) : (
        <ol>
          {past.map((notice) => (
            <li key={notice.id} className={styles.notice} data-tone={notice.tone}>
              <div className="shrinkable">
                <p>{notice.text}</p>
                {notice.output && <pre className={styles.output}>{notice.output}</pre>}
              </div>
              <bdi className={styles.when}>{formatDate(notice.at)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  )
}
