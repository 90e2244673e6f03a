import { Download } from 'lucide-react'
import type { Share } from '../../../../shared/contract/shares.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { ask } from '../../../data/prompts.ts'
import { nameOfShare, shareDownloadLink, shareLink } from '../../../data/share-links.ts'
import { t } from '../../../i18n/i18n.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { ShareDeeds } from '../../../widgets/share-deeds.tsx'
import { ShareTraits } from '../../../widgets/share-traits.tsx'
import styles from './share-dialog.module.css'

/** Every link with how long it lasts, on which terms, and what one does with it. */
export function ShareList({ shares }: { shares: readonly Share[] }) {
  return (
    <ul className={styles.links} aria-label={t('share.links')}>
      {shares.map((share) => (
        <li key={share.hash} className={styles.link}>
          <div className={styles.words}>
            <a className={styles.hash} href={shareLink(nameOfShare(share))} target="_blank" rel="noreferrer">
              <bdi>{nameOfShare(share)}</bdi>
            </a>
            {share.title !== '' && (
              <p className={styles.title}>
                <bdi>{share.title}</bdi>
              </p>
            )}
            <ShareTraits share={share} withDuration />
          </div>
          <span className={styles.deeds}>
            <ShareDeeds
              name={nameOfShare(share)}
              copy={() => copyLink(shareLink(nameOfShare(share)))}
              onVisits={() => void ask('share-visits', { share }, { onTop: true })}
              onEdit={() => void ask('share-edit', { share }, { onTop: true })}
              onEnd={() => void ask('share-end', { share }, { onTop: true })}
              inWords
            >
              {!share.hasPassword && (share.rights === 'download' || share.rights === 'edit') && (
                <CopyButton
                  label={t('share.copy-download', { hash: nameOfShare(share) })}
                  icon={Download}
                  copy={() => copyLink(shareDownloadLink(nameOfShare(share)))}
                />
              )}
            </ShareDeeds>
          </span>
        </li>
      ))}
    </ul>
  )
}

function copyLink(link: string): Promise<boolean> {
  return copyAndTell(link, { done: t('share.copied'), failed: t('share.copy-failed', { link }) })
}
