import { FolderOpen, House, type LucideIcon, UsersRound } from 'lucide-react'
import { ROOT } from '../../../shared/file-path.ts'
import { HOME_URL } from '../../data/share-context.ts'
import { useCurrentShare } from '../../data/with-me.ts'
import { t } from '../../i18n/i18n.tsx'
import { useTablet } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import { SidebarItem, SidebarLink } from '../sidebar-item.tsx'
import rail from '../sidebar-item.module.css'
import styles from './in-share.module.css'

/** Within a share: what it is, and the ways back, which are other pages. */
export function InShare({ onChoice }: { onChoice?: () => void }) {
  const shared = useCurrentShare()
  const name = shared === null ? '' : shared.name === '' ? shared.owner : displayName(shared.name)
  return (
    <>
      <ul className={styles.list}>
        <SidebarAnchor href={`${HOME_URL}/files/`} icon={House} label={t('sidebar.my-files')} />
        <SidebarAnchor href={`${HOME_URL}/with-me`} icon={UsersRound} label={t('title.with-me')} />
        <SidebarLink
          to="/files/"
          icon={FolderOpen}
          label={name === '' ? t('title.files') : name}
          current
          folder={ROOT}
          onChoice={onChoice}
        />
      </ul>
      {shared !== null && (
        <p className={styles.shared}>
          {t('with-me.by', { name: displayName(shared.owner) })} · {t(`role.${shared.role}`)}
        </p>
      )}
    </>
  )
}

/** A link to a page of its own, which the browser loads. */
function SidebarAnchor({ href, icon, label }: { href: string; icon: LucideIcon; label: string }) {
  const tooltip = useTablet() ? label : undefined
  return (
    <li>
      <a href={href} className={rail.item} data-tooltip={tooltip} draggable={false}>
        <SidebarItem icon={icon} label={label} />
      </a>
    </li>
  )
}
