import { Download, Link2, Lock, Trash2 } from 'lucide-react'
import type { Share } from '../../../../shared/contract/shares.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { shareDownloadLink, shareLink, useEndShare } from '../../../data/shares.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { shareDuration } from '../../../widgets/share-duration.ts'
import styles from './share-dialog.module.css'

/** Every link with how long it lasts, whether it is locked, and what one does with it. */
export function ShareList({ shares }: { shares: readonly Share[] }) {
  const end = useEndShare()
  const remove = async (share: Share) => {
    const sure = await ask(
      'confirm',
      { title: t('share.delete.title'), text: t('share.delete.text'), confirmLabel: t('share.delete'), danger: true },
      { onTop: true },
    )
    if (sure === null) return
    end.mutate(share, {
      onSuccess: () => notify({ tone: 'success', text: t('share.deleted') }),
      onError: (error) => notify({ tone: 'error', text: errorText(error) }),
    })
  }
  return (
    <ul className={styles.links} aria-label={t('share.links')}>
      {shares.map((share) => (
        <li key={share.hash} className={styles.link}>
          <div className={styles.words}>
            <a className={styles.hash} href={shareLink(share.hash)} target="_blank" rel="noreferrer">
              <bdi>{share.hash}</bdi>
            </a>
            <p className={styles.meta}>
              <span>{shareDuration(share.expire)}</span>
              {share.hasPassword && (
                <span className={styles.locked}>
                  <Lock size={14} strokeWidth={2} aria-hidden /> {t('share.protected')}
                </span>
              )}
            </p>
          </div>
          <CopyButton label={t('share.copy', { hash: share.hash })} icon={Link2} copy={() => copyLink(shareLink(share.hash))} />
          {!share.hasPassword && (
            <CopyButton
              label={t('share.copy-download', { hash: share.hash })}
              icon={Download}
              copy={() => copyLink(shareDownloadLink(share.hash))}
            />
          )}
          <IconButton
            size="small"
            variant="danger"
            label={t('share.delete-one', { hash: share.hash })}
            icon={<Trash2 size={16} strokeWidth={1.75} />}
            onClick={() => void remove(share)}
          />
        </li>
      ))}
    </ul>
  )
}

function copyLink(link: string): Promise<boolean> {
  return copyAndTell(link, { done: t('share.copied'), failed: t('share.copy-failed', { link }) })
}
