import { Plus } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { Selection } from '../../../data/selection.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { type ActionProps, menuEntries } from '../menu-entries.ts'
import styles from './listing-screen.module.css'

/** Floating New button, on phones. */
export function NewButton({ selection, ...port }: ActionProps & { selection: Selection }) {
  // Hidden while the selection bar is shown.
  const docked = useSyncExternalStore(selection.subscribe, () => selection.count > 0 || selection.multiple)
  if (docked) return null
  return (
    <Menu
      label={t('sidebar.new')}
      align="end"
      entries={() => menuEntries([['new-folder', 'new-file'], ['upload-files', 'upload-folder'], ['paste']], port)}
      trigger={(props) => (
        <IconButton
          {...props}
          label={t('sidebar.new')}
          variant="primary"
          icon={<Plus size={26} />}
          className={styles.fab}
          data-part="new"
        />
      )}
    />
  )
}
