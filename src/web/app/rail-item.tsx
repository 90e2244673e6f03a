import type { LucideIcon } from 'lucide-react'
import type { FilePath } from '../../shared/file-path.ts'
import { Link } from '../router/router.tsx'
import { useTablet } from '../ui/use-media.ts'
import styles from './rail-item.module.css'

interface RailItemProps {
  icon: LucideIcon
  label: string
}

interface RailLinkProps extends RailItemProps {
  to: string
  current?: boolean
  /** A folder: what is dropped here goes into it. */
  folder?: FilePath
  onChoice?: () => void
}

export function RailLink({ to, icon, label, current, folder, onChoice }: RailLinkProps) {
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
        <Face icon={icon} label={label} />
      </Link>
    </li>
  )
}

export function RailButton({ icon, label, onClick }: RailItemProps & { onClick: () => void }) {
  const tooltip = useTablet() ? label : undefined
  return (
    <li>
      <button type="button" className={styles.item} data-tooltip={tooltip} onClick={onClick}>
        <Face icon={icon} label={label} />
      </button>
    </li>
  )
}

function Face({ icon: Icon, label }: RailItemProps) {
  return (
    <>
      <Icon size={19} strokeWidth={1.75} aria-hidden />
      <span className={styles.label}>{label}</span>
    </>
  )
}
