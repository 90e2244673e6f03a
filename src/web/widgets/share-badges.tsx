import { CalendarClock, CircleCheckBig, Download, Eye, FilePen, Inbox, Lock, Trash2, Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Share } from '../../shared/contract/shares.ts'
import { isUsedUp } from '../../shared/used-up.ts'
import { formatBytes, formatDistanceTo, formatMoment, formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import styles from './share-badges.module.css'

const ICON = { size: 14, strokeWidth: 2, 'aria-hidden': true }

/** Badges for a link's options; none for a plain link. */
export function ShareBadges({ share, withDuration = false }: { share: Share; withDuration?: boolean }) {
  const { broken, inTrash, expire, hasPassword, rights, starts, maxDownloads, downloads, received } = share
  const traits: { id: string; icon?: ReactNode; text: string }[] = [
    ...(inTrash ? [{ id: 'in-trash', icon: <Trash2 {...ICON} />, text: t('share.trait.in-trash') }] : []),
    ...(broken && !inTrash ? [{ id: 'broken', icon: <Unlink {...ICON} />, text: t('share.trait.broken') }] : []),
    ...(withDuration ? [{ id: 'duration', text: durationOf(expire) }] : []),
    ...(hasPassword ? [{ id: 'locked', icon: <Lock {...ICON} />, text: t('share.protected') }] : []),
    ...(starts * 1000 > Date.now()
      ? [{ id: 'starts', icon: <CalendarClock {...ICON} />, text: t('share.trait.starts', { when: formatMoment(starts) }) }]
      : []),
    ...(rights === 'view' ? [{ id: 'view', icon: <Eye {...ICON} />, text: t('share.trait.view') }] : []),
    ...(rights === 'edit' ? [{ id: 'edit', icon: <FilePen {...ICON} />, text: t('share.trait.edit') }] : []),
    ...(rights === 'drop'
      ? [
          {
            id: 'drop',
            icon: <Inbox {...ICON} />,
            text: t('share.trait.drop', { files: received.files, size: formatBytes(received.bytes) }),
          },
        ]
      : []),
    ...(maxDownloads > 0
      ? [
          {
            id: 'downloads',
            icon: <Download {...ICON} />,
            text: t('share.trait.downloads', { taken: formatNumber(downloads), most: formatNumber(maxDownloads) }),
          },
        ]
      : []),
    ...(isUsedUp(share) ? [{ id: 'used-up', icon: <CircleCheckBig {...ICON} />, text: t('share.trait.used-up') }] : []),
  ]
  if (traits.length === 0) return null
  return (
    <span className={styles.traits} data-part="share-traits">
      {traits.map(({ id, icon, text }) => (
        <span key={id} className="inline-flex gap-2 align-center" data-trait={id}>
          {icon}
          {text}
        </span>
      ))}
    </span>
  )
}

/** The lifetime as a text of its own. @param expire seconds since 1970; 0 for a permanent link */
function durationOf(expire: number): string {
  return expire === 0 ? t('share.lasts.always') : t('share.trait.ends', { when: formatDistanceTo(expire) })
}
