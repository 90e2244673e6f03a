import type { LucideIcon } from 'lucide-react'
import type { FilePath } from '../../shared/file-path.ts'
import { t } from '../i18n/i18n.tsx'
import { Link } from '../router/router.tsx'
import { useTablet } from '../ui/use-media.ts'
import { classes } from '../ui/classes.ts'
import styles from './sidebar-item.module.css'

interface SidebarItemProps {
  icon: LucideIcon
  label: string
  /** A number of news; none if 0. */
  badge?: number
}

interface SidebarLinkProps extends SidebarItemProps {
  to: string
  current?: boolean
  /** For folders: the drop target. */
  folder?: FilePath
  onChoice?: () => void
}

export function SidebarLink({ to, icon, label, badge, current, folder, onChoice }: SidebarLinkProps) {
  const tooltip = useTablet() ? label : undefined
  return (
    <li>
      <Link
        to={to}
        className={styles.item}
        aria-current={current ? 'page' : undefined}
        data-tooltip={tooltip}
        data-drop={folder}
        draggable={false}
        onClick={onChoice}
      >
        <SidebarItem icon={icon} label={label} badge={badge} />
      </Link>
    </li>
  )
}

export function SidebarButton({ icon, label, onClick }: SidebarItemProps & { onClick: () => void }) {
  const tooltip = useTablet() ? label : undefined
  return (
    <li>
      <button type="button" className={styles.item} data-tooltip={tooltip} onClick={onClick}>
        <SidebarItem icon={icon} label={label} />
      </button>
    </li>
  )
}

/** A link to a page of its own, which the browser loads. */
export function SidebarAnchor({ href, icon, label }: SidebarItemProps & { href: string }) {
  const tooltip = useTablet() ? label : undefined
  return (
    <li>
      <a href={href} className={styles.item} data-tooltip={tooltip} draggable={false}>
        <SidebarItem icon={icon} label={label} />
      </a>
    </li>
  )
}

function SidebarItem({ icon: Icon, label, badge = 0 }: SidebarItemProps) {
  return (
    <>
      <Icon size={19} strokeWidth={1.75} aria-hidden />
      <span className={classes(styles.label, 'truncated')}>{label}</span>
      {badge > 0 && (
        <span className={styles.badge} data-part="badge">
          <span aria-hidden>{badge}</span>
          <span className="sr-only">{t('with-me.news', { count: badge })}</span>
        </span>
      )}
    </>
  )
}
