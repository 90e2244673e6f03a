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
    { id: 'kind', label: t('activity.kind'), render: (entry) => <What entry={entry} /> },
    { id: 'who', label: t('activity.who'), render: (entry) => <Who entry={entry} /> },
    { id: 'details', label: t('activity.details'), render: ({ details }) => <Details details={details} /> },
    {
      id: 'time',
      label: t('activity.time'),
      render: ({ time }) => <time dateTime={new Date(time).toISOString()}>{formatDateExact(new Date(time))}</time>,
    },
  ]
}

/** What it was, and to whom or what; who signed in is told beside. */
function What({ entry: { kind, who, subject } }: { entry: AuditEntry }) {
  return (
    <span className={styles.pair}>
      <span data-kind={kind}>{t(`activity.kind.${kind}`)}</span>
      {subject !== who && <Minor text={subject} />}
    </span>
  )
}

function Who({ entry: { who, address } }: { entry: AuditEntry }) {
  const isOperator = address === 'cli'
  return (
    <span className={styles.pair}>
      <Name text={isOperator && who === '' ? t('activity.operator') : who} />
      <Minor text={isOperator ? t('activity.cli') : address} />
    </span>
  )
}

function Minor({ text }: { text: string }) {
  return text === '' ? null : <bdi className={styles.minor}>{displayName(text)}</bdi>
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
