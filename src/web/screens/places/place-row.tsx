import { EllipsisVertical, FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { fileType } from '../../../shared/file-type.ts'
import { urlFromPath } from '../../data/paths.ts'
import { t } from '../../i18n/i18n.tsx'
import { Link, useNavigate } from '../../router/router.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { FileName } from '../../widgets/file-name.tsx'
import line from '../../widgets/containing-folder.module.css'
import { RevealButton, ContainingFolder } from '../../widgets/containing-folder.tsx'
import styles from './places.module.css'

export interface PlaceRowProps {
  entry: { path: FilePath; isDir: boolean; isSymlink: boolean }
  /** After where it lies: when it was opened, how large it is. */
  fact?: ReactNode
  /** Before its glyph. */
  handle?: ReactNode
  /** What else can be done with it in this list. */
  deed?: PlaceDeed
  /** After these. */
  children?: ReactNode
}

export interface PlaceDeed {
  label: string
  /** Says of what, too. */
  named: string
  icon: ReactNode
  /** As `aria-keyshortcuts` has it; it does not bind the key. */
  keys: string
  /** As shown. */
  shortcut: string | undefined
  onSelect: () => void
}

/** One file or folder from anywhere: the way to it, where it lies, and what can be done with it here. */
export function PlaceRow({ entry: { path, isDir, isSymlink }, fact, handle, deed, children }: PlaceRowProps) {
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
          <span className={styles.name}>
            <FileName name={name} />
          </span>
          <span className={styles.below}>
            <ContainingFolder path={path} />
            {fact && <span className={styles.fact}>{fact}</span>}
          </span>
        </span>
      </Link>
      {deed !== undefined && isPhone ? (
        <More name={name} deed={deed} onReveal={reveal} />
      ) : (
        <>
          <RevealButton path={path} onReveal={reveal} />
          {deed !== undefined && (
            <IconButton
              label={deed.named}
              data-tooltip={deed.label}
              aria-keyshortcuts={deed.keys}
              shortcut={deed.shortcut}
              icon={deed.icon}
              onClick={deed.onSelect}
            />
          )}
        </>
      )}
      {children}
    </>
  )
}

/** On phones one button for both, which leaves the name its room. */
function More({ name, deed, onReveal }: { name: string; deed: PlaceDeed; onReveal: () => void }) {
  const label = t('files.more', { name: displayName(name) })
  const icon = <FolderOpen size={18} strokeWidth={1.75} />
  return (
    <Menu
      label={label}
      align="end"
      entries={[
        { kind: 'action', id: 'reveal', label: t('search.reveal'), icon, onSelect: onReveal },
        { kind: 'action', id: 'deed', label: deed.label, icon: deed.icon, onSelect: deed.onSelect },
      ]}
      trigger={(props) => (
        <IconButton {...props} label={label} data-tooltip={undefined} icon={<EllipsisVertical size={18} strokeWidth={1.75} />} />
      )}
    />
  )
}
