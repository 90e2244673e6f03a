import { ChevronRight, Users } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Group } from '../../../../shared/contract/groups.ts'
import { Link, useNavigate } from '../../../router/router.tsx'
import { MADE } from '../../../data/use-focus-when-made.ts'
import { useCreateGroup, useGroups } from '../../../data/groups.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Failure, failureKind } from '../../../widgets/failure.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { issueAt, issuesIn } from '../issues.ts'
import styles from '../users/users-screen.module.css'

/** All groups, each row linked to its page, and a field for a new one. */
export function GroupsScreen() {
  const { data: groups, error, refetch } = useGroups()
  if (groups === undefined) {
    if (error !== null) return <Failure kind={failureKind(error)} error={error} onRetry={() => void refetch()} />
    return <Loading height="200px" size={24} tone="faint" />
  }
  return (
    <div className="grid gap-6" data-part="groups">
      <div className="grid gap-3">
        <h2 className="text-section tracking-none">{t('groups.title')}</h2>
        <p className="muted text-small">{t('groups.text')}</p>
      </div>
      <NewGroup />
      {groups.length === 0 ? (
        <EmptyState title={t('groups.none')} />
      ) : (
        <div className={styles.table}>
          <Table label={t('groups.title')} columns={columns()} rows={groups} rowKey={({ id }) => String(id)} />
        </div>
      )}
    </div>
  )
}

function NewGroup() {
  const [name, setName] = useState('')
  const create = useCreateGroup()
  const navigate = useNavigate()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || create.isPending) return
    create.mutate(name.trim(), { onSuccess: (group) => void (group && navigate(`/settings/groups/${group.id}`, { state: MADE })) })
  }
  const issues = issuesIn(create.error)
  return (
    <form className={styles.adding} onSubmit={submit} noValidate aria-label={t('groups.new')}>
      <TextField
        label={t('groups.name')}
        className="grow"
        value={name}
        error={issueAt(issues, 'name') ?? issueAt(issues, 'username')}
        onValue={setName}
      />
      <Button label={t('groups.new')} variant="primary" type="submit" icon={Users} busy={create.isPending} />
    </form>
  )
}

function columns(): Column<Group>[] {
  return [
    {
      id: 'name',
      label: t('groups.name'),
      render: ({ id, name }) => (
        <Link to={`/settings/groups/${id}`} className={styles.link}>
          <bdi>{displayName(name)}</bdi>
        </Link>
      ),
    },
    { id: 'members', label: t('groups.members'), render: ({ members }) => members },
    {
      id: 'edit',
      label: t('users.edit'),
      labelHidden: true,
      align: 'end',
      render: () => <ChevronRight size={18} strokeWidth={1.75} className={`mirror ${styles.arrow}`} aria-hidden />,
    },
  ]
}
