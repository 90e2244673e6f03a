import { ChevronRight, CornerLeftUp, FolderPlus, House } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type FilePath, isWithin, nameOf, parentOf, ROOT } from '../../../../shared/file-path.ts'
import { useFolder } from '../../../data/folders.ts'
import { entryAt, indexOfName, type ListedEntry, type Listing } from '../../../data/listing.ts'
import { filterListing } from '../../../data/listing-filter.ts'
import { useUser } from '../../../data/session.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { FileName } from '../../../widgets/file-name.tsx'
import { ContainingFolder } from '../../../widgets/containing-folder.tsx'
import { crumbsOf } from '../../../data/crumbs.ts'
import { may } from '../action-rules.ts'
import { useFolderName } from '../folder-name.ts'
import styles from './folder-picker.module.css'
import { NewFolderLine } from './new-folder-line.tsx'
import { useFoldersBelow } from './use-folders-below.ts'

export interface FolderPickerProps {
  path: FilePath
  onPath: (path: FilePath) => void
  /** Folders that cannot be opened, because they are being moved or copied themselves. */
  barred: ReadonlySet<FilePath>
  /** Focuses the search field when the dialog opens. */
  searchFirst?: boolean
}

/** At most this many folders are listed; the filter finds the others. */
const MOST = 500

/** Folder browser; the open folder is the chosen one. */
export function FolderPicker({ path, onPath, barred, searchFirst }: FolderPickerProps) {
  const { perm } = useUser()
  const { folder, error } = useFolder(path)
  const root = useFolderName()(ROOT)
  const [naming, setNaming] = useState(false)
  const [filter, setFilter] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef(false)
  const found = folder === null ? [] : matching(folder, filter)
  const below = useFoldersBelow(path, filter)
  const foundBelow = below.found.filter((one) => ![...barred].some((source) => isWithin(one, source)))

  const go = (to: FilePath) => {
    moved.current = true
    setFilter('')
    setNaming(false)
    onPath(to)
  }
  // The focused folder has disappeared: focus the first one of the new folder.
  useEffect(() => {
    if (!moved.current || folder?.path !== path) return
    moved.current = false
    const first = list.current?.querySelector<HTMLElement>('button[data-entry]:enabled') ?? list.current
    first?.focus()
  }, [folder, path])

  return (
    <div className="grid gap-4 shrinkable">
      <PickerPath path={path} onPath={go} />
      <div className={styles.tools}>
        <TextField
          label={t('files.picker.filter')}
          labelHidden
          type="search"
          placeholder={t('files.picker.filter')}
          data-autofocus={searchFirst || undefined}
          value={filter}
          onValue={setFilter}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('button:enabled')?.focus()
            if (event.key !== 'Enter') return
            // Enter first opens the folder that was searched for.
            event.preventDefault()
            const first = found.find((entry) => !barred.has(entry.path))?.path ?? foundBelow[0]
            if (filter !== '' && first !== undefined) go(first)
          }}
        />
        {may(perm, 'create') && !naming && (
          <Button
            label={t('files.action.new-folder')}
            className={styles.newFolder}
            icon={FolderPlus}
            aria-label={t('files.action.new-folder')}
            onClick={() => setNaming(true)}
          />
        )}
      </div>
      {naming && folder !== null && (
        <NewFolderLine
          folder={path}
          taken={(name) => indexOfName(folder, name) !== null}
          onMade={go}
          onDismiss={() => {
            setNaming(false)
            list.current?.focus()
          }}
        />
      )}
      <ul
        ref={list}
        className={styles.list}
        tabIndex={-1}
        aria-label={t('files.picker.folders')}
        aria-busy={folder === null && error === null}
        onKeyDown={walk}
      >
        {path !== ROOT && (
          <li>
            <button type="button" className={styles.folder} onClick={() => go(parentOf(path))}>
              <CornerLeftUp size={20} strokeWidth={1.75} aria-hidden />
              <span>{t('files.picker.up')}</span>
            </button>
          </li>
        )}
        {found.slice(0, MOST).map((entry) => (
          <li key={entry.name}>
            <button type="button" className={styles.folder} disabled={barred.has(entry.path)} data-entry="" onClick={() => go(entry.path)}>
              <EntryIcon name={entry.name} type="" isDir size={24} />
              <FileName name={entry.name} />
              <ChevronRight className={styles.enter} size={18} aria-hidden />
            </button>
          </li>
        ))}
        {found.length > MOST && <li className={styles.word}>{t('files.picker.more', { count: found.length - MOST })}</li>}
        {foundBelow.length > 0 && <li className={styles.word}>{t('files.picker.below')}</li>}
        {foundBelow.map((one) => (
          <li key={one}>
            <button type="button" className={styles.folder} data-entry="" onClick={() => go(one)}>
              <EntryIcon name={nameOf(one)} type="" isDir size={24} />
              <span className="grid grow shrinkable text-start">
                <FileName name={nameOf(one)} />
                <ContainingFolder path={one} root={root} />
              </span>
              <ChevronRight className={styles.enter} size={18} aria-hidden />
            </button>
          </li>
        ))}
        {below.busy && (
          <li className={styles.word}>
            <Spinner size={16} />
          </li>
        )}
        {folder !== null && found.length === 0 && foundBelow.length === 0 && !below.busy && (
          <li className={styles.word}>{t(folder.numDirs === 0 ? 'files.picker.none' : 'files.picker.no-match')}</li>
        )}
        {folder === null && (
          <li className={styles.word}>{error === null ? <Spinner size={20} /> : <span role="alert">{errorText(error)}</span>}</li>
        )}
      </ul>
    </div>
  )
}

function matching(folder: Listing, filter: string): ListedEntry[] {
  const shown = filterListing(folder, filter)
  return Array.from({ length: shown.numDirs }, (_, position) => entryAt(shown, position))
}

/** Up and Down move between folders. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const next = buttons[event.key === 'ArrowDown' ? at + 1 : at < 0 ? buttons.length - 1 : at - 1]
  event.preventDefault()
  next?.focus()
}

function PickerPath({ path, onPath }: Pick<FolderPickerProps, 'path' | 'onPath'>) {
  const { hidden, shown } = crumbsOf(path)
  const steps = hidden.length > 0 ? [{ name: '…', path: hidden.at(-1)?.path ?? ROOT }, ...shown] : shown
  return (
    <p className="row shrinkable muted text-name">
      <button type="button" className={styles.step} onClick={() => onPath(ROOT)} aria-label={t('files.home')}>
        <House size={18} strokeWidth={1.75} aria-hidden />
      </button>
      {steps.map((step) => (
        <span key={step.path} className="row shrinkable">
          <ChevronRight className={styles.chevron} size={16} aria-hidden />
          <button
            type="button"
            className={styles.step}
            aria-label={step.name === '…' ? nameOf(step.path) : undefined}
            aria-current={step.path === path ? 'location' : undefined}
            onClick={() => onPath(step.path)}
          >
            {step.name === '…' ? '…' : <FileName name={step.name} />}
          </button>
        </span>
      ))}
    </p>
  )
}
