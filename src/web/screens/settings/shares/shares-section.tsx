import { Link2, Trash2 } from 'lucide-react'
import { Suspense } from 'react'
import type { Share } from '../../../../shared/contract/shares.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { shareLink, useEndShare, useShares } from '../../../data/shares.ts'
import { useUserNames } from '../../../data/users.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { shareDuration } from '../../../widgets/share-duration.ts'
import { SharePath } from './share-path.tsx'
import styles from './shares-section.module.css'

/** Every link one has given out; for administrators everybody's, with whose it is. */
export function SharesSection() {
  return (
    <Suspense fallback={<Waiting />}>
      <Shares />
    </Suspense>
  )
}

function Shares() {
  const { perm } = useUser()
  const shares = useShares()
  const names = useUserNames({ wanted: perm.admin })
  const remove = useRemove()

  if (shares.length === 0)
    return <Empty picture={<Link2 size={56} strokeWidth={1.25} />} title={t('shares.empty.title')} text={t('shares.empty.text')} />
  const user: Column<Share> = {
    id: 'user',
    label: t('shares.user'),
    render: ({ userID }) => <bdi>{names.get(userID) ?? String(userID)}</bdi>,
  }
  const columns: Column<Share>[] = [
    { id: 'path', label: t('shares.path'), render: (share) => <SharePath share={share} /> },
    { id: 'duration', label: t('shares.duration'), render: ({ expire }) => shareDuration(expire) },
    ...(perm.admin ? [user] : []),
    {
      id: 'actions',
      label: t('shares.actions'),
      labelHidden: true,
      align: 'end',
      render: (share) => <Deeds share={share} onRemove={() => void remove(share)} />,
    },
  ]
  return (
    <div className={styles.shares} data-part="shares">
      <Table label={t('title.shares')} columns={columns} rows={shares} rowKey={({ hash }) => hash} />
    </div>
  )
}

function Deeds({ share: { hash }, onRemove }: { share: Share; onRemove: () => void }) {
  const link = shareLink(hash)
  return (
    <span className={styles.deeds}>
      <CopyButton
        label={t('share.copy', { hash })}
        icon={Link2}
        copy={() => copyAndTell(link, { done: t('share.copied'), failed: t('share.copy-failed', { link }) })}
      />
      <IconButton
        size="small"
        variant="danger"
        label={t('share.delete-one', { hash })}
        icon={<Trash2 size={16} strokeWidth={1.75} />}
        onClick={onRemove}
      />
    </span>
  )
}

function useRemove(): (share: Share) => Promise<void> {
  const end = useEndShare()
  return async (share) => {
    const sure = await ask('confirm', {
      title: t('share.delete.title'),
      text: t('share.delete.text'),
      confirmLabel: t('share.delete'),
      danger: true,
    })
    if (sure === null) return
    end.mutate(share, {
      onSuccess: () => notify({ tone: 'success', text: t('share.deleted') }),
      onError: (error) => notify({ tone: 'error', text: errorText(error) }),
    })
  }
}

function Waiting() {
  return (
    <div className={styles.waiting} role="status" aria-label={t('app.loading')}>
      <Spinner size={22} />
    </div>
  )
}
