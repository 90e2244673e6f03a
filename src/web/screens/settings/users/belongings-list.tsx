import type { Belongings, HandOverChoice, ShareObstacle } from '../../../../shared/contract/hand-over.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { displayName } from '../../../widgets/display-name.ts'

const OBSTACLES: Record<ShareObstacle, MessageKey> = {
  'out-of-reach': 'leave.obstacle.out-of-reach',
  hidden: 'leave.obstacle.hidden',
  'no-right': 'leave.obstacle.no-right',
  'shows-more': 'leave.obstacle.shows-more',
  theirs: 'leave.obstacle.theirs',
}

export interface BelongingsListProps {
  readonly found: Belongings
  readonly choice: Pick<HandOverChoice, 'files' | 'shares' | 'account'>
  /** Whether a successor is chosen. */
  readonly isChosen: boolean
  /** Whose they are. */
  readonly name: string
}

interface Line {
  readonly what: string
  readonly amount: string
  /** What becomes of it. */
  readonly notes: readonly string[]
}

/** What somebody leaves, and what would become of each of it. */
export function BelongingsList(props: BelongingsListProps) {
  const columns: Column<Line>[] = [
    { id: 'what', label: t('leave.what'), render: ({ what }) => what },
    { id: 'amount', label: t('files.column.size'), render: ({ amount }) => <bdi>{amount}</bdi> },
    {
      id: 'notes',
      label: t('leave.start'),
      render: ({ notes }) => (
        <span className="grid break-anywhere">
          {notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
      ),
    },
  ]
  return <Table label={t('leave.what')} columns={columns} rows={linesOf(props)} rowKey={({ what }) => what} />
}

function linesOf({ found, choice, isChosen, name }: BelongingsListProps): Line[] {
  const withAccount = t(choice.account === 'delete' ? 'leave.note.gone' : 'leave.note.stay')
  const counted = (what: string, count: number, note: string): Line[] =>
    count === 0 ? [] : [{ what, amount: String(count), notes: [note] }]
  const { quota, trash } = found
  const limits = [quota.bytes === null ? '' : formatBytes(quota.bytes), quota.files === null ? '' : String(quota.files)].filter(
    (text) => text !== '',
  )
  return [
    { what: t('title.files'), amount: sizeOf(found), notes: filesOf(found, choice, { isChosen, name }) },
    ...(found.given === 0
      ? []
      : [{ what: t('title.shares'), amount: t('leave.given', { count: found.given }), notes: sharesOf(found, choice, isChosen) }]),
    ...counted(t('leave.versions'), found.versions, t('leave.note.files')),
    ...counted(t('leave.tokens'), found.tokens + found.sessions, t('leave.note.end')),
    ...counted(t('title.groups'), found.groups.length, withAccount),
    ...counted(t('leave.roles'), found.roles, withAccount),
    ...counted(t('leave.received'), found.received, withAccount),
    ...counted(t('factors.devices'), found.devices, withAccount),
    ...(limits.length === 0 ? [] : [{ what: t('quota.title'), amount: limits.join(' · '), notes: [withAccount] }]),
    ...(trash.count === 0
      ? []
      : [{ what: t('title.trash'), amount: `${trash.count} · ${formatBytes(trash.bytes)}`, notes: [t('leave.note.trash')] }]),
  ]
}

function sizeOf({ home: { files, bytes, isCounted, state } }: Belongings): string {
  if (state !== 'own') return ''
  const text = t('leave.home', { files, size: formatBytes(bytes) })
  return isCounted ? text : `≥ ${text}`
}

function filesOf(
  { home, folder }: Belongings,
  { files }: BelongingsListProps['choice'],
  { isChosen, name }: { isChosen: boolean; name: string },
): string[] {
  if (home.state !== 'own') return [t(home.state === 'shared' ? 'leave.home.shared' : 'leave.home.missing')]
  if (files === 'stay' || !isChosen || folder === null) return [displayName(home.path)]
  return [
    t('leave.home.to', { path: displayName(folder) }),
    ...(home.hidden > 0 ? [t('leave.home.hidden', { count: home.hidden })] : []),
    ...(home.revealed > 0 ? [t('leave.home.revealed', { count: home.revealed, name })] : []),
  ]
}

/** Those that do not pass, one by one. */
const MOST_NAMED = 10

function sharesOf({ shares, passing }: Belongings, choice: BelongingsListProps['choice'], isChosen: boolean): string[] {
  if (choice.shares === 'end') return [t('leave.note.end')]
  if (!isChosen) return []
  const refused = shares.flatMap(({ path, obstacle }) => (obstacle === null ? [] : [`${displayName(path)}: ${t(OBSTACLES[obstacle])}`]))
  return [t('leave.given.pass', { count: passing }), ...refused.slice(0, MOST_NAMED), ...(refused.length > MOST_NAMED ? ['…'] : [])]
}
