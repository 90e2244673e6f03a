import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FilePath } from '../../shared/file-path.ts'
import { Link } from '../router/router.tsx'
import { useTablet } from '../ui/use-media.ts'
import { classes } from '../ui/classes.ts'
import styles from './sidebar-item.module.css'

interface SidebarItemProps {
  icon: LucideIcon
  label: string
  /** After the name. */
  badge?: ReactNode
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

export function SidebarItem({ icon: Icon, label, badge }: SidebarItemProps) {
  return (
    <>
      <Icon size={19} strokeWidth={1.75} aria-hidden />
      <span className={classes(styles.label, 'truncated')}>{label}</span>
      {badge}
    </>
  )
}
