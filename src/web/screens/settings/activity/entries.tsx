import { ArrowRight } from 'lucide-react'
import type { AuditDetail, AuditEntry } from '../../../../shared/contract/audit.ts'
import { formatDateExact } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Link } from '../../../router/router.tsx'
import { classes } from '../../../ui/classes.ts'
import { type Column, Table } from '../../../ui/table.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import styles from './activity-screen.module.css'
import { useKnownShares } from '../../../data/shares.ts'
import { useUserNames } from '../../../data/users.ts'
import { formatDetail, isKnown, humanize } from './format-detail.ts'

/** One row per entry; cards on phones. */
export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const links = useLinks()
  return (
    <div className={styles.entries}>
      <Table label={t('activity.title')} columns={columns(links)} rows={entries} rowKey={({ id }) => String(id)} />
    </div>
  )
}

function columns(links: Links): Column<AuditEntry>[] {
  return [
    { id: 'kind', label: t('activity.kind'), render: (entry) => <What entry={entry} links={links} /> },
    { id: 'who', label: t('activity.who'), render: (entry) => <Who entry={entry} links={links} /> },
    { id: 'details', label: t('activity.details'), render: ({ details }) => <Details details={details} /> },
    {
      id: 'time',
      label: t('activity.time'),
      render: ({ time }) => <time dateTime={new Date(time).toISOString()}>{formatDateExact(new Date(time))}</time>,
    },
  ]
}

/** The event and its subject; the actor has a column of its own. */
function What({ entry, links }: { entry: AuditEntry; links: Links }) {
  const { kind, who, subject } = entry
  return (
    <span className={styles.pair}>
      <span data-kind={kind}>{isKnown(kind) ? t(`activity.kind.${kind}`) : humanize(kind)}</span>
      {subject !== who && subject !== '' && (
        <span className="muted text-caption break-anywhere">
          <Linked text={kind === 'trail-exported' ? subject.toUpperCase() : subject} to={links.ofSubject(entry)} />
        </span>
      )}
    </span>
  )
}

function Who({ entry: { who, address }, links }: { entry: AuditEntry; links: Links }) {
  const isOperator = address === 'cli'
  return (
    <span className={styles.pair}>
      <Name text={isOperator && who === '' ? t('activity.operator') : who} to={links.ofPerson(who)} />
      <Minor text={isOperator ? t('activity.cli') : address} />
    </span>
  )
}

function Minor({ text }: { text: string }) {
  return text === '' ? null : <bdi className="muted text-caption break-anywhere">{displayName(text)}</bdi>
}

function Name({ text, to }: { text: string; to: string | null }) {
  if (text === '') return <span className={styles.nothing}>–</span>
  return (
    <span className="break-anywhere">
      <Linked text={text} to={to} />
    </span>
  )
}

/** Links to the subject if it still exists. */
function Linked({ text, to }: { text: string; to: string | null }) {
  const words = <bdi>{displayName(text)}</bdi>
  return to === null ? words : <Link to={to}>{words}</Link>
}

/** Changed values; only the field name if values are not recorded. */
function Details({ details }: { details: readonly AuditDetail[] }) {
  if (details.length === 0) return <span className={styles.nothing}>–</span>
  return (
    <ul className={styles.details}>
      {details.map((detail) => (
        <li key={detail.place}>
          <Detail detail={detail} />
        </li>
      ))}
    </ul>
  )
}

function Detail({ detail }: { detail: AuditDetail }) {
  const { label, before, after } = formatDetail(detail)
  const name = label ?? <code>{detail.place}</code>
  if (before === null && after === null) return name
  return (
    <>
      {name}:{' '}
      {before !== null && (
        <>
          <Value text={before} />
          <span className="sr-only"> → </span>
          <ArrowRight className={classes(styles.arrow, 'mirror')} size={13} strokeWidth={1.75} aria-hidden />
        </>
      )}
      <Value text={after ?? ''} />
    </>
  )
}

function Value({ text }: { text: string }) {
  return <bdi className="text-color">{displayName(text) || '–'}</bdi>
}

/** Their subject is a path or a format. */
const SUBJECT_IS_NO_PERSON = /^(trash|version|trail)-/

/** Links to the subjects of entries, if they still exist; otherwise null. */
type Links = ReturnType<typeof useLinks>

function useLinks() {
  const names = useUserNames({ enabled: true })
  const shares = useKnownShares()
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  const ofPerson = (name: string): string | null => (ids.has(name) ? `/settings/users/${ids.get(name)}` : null)
  return {
    ofPerson,
    ofSubject({ kind, who, subject }: Pick<AuditEntry, 'kind' | 'who' | 'subject'>): string | null {
      if (kind.startsWith('share-')) {
        // An administrator may have changed another user's share.
        const isThere = shares.some(({ path, userID }) => path === subject && (kind !== 'share-created' || names.get(userID) === who))
        return isThere ? '/settings/shares' : null
      }
      if (kind.startsWith('people-share-')) return '/settings/shares'
      if (kind === 'webhooks-changed') return '/settings/global'
      if (kind === 'providers-changed') return '/settings/sign-in'
      return SUBJECT_IS_NO_PERSON.test(kind) ? null : ofPerson(subject)
    },
  }
}
