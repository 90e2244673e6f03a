import { FolderOpen, LogOut } from 'lucide-react'
import { ROOT } from '../../../shared/file-path.ts'
import { HOME_URL } from '../../data/share-context.ts'
import { leaveViewing } from '../../data/viewings.ts'
import { t } from '../../i18n/i18n.tsx'
import { SidebarButton, SidebarLink } from '../sidebar-item.tsx'
import styles from '../shares/in-share.module.css'

/** While somebody looks as another: that person's files, and the way back, which is another page. */
export function InViewing({ onChoice }: { onChoice?: () => void }) {
  return (
    <ul className={styles.list}>
      <SidebarLink to="/files/" icon={FolderOpen} label={t('title.files')} current folder={ROOT} onChoice={onChoice} />
      <SidebarButton icon={LogOut} label={t('view.leave')} onClick={() => void leaveViewing(HOME_URL)} />
    </ul>
  )
}
