import { EllipsisVertical, FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { fileType } from '../../../shared/file-type.ts'
import { urlFromPath } from '../../data/paths.ts'
import { t } from '../../i18n/i18n.tsx'
import { Link, useNavigate } from '../../router/router.tsx'
import { classes } from '../../ui/classes.ts'
import type { ButtonIcon } from '../../ui/drawn-icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { FileName } from '../../widgets/file-name.tsx'
import line from '../../widgets/containing-folder.module.css'
import { RevealButton, ContainingFolder } from '../../widgets/containing-folder.tsx'
import styles from './places.module.css'

export interface EntryListRowProps {
  entry: { path: FilePath; isDir: boolean; isSymlink: boolean }
  /** Additional text after the location, such as a date or size. */
  fact?: ReactNode
  /** Before the icon. */
  handle?: ReactNode
  /** Additional action of this list. */
  action?: RowAction
  /** After the actions. */
  children?: ReactNode
}

export interface RowAction {
  label: string
  /** Accessible name, including the entry. */
  named: string
  icon: ButtonIcon
  /** Value for `aria-keyshortcuts`; does not bind the key. */
  keys: string
  /** For display. */
  shortcut: string | undefined
  onSelect: () => void
}

/** A file or folder with its location and actions. */
export function EntryListRow({ entry: { path, isDir, isSymlink }, fact, handle, action, children }: EntryListRowProps) {
  const navigate = useNavigate()
  const isPhone = usePhone()
  const name = nameOf(path)
  const reveal = () => void navigate(urlFromPath(parentOf(path), { folder: true }), { state: { focus: name, reveal: true } })
  return (
    <>
      {handle}
      <Link className={classes(line.link, styles.link)} to={urlFromPath(path, { folder: isDir })} draggable={false}>
        <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} isLink={isSymlink} size={28} />
        <span className={classes(line.words, styles.words)}>
          <span className="flex shrinkable text-name">
            <FileName name={name} />
          </span>
          <span className={styles.below}>
            <ContainingFolder path={path} />
            {fact && <span className={styles.fact}>{fact}</span>}
          </span>
        </span>
      </Link>
      {action !== undefined && isPhone ? (
        <More name={name} action={action} onReveal={reveal} />
      ) : (
        <>
          <RevealButton path={path} onReveal={reveal} />
          {action !== undefined && (
            <IconButton
              label={action.named}
              data-tooltip={action.label}
              aria-keyshortcuts={action.keys}
              shortcut={action.shortcut}
              icon={action.icon}
              onClick={action.onSelect}
            />
          )}
        </>
      )}
      {children}
    </>
  )
}

/** On phones one menu for all actions. */
function More({ name, action, onReveal }: { name: string; action: RowAction; onReveal: () => void }) {
  const label = t('files.more', { name: displayName(name) })
  const icon = <FolderOpen size={18} strokeWidth={1.75} />
  return (
    <Menu
      label={label}
      align="end"
      entries={[
        { kind: 'action', id: 'reveal', label: t('search.reveal'), icon, onSelect: onReveal },
        { kind: 'action', id: 'action', label: action.label, icon: action.icon, onSelect: action.onSelect },
      ]}
      trigger={(props) => <IconButton {...props} label={label} data-tooltip={undefined} icon={EllipsisVertical} />}
    />
  )
}
