import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useNavigate } from '../../../router/router.tsx'
import { isArchiveName } from '../../../../shared/archive-format.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../../shared/file-path.ts'
import { MAX_FAVOURITES } from '../../../../shared/limits.ts'
import { setClipboard, useClipboard } from '../../../data/clipboard.ts'
import { entryOf, isComplete, type ListedEntry, type Listing, sizeOfFiles } from '../../../data/listing.ts'
import { notify } from '../../../data/notices.ts'
import { urlFromPath } from '../../../data/paths.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { fileAddress, startDownload } from '../../../data/start-download.ts'
import { t } from '../../../i18n/i18n.tsx'
import { type ActionName, isOffered, may } from '../offers.ts'
import { wayUp } from '../breadcrumbs.tsx'
import { loadArchiveDeeds, loadDeeds, loadStar } from '../load-deeds.ts'
import type { InfoSubject } from '../prompts/kinds.ts'
import { report } from '../report.ts'
import type { useSelection } from './use-selection.ts'

export interface ListingActions {
  readonly offered: (action: ActionName) => boolean
  readonly run: (action: ActionName) => void
  readonly open: (index: number) => void
  /** What the details are about: what is selected, else the folder. */
  readonly subject: () => InfoSubject
  readonly showUsage: (folder: FilePath) => void
  /** Copies or moves into a folder, as a drop does. */
  readonly bring: (kind: 'copy' | 'move', sources: readonly FilePath[], into: FilePath) => Promise<void>
}

export interface Pickers {
  readonly files: RefObject<HTMLInputElement | null>
  readonly folder: RefObject<HTMLInputElement | null>
}

/** The folder narrowed to some of its entries. */
export interface Filtering {
  readonly on: boolean
  open(): void
  close(): void
}

/** What speaks of all entries waits until they are here. */
const OF_ALL = new Set<ActionName>(['select-all', 'filter', 'info'])

export interface ActionOptions {
  readonly pickers: Pickers
  readonly filter: Filtering
  readonly stars: ReadonlySet<FilePath>
  /** The details beside the entries; null where there is no room for them. */
  readonly pane: { readonly open: boolean; readonly show: (open: boolean) => void } | null
}

/** What each action does in a folder. Whether it may be done is the table's to say; every way in asks `offered` first. */
export function useListingActions(
  listing: Listing,
  around: ReturnType<typeof useSelection>,
  { pickers, filter, stars, pane }: ActionOptions,
): ListingActions {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const user = useUser()
  const { selection, follow, show } = around
  const { path } = listing

  const chosenEntries = (): ListedEntry[] => [...selection.chosen()].map((index) => entryOf(listing, index))
  const chosen = (): FilePath[] => chosenEntries().map((entry) => entry.path)
  const one = () => {
    const [index] = selection.chosen()
    // A shorter listing is drawn once before the selection has followed into it.
    return index === undefined || index >= listing.names.length ? null : entryOf(listing, index)
  }
  const go = (to: FilePath, { folder }: { folder: boolean }) => void navigate(urlFromPath(to, { folder }), { state: { from: 'listing' } })

  /** Selects an entry in its folder. */
  const reveal = (folder: FilePath, name: string) =>
    void navigate(urlFromPath(folder, { folder: true }), { state: { focus: name, reveal: true } })

  const allBroken = (): boolean => {
    for (const index of selection.chosen()) if (index < listing.names.length && !isBroken(entryOf(listing, index))) return false
    return selection.count > 0
  }
  // As in the archive of a whole folder, what leads nowhere is left out.
  const readable = (): ListedEntry[] => chosenEntries().filter((entry) => !isBroken(entry))

  const allStarred = (): boolean | null => {
    // More than that can have no star; and a hundred thousand are not looked at with each click.
    if (selection.count > MAX_FAVOURITES) return null
    const entries = [...selection.chosen()].filter((index) => index < listing.names.length).map((index) => entryOf(listing, index))
    if (!entries.every((entry) => !isBroken(entry) && entry.path.isWellFormed())) return null
    return entries.every((entry) => stars.has(entry.path))
  }
  const mark = async (starred: boolean) => {
    const entries = chosenEntries()
    const subjects = entries.length > 0 ? entries : [{ path, isDir: true, modified: listing.modified }]
    const { star } = await loadStar()
    return star(
      queries,
      subjects.filter((subject) => stars.has(subject.path) !== starred),
      starred,
    )
  }
  const offered = (action: ActionName) => {
    if (!isComplete(listing) && OF_ALL.has(action)) return false
    const { held } = useClipboard.getState()
    return isOffered(action, {
      perm: user.perm,
      selected: selection.count,
      archive: isArchive(one()),
      folder: one()?.isDir === true,
      broken: allBroken(),
      starred: selection.count > 0 ? allStarred() : path === ROOT || !path.isWellFormed() ? null : stars.has(path),
      held: held === null ? null : held.key === 'x' && held.path !== path ? 'move' : 'copy',
    })
  }
  const bring = async (kind: 'copy' | 'move', sources: readonly FilePath[], into: FilePath) => {
    const { carry } = await loadDeeds()
    const leaves = into !== path && user.redirectAfterCopyMove
    const onShow = into === path || leaves ? undefined : (name: string) => reveal(into, name)
    const going = await carry(queries, { kind, sources, into, onShow })
    if (going !== null && leaves) go(into, { folder: true })
  }
  const transfer = async (kind: 'copy' | 'move') => {
    const sources = chosen()
    const into = await ask(kind, { sources, start: path })
    if (into !== null) await bring(kind, sources, into)
  }
  const hold = (key: 'c' | 'x') => {
    const sources = chosen()
    setClipboard(key, path, sources)
    notify({ tone: 'info', text: t(key === 'c' ? 'files.held.copy' : 'files.held.cut', { count: sources.length }) })
  }
  const rename = async () => {
    const entry = one()
    if (entry === null) return
    const since = selection.touched
    const { askRename, tellRenamed } = await loadDeeds()
    const to = await askRename(queries, entry, (name) => follow(entry.name, name))
    if (to === null) return
    show(nameOf(to), since)
    tellRenamed(queries, entry.path, to)
  }
  const subject = () => subjectOf(listing, [...selection.chosen()])
  const showUsage = async (folder: FilePath) => {
    const wish = await ask('usage', { folder })
    if (wish?.deed === 'open') go(wish.path, { folder: wish.isDir })
    else if (wish !== null) reveal(parentOf(wish.path), nameOf(wish.path))
  }

  const deeds: Record<ActionName, () => unknown> = {
    open: () => go(one()?.path ?? path, { folder: one()?.isDir ?? true }),
    download: () => {
      const entry = one()
      // A single file comes as it is; everything else as an archive of a chosen format.
      if (selection.count === 1 && entry?.isDir === false) return startDownload(fileAddress(entry.path))
      const all = selection.count !== 1 && selection.count === listing.names.length && isComplete(listing)
      return ask('download', { subject: { folder: path, paths: all ? [] : readable().map((each) => each.path) } })
    },
    share: () => {
      const entry = one()
      return entry && ask('share', { path: entry.path, isDir: entry.isDir })
    },
    star: () => mark(true),
    unstar: () => mark(false),
    rename,
    cut: () => hold('x'),
    'copy-held': () => hold('c'),
    paste: async () => {
      const { held } = useClipboard.getState()
      const { paste } = await loadDeeds()
      return held && paste(queries, held, path)
    },
    copy: () => transfer('copy'),
    move: () => transfer('move'),
    'extract-here': async () => {
      const archive = one()
      const { extractHere } = await loadArchiveDeeds()
      return archive && extractHere(queries, archive.path)
    },
    'extract-to': async () => {
      const archive = one()
      const { askExtract } = await loadArchiveDeeds()
      return archive && askExtract(queries, { path: archive.path, modified: archive.modified })
    },
    compress: async () => {
      const entries = readable()
      const { askCompress } = await loadArchiveDeeds()
      return askCompress(queries, path, entries)
    },
    delete: async () => {
      const paths = chosen()
      const { askDelete } = await loadDeeds()
      return askDelete(queries, paths)
    },
    usage: () => showUsage(one()?.path ?? path),
    info: async () => {
      if (pane !== null) return pane.show(true)
      const folder = await ask('info', { subject: subject() })
      if (folder !== null) await showUsage(folder)
    },
    'upload-files': () => pickers.files.current?.click(),
    'upload-folder': () => pickers.folder.current?.click(),
    'new-folder': async () => {
      const since = selection.touched
      const { askNewFolder } = await loadDeeds()
      const made = await askNewFolder(queries, path)
      if (made !== null) show(nameOf(made), since)
    },
    'new-file': async () => {
      const { askNewFile } = await loadDeeds()
      const made = await askNewFile(queries, path)
      if (made !== null) go(made, { folder: false })
    },
    'select-all': () => selection.all(listing.order),
    'select-multiple': () => (selection.multiple ? selection.clear() : selection.setMultiple(true)),
    filter: () => listing.names.length > 0 && filter.open(),
    // Escape takes back one thing at a time.
    clear: () => {
      if (selection.count > 0 || selection.multiple) selection.clear()
      else if (filter.on) filter.close()
      else pane?.show(false)
    },
    parent: () => {
      const up = wayUp(path)
      return up && navigate(up.url, { state: { focus: up.focus } })
    },
  }
  return {
    offered,
    bring,
    subject,
    showUsage: (folder) => void showUsage(folder).catch(report),
    open: (index) => {
      const entry = entryOf(listing, index)
      go(entry.path, { folder: entry.isDir })
    },
    run: (action) => {
      if (offered(action)) Promise.resolve(deeds[action]()).catch(report)
      else if (action === 'rename' && selection.count > 1 && may(user.perm, 'rename'))
        notify({ tone: 'info', text: t('files.rename.several') })
    },
  }
}

/** It is a link that leads nowhere, or nowhere that this person may go. */
function isBroken({ type }: ListedEntry): boolean {
  return type === 'invalid_link'
}

function isArchive(entry: ListedEntry | null): boolean {
  return entry !== null && !entry.isDir && isArchiveName(entry.name)
}

function subjectOf(listing: Listing, chosen: readonly number[]): InfoSubject {
  const [first] = chosen
  if (first === undefined) return { kind: 'folder', listing }
  if (chosen.length === 1) return { kind: 'entry', entry: entryOf(listing, first) }
  const folderPaths = chosen.map((index) => entryOf(listing, index)).flatMap(({ isDir, path }) => (isDir ? [path] : []))
  return { kind: 'many', folderPaths, files: chosen.length - folderPaths.length, size: sizeOfFiles(listing, chosen) }
}
