import type { ReactNode } from 'react'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { fileType } from '../../../shared/file-type.ts'
import { urlFromPath } from '../../data/paths.ts'
import { Link, useNavigate } from '../../router/router.tsx'
import { classes } from '../../ui/classes.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { FileName } from '../../widgets/file-name.tsx'
import line from '../../widgets/found-line.module.css'
import { RevealButton, Whence } from '../../widgets/found-line.tsx'
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
            <Whence path={path} />
            {fact && <span className={styles.fact}>{fact}</span>}
          </span>
        </span>
      </Link>
      <RevealButton path={path} onReveal={reveal} />
      {children}
    </>
  )
}
