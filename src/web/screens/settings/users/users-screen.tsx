import { ChevronRight, FileUp, KeyRound, ShieldCheck, UserPlus } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '../../../router/router.tsx'
import type { Quota } from '../../../../shared/contract/quotas.ts'
import { PEOPLE_FILTERS, type PeopleFilter, type Person } from '../../../../shared/contract/people.ts'
import { cleanScope } from '../../../../shared/scope.ts'
import { useGroups } from '../../../data/groups.ts'
import { idsOfPeople, type PeopleWish, usePeople } from '../../../data/people.ts'
import { countedOf, useQuotas } from '../../../data/quotas.ts'
import { formatBytes, formatDateExact, formatDistance } from '../../../i18n/format.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import { Button, buttonClassName } from '../../../ui/button.tsx'
import { Checkbox, CheckboxInput } from '../../../ui/checkbox.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { Failure, failureKind } from '../../../widgets/failure.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { SelectedPeople } from './selected-people.tsx'
import styles from './users-screen.module.css'

const TYPED_MS = 200

const FILTER_LABELS: Record<PeopleFilter, MessageKey> = {
  administrators: 'users.only.administrators',
  disabled: 'users.only.disabled',
  waiting: 'users.only.waiting',
  'no-second-factor': 'users.only.no-second-factor',
}

/** People by name, found by text, state and group; each row is linked to its form, and those selected can be changed together. */
export function UsersScreen() {
  const [text, setText] = useState('')
  const [only, setOnly] = useState<PeopleFilter | ''>('')
  const [group, setGroup] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const typed = useSettled(text.trim(), TYPED_MS)
  const wish = { ...(typed !== '' && { text: typed }), ...(only !== '' && { only }), ...(group !== '' && { group }) }
  const groups = useGroups().data ?? []
  const choose = <T,>(set: (value: T) => void) => {
    // What is not on show any more is not changed by mistake.
    return (value: T) => {
      setSelected(new Set())
      set(value)
    }
  }
  return (
    <div className="grid gap-6" data-part="users">
      <div className="row wrap gap-5">
        <Title />
        <Link to="/settings/users/import" className={buttonClassName({})}>
          <FileUp size={18} strokeWidth={1.75} aria-hidden />
          {t('users.import')}
        </Link>
        <Link to="/settings/users/new" className={buttonClassName({ variant: 'primary' })}>
          <UserPlus size={18} strokeWidth={1.75} aria-hidden />
          {t('users.new')}
        </Link>
      </div>
      <search className={styles.filters}>
        <TextField label={t('users.find')} type="search" className={styles.find} value={text} onValue={choose(setText)} />
        <Select
          label={t('users.only')}
          value={only}
          options={[
            { value: '', label: t('users.only.all') },
            ...PEOPLE_FILTERS.map((value) => ({ value, label: t(FILTER_LABELS[value]) })),
          ]}
          onValue={choose(setOnly)}
        />
        {groups.length > 0 && (
          <Select
            label={t('users.group')}
            value={group}
            options={[
              { value: '', label: t('users.group.all') },
              ...groups.map(({ id, name }) => ({ value: String(id), label: displayName(name) })),
            ]}
            onValue={choose(setGroup)}
          />
        )}
      </search>
      <Found wish={wish} selected={selected} onSelected={setSelected} />
    </div>
  )
}

function Title() {
  const { data } = usePeople({})
  const all = data?.pages.at(-1)?.all
  return <h2 className="grow text-section tracking-none">{all === undefined ? t('users.table') : t('users.title', { count: all })}</h2>
}

interface FoundProps {
  readonly wish: PeopleWish
  readonly selected: ReadonlySet<number>
  readonly onSelected: (ids: ReadonlySet<number>) => void
}

function Found({ wish, selected, onSelected }: FoundProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePeople(wish)
  const selectAll = useMutation({ mutationFn: idsOfPeople })
  const quotas = useQuotas() ?? []
  if (data === undefined) {
    if (error !== null) return <Failure kind={failureKind(error)} error={error} onRetry={() => void refetch()} />
    return <Loading height="200px" size={24} tone="faint" />
  }
  const people = data.pages.flatMap((page) => page.people)
  const found = data.pages.at(-1)?.found ?? 0
  const isEverybody = people.length > 0 && people.every(({ id }) => selected.has(id))
  return (
    <>
      <p role="status" className={Object.keys(wish).length === 0 ? 'sr-only' : 'muted text-small'}>
        {t('users.found', { count: found })}
      </p>
      {people.length === 0 ? (
        <EmptyState title={wish.text === undefined ? t('users.none.any') : t('users.none', { filter: wish.text })} />
      ) : (
        <>
          <div className={styles.bar}>
            <Checkbox
              label={t('users.select-shown')}
              checked={isEverybody}
              onChecked={(checked) => onSelected(new Set(checked ? people.map(({ id }) => id) : []))}
            />
            {isEverybody && selected.size < found && (
              <Button
                label={t('users.select-all', { count: found })}
                size="small"
                variant="quiet"
                busy={selectAll.isPending}
                onClick={() => selectAll.mutate(wish, { onSuccess: (ids) => onSelected(new Set(ids)) })}
              />
            )}
            {selected.size > 0 && <SelectedPeople ids={[...selected]} onDone={() => onSelected(new Set())} />}
          </div>
          <div className={styles.table}>
            <Table
              label={t('users.table')}
              columns={columns({ selected, onSelect: (id) => onSelected(toggled(selected, id)), quotas })}
              rows={people}
              rowKey={({ id }) => String(id)}
            />
          </div>
        </>
      )}
      {hasNextPage && (
        <div>
          <Button label={t('activity.more')} busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        </div>
      )}
    </>
  )
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const changed = new Set(ids)
  if (!changed.delete(id)) changed.add(id)
  return changed
}

interface ColumnsOptions {
  readonly selected: ReadonlySet<number>
  readonly onSelect: (id: number) => void
  readonly quotas: readonly Quota[]
}

function columns({ selected, onSelect, quotas }: ColumnsOptions): Column<Person>[] {
  const limited = new Map(quotas.flatMap((quota) => (quota.who.kind === 'user' ? [[quota.who.id, quota] as const] : [])))
  return [
    {
      id: 'username',
      label: t('user.username'),
      render: ({ id, username, disabled, secondFactor }) => (
        <span className="inline-flex wrap align-center gap-4">
          <span className={styles.check}>
            <CheckboxInput
              checked={selected.has(id)}
              aria-label={t('users.select', { name: displayName(username) })}
              onChange={() => onSelect(id)}
            />
          </span>
          {/* Covers the whole row. */}
          <Link to={`/settings/users/${id}`} className={styles.link}>
            <bdi>{displayName(username)}</bdi>
          </Link>
          {disabled && <span className={styles.badge}>{t('users.disabled')}</span>}
          {secondFactor && (
            <span title={t('users.second-factor')} className="inline-flex">
              <KeyRound size={16} strokeWidth={1.75} role="img" aria-label={t('users.second-factor')} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'admin',
      label: t('users.admin'),
      render: ({ admin }) =>
        admin ? (
          <span className={styles.admin}>
            <ShieldCheck size={16} strokeWidth={1.75} aria-hidden />
            {t('users.admin.yes')}
          </span>
        ) : (
          <span className={styles.no}>{t('users.admin.no')}</span>
        ),
    },
    {
      id: 'scope',
      label: t('user.reach'),
      render: ({ scope }) => (
        <bdi dir="ltr" className={styles.scope}>
          {displayName(cleanScope(scope))}
        </bdi>
      ),
    },
    {
      id: 'groups',
      label: t('groups.title'),
      render: ({ groups }) =>
        groups.length === 0 ? <span className={styles.no}>–</span> : <bdi>{groups.map(displayName).join(', ')}</bdi>,
    },
    {
      id: 'seen',
      label: t('users.seen'),
      render: ({ lastSeen }) =>
        lastSeen === null ? (
          <span className={styles.no}>–</span>
        ) : (
          <time dateTime={new Date(lastSeen).toISOString()} title={formatDateExact(new Date(lastSeen))}>
            {formatDistance(new Date(lastSeen))}
          </time>
        ),
    },
    // Only if somebody has one.
    ...(limited.size === 0
      ? []
      : [
          {
            id: 'quota',
            label: t('quota.title'),
            render: ({ id }: Person) => <bdi className={styles.no}>{quotaText(limited.get(id))}</bdi>,
          },
        ]),
    {
      id: 'edit',
      label: t('users.edit'),
      labelHidden: true,
      align: 'end',
      render: () => <ChevronRight size={18} strokeWidth={1.75} className={`mirror ${styles.arrow}`} aria-hidden />,
    },
  ]
}

function quotaText(quota: Quota | undefined): string {
  if (quota === undefined) return '–'
  const [bytes, files] = [countedOf(quota.bytes), countedOf(quota.files)]
  if (bytes !== null) return t('frame.usage', { used: formatBytes(bytes.used), total: formatBytes(bytes.limit) })
  return files === null ? t('quota.counting') : t('quota.files.used', files)
}
