import { UsersRound, X } from 'lucide-react'
import { useEffect } from 'react'
import type { ReceivedShare } from '../../../shared/contract/people-shares.ts'
import { ROOT } from '../../../shared/file-path.ts'
import { fileType } from '../../../shared/file-type.ts'
import { notify } from '../../data/notices.ts'
import { useLeaveShare } from '../../data/people-shares.ts'
import { useFolderEvents } from '../../data/use-folder-events.ts'
import { ask } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import { addressOfShare } from '../../data/share-context.ts'
import { markSharesSeen, useReceivedShares } from '../../data/with-me.ts'
import { formatDistanceTo } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Link } from '../../router/router.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import line from '../../widgets/containing-folder.module.css'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { FileName } from '../../widgets/file-name.tsx'
import { SharedHead } from '../../widgets/shared-head.tsx'
import { ListPage, QueryResult } from './frame.tsx'
import styles from './places.module.css'

/** What others share with the user, as it is now: the events of the user's root folder tell of changes. Each opens as a page of its own. */
export function WithMeScreen() {
  const shares = useReceivedShares()
  useFolderEvents(ROOT)
  const { perm } = useUser()
  const head = (
    <SharedHead
      both={perm.admin || perm.share}
      text={(shares.data?.length ?? 0) > 0 ? t('with-me.text') : undefined}
      link={(to, label) => (
        <Link to={to} aria-current={to === '/with-me' ? 'page' : undefined}>
          {label}
        </Link>
      )}
    />
  )
  const latest = Math.max(0, ...(shares.data ?? []).map(({ created }) => created))
  useEffect(() => markSharesSeen(latest), [latest])
  return (
    <ListPage title={head} part="with-me">
      <QueryResult query={shares}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              picture={<UsersRound size={64} strokeWidth={1.25} />}
              title={t('with-me.empty.title')}
              text={t('with-me.empty.text')}
            />
          ) : (
            <ul className={styles.list} aria-label={t('title.with-me')}>
              {all.map((share) => (
                <ShareRow key={share.id} share={share} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </ListPage>
  )
}

function ShareRow({ share }: { share: ReceivedShare }) {
  const { folder, owner, group, role, expire, message } = share
  const leave = useLeaveShare()
  const name = share.name === '' ? owner : share.name
  const askLeave = async () => {
    const shown = displayName(name)
    const question = {
      title: t('with-me.leave.title', { name: shown }),
      text: t('with-me.leave.text', { owner: displayName(owner) }),
      confirmLabel: t('with-me.leave.confirm'),
      danger: true,
    }
    if ((await ask('confirm', question)) !== true) return
    // The row is gone by then. A notice tells of an error.
    await leave.mutateAsync(share).then(
      () => void notify({ tone: 'success', text: t('with-me.left', { name: shown }) }),
      () => undefined,
    )
  }
  const facts = [
    t('with-me.by', { name: displayName(owner) }),
    group !== '' && t('access.group', { name: displayName(group) }),
    t(`role.${role}`),
    expire !== 0 && t('share.lasts.until', { end: formatDistanceTo(expire) }),
  ].filter((fact) => fact !== false)
  return (
    <li className={classes(line.line, styles.row)}>
      <a className={classes(line.link, styles.link)} href={addressOfShare(share)} draggable={false}>
        <EntryIcon name={name} type={folder ? '' : (fileType(name) ?? 'blob')} isDir={folder} size={28} />
        <span className={classes(line.words, styles.words)}>
          <span className="flex shrinkable text-name">
            <FileName name={name} />
          </span>
          <span className="muted text-caption break-anywhere">{facts.join(' · ')}</span>
          {message !== '' && <bdi className="text-caption break-anywhere">{message}</bdi>}
        </span>
      </a>
      {group === '' && (
        <IconButton
          label={t('with-me.leave', { name: displayName(name) })}
          icon={X}
          disabled={leave.isPending}
          onClick={() => void askLeave()}
        />
      )}
    </li>
  )
}
