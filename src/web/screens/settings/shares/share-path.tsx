import type { Share } from '../../../../shared/contract/shares.ts'
import { nameOf, parentOf, parseFilePath, ROOT } from '../../../../shared/file-path.ts'
import { fileType } from '../../../../shared/file-type.ts'
import { nameOfShare, shareLink } from '../../../data/share-links.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { ShareBadges } from '../../../widgets/share-badges.tsx'
import styles from './shares-section.module.css'

/** The shared path, linked to its share page in a new tab. */
export function SharePath({ share }: { share: Share }) {
  const path = parseFilePath(share.path)
  const isDir = share.path.endsWith('/')
  const name = path === ROOT ? t('files.root') : displayName(nameOf(path))
  const folder = displayName(parentOf(path))
  return (
    <span className="row gap-5 shrinkable">
      <EntryIcon name={nameOf(path)} type={isDir ? '' : (fileType(nameOf(path)) ?? 'blob')} isDir={isDir} size={28} />
      <span className="grid shrinkable">
        <a href={shareLink(nameOfShare(share))} target="_blank" rel="noreferrer" className={styles.link} title={displayName(share.path)}>
          <bdi>{name}</bdi>
        </a>
        {path !== ROOT && folder !== '/' && (
          <span className="ellipsis muted text-caption">
            <bdi>{folder}</bdi>
          </span>
        )}
        {share.title !== '' && (
          <span className="ellipsis muted text-caption">
            <bdi>{share.title}</bdi>
          </span>
        )}
        <ShareBadges share={share} />
      </span>
    </span>
  )
}
