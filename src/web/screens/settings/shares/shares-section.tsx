import { Link2 } from 'lucide-react'
import { Suspense } from 'react'
import type { Share } from '../../../../shared/contract/shares.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { nameOfShare, shareLink } from '../../../data/share-links.ts'
import { useShares } from '../../../data/shares.ts'
import { useUserNames } from '../../../data/users.ts'
import { formatDistanceTo } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { ShareActions } from '../../../widgets/share-actions.tsx'
import { SharePath } from './share-path.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import styles from './shares-section.module.css'

/** The user's shares; for administrators everyone's, with the owner. */
export function SharesSection() {
  return (
    <Suspense fallback={<Loading height="120px" />}>
      <Shares />
    </Suspense>
  )
}

function Shares() {
  const { perm } = useUser()
  const shares = useShares()
  const names = useUserNames({ enabled: perm.admin })

  if (shares.length === 0)
    return <EmptyState picture={<Link2 size={56} strokeWidth={1.25} />} title={t('shares.empty.title')} text={t('shares.empty.text')} />
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
      render: (share) => <ShareActionsCell share={share} />,
    },
  ]
  return (
    <div className={styles.shares} data-part="shares">
      <Table label={t('title.shares')} columns={columns} rows={shares} rowKey={({ hash }) => hash} />
    </div>
  )
}

function ShareActionsCell({ share }: { share: Share }) {
  const link = shareLink(nameOfShare(share))
  return (
    <span className={styles.actions}>
      <CopyButton
        label={t('share.copy', { hash: nameOfShare(share) })}
        icon={Link2}
        copy={() => copyAndTell(link, { done: t('share.copied'), failed: t('share.copy-failed', { link }) })}
      />
      <ShareActions
        name={nameOfShare(share)}
        onVisits={() => void ask('share-visits', { share })}
        onEdit={share.inTrash ? undefined : () => void ask('share-edit', { share })}
        onEnd={() => void ask('share-end', { share })}
      />
    </span>
  )
}

/** Remaining lifetime of a link. @param expire seconds since 1970; 0 for a permanent link */
function shareDuration(expire: number): string {
  return expire === 0 ? t('share.permanent') : formatDistanceTo(expire)
}
