import { ChevronRight, KeyRound, ShieldCheck, UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from '../../../router/router.tsx'
import type { User } from '../../../../shared/contract/users.ts'
import { cleanScope } from '../../../../shared/scope.ts'
import type { Quota } from '../../../../shared/contract/quotas.ts'
import { notify } from '../../../data/notices.ts'
import { countedOf, useQuotas } from '../../../data/quotas.ts'
import { useUsers } from '../../../data/users.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { buttonClassName } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Failure, failureKind } from '../../../widgets/failure.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import styles from './users-screen.module.css'

/** The filter appears from this number of users. */
const FILTER_FROM = 10

/** All accounts, each row linked to its form. */
export function UsersScreen() {
  const { data: users, error, refetch } = useUsers()
  const quotas = useQuotas() ?? []
  const [filter, setFilter] = useState('')
  // Synchronises with the notices.
  useEffect(() => {
    if (error !== null) notify({ tone: 'error', text: errorText(error) })
  }, [error])

  if (users === undefined) {
    if (error !== null) return <Failure kind={failureKind(error)} error={error} onRetry={() => void refetch()} />
    return <Loading height="200px" size={24} tone="faint" />
  }
  const shown = users.filter((user) => matches(user, filter))
  return (
    <div className="grid gap-6" data-part="users">
      <div className="row wrap gap-5">
        <h2 className="grow text-section tracking-none">{t('users.title', { count: users.length })}</h2>
        {users.length >= FILTER_FROM && (
          <TextField
            label={t('users.filter')}
            labelHidden
            type="search"
            placeholder={t('users.filter')}
            className={styles.filter}
            value={filter}
            onValue={setFilter}
          />
        )}
        <Link to="/settings/users/new" className={buttonClassName({ variant: 'primary' })}>
          <UserPlus size={18} strokeWidth={1.75} aria-hidden />
          {t('users.new')}
        </Link>
      </div>
      {shown.length === 0 ? (
        <EmptyState title={t('users.none', { filter })} />
      ) : (
        <div className={styles.table}>
          <Table label={t('users.table')} columns={columns(quotas)} rows={shown} rowKey={({ id }) => String(id)} />
        </div>
      )}
    </div>
  )
}

function columns(quotas: readonly Quota[]): Column<User>[] {
  const limited = quotas.filter(({ who }) => who.kind === 'user')
  return [
    {
      id: 'username',
      label: t('user.username'),
      render: ({ id, username, disabled, secondFactor }) => (
        <span className="inline-flex wrap align-center gap-4">
          {/* Covers the whole row. */}
          <Link to={`/settings/users/${id}`} className={styles.link}>
            <bdi>{displayName(username)}</bdi>
          </Link>
          {disabled && <span className={styles.badge}>{t('users.disabled')}</span>}
          {secondFactor === true && (
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
      render: ({ perm }) =>
        perm.admin ? (
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
    // Only if somebody has one.
    ...(limited.length === 0
      ? []
      : [
          {
            id: 'quota',
            label: t('quota.title'),
            render: ({ id }: User) => <bdi className={styles.no}>{quotaText(limited.find(({ who }) => who.id === id))}</bdi>,
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

function matches({ username, scope }: User, filter: string): boolean {
  const wanted = filter.trim().toLocaleLowerCase()
  return `${username}\n${scope}`.toLocaleLowerCase().includes(wanted)
}
