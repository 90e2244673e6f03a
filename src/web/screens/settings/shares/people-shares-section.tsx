import { X } from 'lucide-react'
import { type PeopleShare, SHARE_ROLES } from '../../../../shared/contract/people-shares.ts'
import { nameOf, parseFilePath, ROOT } from '../../../../shared/file-path.ts'
import { fileType } from '../../../../shared/file-type.ts'
import { notify } from '../../../data/notices.ts'
import { useChangePeopleShare, useEndPeopleShare, usePeopleShares } from '../../../data/people-shares.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { formatDistanceTo } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { labelOf } from '../../../widgets/subject-picker.tsx'
import styles from './shares-section.module.css'

/** The user's shares with people; for administrators everybody's, with the owner. Nothing if there are none. */
export function PeopleSharesSection() {
  const { perm } = useUser()
  const { data = [], error } = usePeopleShares()
  const change = useChangePeopleShare()
  const end = useEndPeopleShare()
  const failure = error ?? change.error ?? end.error
  const askEnd = async (id: string, name: string) => {
    const question = { title: t('people.end.title', { name }), confirmLabel: t('people.end.confirm'), danger: true }
    if ((await ask('confirm', question)) !== true) return
    end.mutate({ id }, { onSuccess: () => void notify({ tone: 'success', text: t('people.ended', { name }) }) })
  }
  const columns: readonly Column<PeopleShare>[] = [
    { id: 'path', label: t('shares.path'), render: (share) => <SharedEntry share={share} /> },
    { id: 'who', label: t('access.who'), render: ({ who }) => <bdi className="break-anywhere">{labelOf(who)}</bdi> },
    {
      id: 'role',
      label: t('access.role'),
      render: ({ id, who, role }) => (
        <Select
          label={t('access.role-of', { name: labelOf(who) })}
          labelHidden
          value={role}
          options={SHARE_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
          onValue={(next) => change.mutate({ id, change: { role: next } })}
        />
      ),
    },
    {
      id: 'duration',
      label: t('shares.duration'),
      render: ({ expire }) => (expire === 0 ? t('share.permanent') : formatDistanceTo(expire)),
    },
    ...(perm.admin
      ? [{ id: 'owner', label: t('shares.user'), render: ({ owner }: PeopleShare) => <bdi>{displayName(owner.name)}</bdi> }]
      : []),
    {
      id: 'actions',
      label: t('shares.actions'),
      labelHidden: true,
      align: 'end',
      render: ({ id, who }) => (
        <IconButton
          label={t('people.end', { name: labelOf(who) })}
          icon={X}
          disabled={end.isPending}
          onClick={() => void askEnd(id, labelOf(who))}
        />
      ),
    },
  ]
  return (
    <>
      <div role="alert">{failure !== null && <FieldMessage tone="error" text={errorText(failure)} />}</div>
      {data.length > 0 && (
        <section className={styles.shares} data-part="people-shares">
          <h2 className="strong">{t('people.list')}</h2>
          <Table label={t('people.list')} columns={columns} rows={data} rowKey={({ id }) => id} />
        </section>
      )}
    </>
  )
}

function SharedEntry({ share: { path: shown, broken } }: { share: PeopleShare }) {
  const path = parseFilePath(shown)
  const isDir = shown.endsWith('/')
  const name = nameOf(path)
  return (
    <span className="row gap-5 shrinkable">
      <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} size={28} />
      <span className="grid shrinkable">
        <bdi className="break-anywhere">{path === ROOT ? t('files.root') : displayName(name)}</bdi>
        {broken && <span className="muted text-caption">{t('share.trait.broken')}</span>}
      </span>
    </span>
  )
}
