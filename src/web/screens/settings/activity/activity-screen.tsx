import { Download, History } from 'lucide-react'
import { useState } from 'react'
import { activityFile, useActivity } from '../../../data/audit.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button, buttonClassName } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { Failure, failureKind } from '../../../widgets/failure.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { Entries } from './entries.tsx'
import { FilterForm } from './filter-form.tsx'
import styles from './activity-screen.module.css'
import { NO_FILTER, filterOf } from './filter.ts'

/** Activity log: sign-ins and administrative changes, newest first. */
export function ActivityScreen() {
  const [fields, setWish] = useState(NO_FILTER)
  const filter = filterOf(fields)
  const form = <FilterForm wish={fields} onWish={setWish} />
  // On phones the form is collapsed, because it would fill the screen.
  const isPhone = usePhone()
  return (
    <div className="grid gap-6" data-part="activity">
      <div className="row wrap gap-5">
        <div className={styles.words}>
          <h2 className="grow text-section tracking-none">{t('activity.title')}</h2>
          <p className={styles.text}>{t('activity.text')}</p>
        </div>
        <div className={styles.exports}>
          <a className={buttonClassName({ size: 'small' })} href={activityFile(filter, 'csv')} download>
            <Download size={16} strokeWidth={1.75} aria-hidden />
            {t('activity.csv')}
          </a>
          <a className={buttonClassName({ size: 'small' })} href={activityFile(filter, 'jsonl')} download>
            <Download size={16} strokeWidth={1.75} aria-hidden />
            {t('activity.jsonl')}
          </a>
        </div>
      </div>
      {isPhone ? <Disclosure label={t('activity.filter')}>{form}</Disclosure> : form}
      <Found filter={filter} />
    </div>
  )
}

function Found({ filter }: { filter: ReturnType<typeof filterOf> }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useActivity(filter)
  if (data === undefined) {
    if (error !== null) return <Failure kind={failureKind(error)} error={error} onRetry={() => void refetch()} />
    return <Loading height="200px" size={24} tone="faint" />
  }
  const entries = data.pages.flatMap((page) => page.entries)
  return (
    <>
      <p role="status" className="sr-only">
        {t('activity.count', { count: entries.length })}
      </p>
      {entries.length === 0 ? (
        <EmptyState
          picture={<History size={56} strokeWidth={1.25} />}
          title={Object.keys(filter).length === 0 ? t('activity.empty') : t('activity.none')}
        />
      ) : (
        <Entries entries={entries} />
      )}
      {hasNextPage && (
        <div>
          <Button label={t('activity.more')} busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        </div>
      )}
    </>
  )
}
