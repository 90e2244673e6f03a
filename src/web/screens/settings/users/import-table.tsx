import type { ImportedPerson } from '../../../../shared/contract/people.ts'
import { ROOT } from '../../../../shared/file-path.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import type { ListedPerson } from './people-list.ts'
import styles from './import-screen.module.css'

/** Lines on show: the page stays usable with a long list. */
const SHOWN = 200
/** Characters of a cell on show. */
const LONGEST = 120

const STATES: Record<ImportedPerson['state'], MessageKey> = {
  new: 'import.state.new',
  made: 'import.state.made',
  exists: 'import.state.exists',
  refused: 'import.state.refused',
}

/** What the server says about a line, by how its text begins. */
const ISSUES: readonly (readonly [RegExp, MessageKey])[] = [
  [/^username: twice/, 'import.issue.twice'],
  [/^(data\.)?username/, 'import.issue.username'],
  [/^(data\.)?address/, 'mail.address.wrong'],
  [/^line: quotes/, 'import.issue.quotes'],
  [/^line: long/, 'import.issue.long'],
  [/^(data\.)?scope/, 'import.issue.scope'],
  [/^(quota|files)/, 'quota.bad'],
]

interface Line {
  readonly listed: ListedPerson
  readonly result: ImportedPerson
}

/** The lines of a list with what becomes of them; those that are refused come first. */
export function ImportTable({ people, results }: { people: readonly ListedPerson[]; results: readonly ImportedPerson[] }) {
  const lines = people.flatMap((listed, at): Line[] => {
    const result = results[at]
    return result === undefined ? [] : [{ listed, result }]
  })
  const sorted = [...lines.filter(({ result }) => result.state === 'refused'), ...lines.filter(({ result }) => result.state !== 'refused')]
  return (
    <>
      <Table label={t('import.lines')} columns={columns()} rows={sorted.slice(0, SHOWN)} rowKey={({ listed }) => String(listed.line)} />
      {sorted.length > SHOWN && <p className="muted text-small">{t('import.more', { count: sorted.length - SHOWN })}</p>}
    </>
  )
}

function columns(): Column<Line>[] {
  return [
    { id: 'username', label: t('user.username'), render: ({ listed }) => <bdi>{shortText(listed.person.username)}</bdi> },
    { id: 'line', label: t('import.line'), render: ({ listed }) => listed.line },
    {
      id: 'state',
      label: t('import.state'),
      render: ({ result }) => (
        <span className={result.state === 'refused' ? styles.wrong : undefined}>
          {result.issues.length === 0 ? t(STATES[result.state]) : result.issues.map(issueText).join(' ')}
        </span>
      ),
    },
    {
      id: 'scope',
      label: t('user.reach'),
      render: ({ result }) =>
        result.scope !== null && (
          <bdi dir="ltr" className={styles.scope} data-whole={isWhole(result) || undefined}>
            {displayName(result.scope)}
          </bdi>
        ),
    },
    {
      id: 'groups',
      label: t('groups.title'),
      render: ({ listed }) => shortText(listed.person.groups.join(', ')),
    },
    {
      id: 'mail',
      label: t('mail.address'),
      render: ({ listed, result }) => (
        <bdi dir="ltr">{result.mailedTo === null ? shortText(listed.person.address) : t('import.mailed', { to: result.mailedTo })}</bdi>
      ),
    },
  ]
}

/** A cell of the list: with wrong quotation marks it can be the rest of the file. */
export function shortText(cell: string): string {
  return displayName(cell.length > LONGEST ? `${cell.slice(0, LONGEST)}…` : cell)
}

/** The new account reaches everything that is served. */
export function isWhole({ state, scope }: ImportedPerson): boolean {
  return (state === 'new' || state === 'made') && scope === ROOT
}

function issueText(issue: string): string {
  const [, group] = /^groups: (".*") does not exist$/.exec(issue) ?? []
  if (group !== undefined) return t('import.issue.group', { name: shortText(String(JSON.parse(group))) })
  const key = ISSUES.find(([pattern]) => pattern.test(issue))?.[1]
  return key === undefined ? issue : t(key)
}
