import type { AuditDetail, AuditEntry } from '../../../../shared/contract/audit.ts'
import { formatDateExact } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './activity-screen.module.css'

/** One line each; on phones a card. */
export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <div className={styles.entries}>
      <Table label={t('activity.title')} columns={columns()} rows={entries} rowKey={({ id }) => String(id)} />
    </div>
  )
}

function columns(): Column<AuditEntry>[] {
  return [
    {
      id: 'kind',
      label: t('activity.kind'),
      render: ({ kind }) => (
        <span className={styles.kind} data-kind={kind}>
          {t(`activity.kind.${kind}`)}
        </span>
      ),
    },
    {
      id: 'who',
      label: t('activity.who'),
      render: ({ who, address }) => <Name text={who === '' && address === 'cli' ? t('activity.operator') : who} />,
    },
    { id: 'subject', label: t('activity.subject'), render: ({ subject }) => <Name text={subject} /> },
    { id: 'details', label: t('activity.details'), render: ({ details }) => <Details details={details} /> },
    {
      id: 'address',
      label: t('activity.address'),
      render: ({ address }) => <Name text={address === 'cli' ? t('activity.cli') : address} />,
    },
    {
      id: 'time',
      label: t('activity.time'),
      render: ({ time }) => <time dateTime={new Date(time).toISOString()}>{formatDateExact(new Date(time))}</time>,
    },
  ]
}

function Name({ text }: { text: string }) {
  return text === '' ? <span className={styles.nothing}>–</span> : <bdi className={styles.name}>{displayName(text)}</bdi>
}

/** What became of what; where nothing is told, only that it changed. */
function Details({ details }: { details: readonly AuditDetail[] }) {
  if (details.length === 0) return <Name text="" />
  return (
    <ul className={styles.details}>
      {details.map(({ place, before, after }) => (
        <li key={place} dir="ltr">
          <code>{place}</code>
          {(before !== null || after !== null) && (
            <>
              {': '}
              {before !== null && (
                <>
                  <bdi>{displayName(before) || '–'}</bdi>
                  {' → '}
                </>
              )}
              <bdi>{displayName(after ?? '') || '–'}</bdi>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
