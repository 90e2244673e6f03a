import { FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../shared/file-path.ts'
import { fileType } from '../../../shared/file-type.ts'
import { urlFromPath } from '../../data/paths.ts'
import { t } from '../../i18n/i18n.tsx'
import { Link, useNavigate } from '../../router/router.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { FileName } from '../../widgets/file-name.tsx'
import styles from './places.module.css'

export interface PlaceRowProps {
  entry: { path: FilePath; isDir: boolean; isSymlink: boolean }
  /** After where it lies: when it was opened, how large it is. */
  fact?: ReactNode
  /** Before its glyph. */
  handle?: ReactNode
  /** After the way to where it lies. */
  children?: ReactNode
}

/** One file or folder from anywhere: the way to it, where it lies, and what can be done with it here. */
export function PlaceRow({ entry: { path, isDir, isSymlink }, fact, handle, children }: PlaceRowProps) {
  const navigate = useNavigate()
  const name = nameOf(path)
  const parent = parentOf(path)
  const folder = parent === ROOT ? t('files.root') : displayName(parent.slice(1))
  const reveal = () => void navigate(urlFromPath(parent, { folder: true }), { state: { focus: name, reveal: true } })
  return (
    <>
      {handle}
      <Link className={styles.link} to={urlFromPath(path, { folder: isDir })} draggable={false}>
        <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} isLink={isSymlink} size={28} />
        <span className={styles.words}>
          <span className={styles.name}>
            <FileName name={name} />
          </span>
          <span className={styles.below}>
            <span className="sr-only">{t('search.in', { folder })}</span>
            <bdi aria-hidden className={styles.folder} title={folder}>
              {folder}
            </bdi>
            {fact && <span className={styles.fact}>{fact}</span>}
          </span>
        </span>
      </Link>
      <IconButton
        label={t('search.reveal-named', { name: displayName(name) })}
        data-tooltip={t('search.reveal')}
        icon={<FolderOpen size={18} strokeWidth={1.75} />}
        onClick={reveal}
      />
      {children}
    </>
  )
}
