import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useNavigate } from '../../../router/router.tsx'
import { isArchiveName } from '../../../../shared/archive-format.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../../shared/file-path.ts'
import { MAX_FAVOURITES } from '../../../../shared/limits.ts'
import { setClipboard, useClipboard } from '../../../data/clipboard.ts'
import { entryOf, isComplete, type ListedEntry, type Listing, sizeOfFiles } from '../../../data/listing.ts'
import { notify } from '../../../data/notices.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { CURRENT_SHARE, IS_ELSEWHERE } from '../../../data/share-context.ts'
import { urlFromPath } from '../../../data/paths.ts'
import { ask } from '../../../data/prompts.ts'
import { permissionsFor } from '../../../data/rights.ts'
import { useUser } from '../../../data/session.ts'
import { fileAddress, startDownload } from '../../../data/start-download.ts'
import { chooseDetailsTab, type DetailsTab } from '../../../data/details-tab.ts'
import { trashAddress } from '../../../data/trash-address.ts'
import { useKnownLatest } from '../../../data/operations.ts'
import { isAnyRunning, redoLatest, undoLatest } from '../../../data/undo.ts'
import { t } from '../../../i18n/i18n.tsx'
import { gestureText } from '../../../widgets/gesture-text.ts'
import { type ActionName, isAvailable, may } from '../action-rules.ts'
import { wayUp } from '../breadcrumbs.tsx'
import { askCompress, askExtract, extractHere } from '../archive-operations.ts'
import { askRewind } from '../activity/kinds.ts'
import { askDelete } from '../deletion.ts'
import { askNewFile, askNewFolder, askRename, paste, transfer as startTransfer } from '../operations.ts'
import { star } from '../star.ts'
import { showSnapshots } from '../snapshots/kinds.ts'
import { showVersions } from '../versions/kinds.ts'
import type { InfoSubject } from '../prompts/details.tsx'
import { report } from '../report.ts'
import type { useSelection } from './use-selection.ts'

export type ListingActions = ReturnType<typeof useListingActions>

export interface Pickers {
  readonly files: RefObject<HTMLInputElement | null>
  readonly folder: RefObject<HTMLInputElement | null>
}

/** State of the filter. */
export interface Filtering {
  readonly on: boolean
  /** The folder as it is without it. */
  readonly whole: Listing
  open(): void
  close(): void
}

/** Actions on all entries; unavailable until the folder is complete. */
/** What speaks of one's own tree, or of other people. */
const NOT_IN_SHARES: ReadonlySet<ActionName> = new Set([
  'share',
  'star',
  'unstar',
  'trash-here',
  'snapshots',
  'activity',
  'rewind',
  'access',
])
const OF_ALL = new Set<ActionName>(['select-all', 'filter', 'info', 'activity'])

/** Actions that send the path as part of an address. */
const ADDRESSED = new Set<ActionName>(['trash-here', 'snapshots', 'activity', 'rewind', 'access'])

export interface ActionOptions {
  readonly pickers: Pickers
  readonly filter: Filtering
  readonly stars: ReadonlySet<FilePath>
  /** The details pane; null if there is no room. */
  readonly pane: { readonly open: boolean; readonly show: (open: boolean) => void } | null
}

/** Implements each action in a folder. Availability is defined in ACTION_RULES; callers check `available` first. */
export function useListingActions(
  listing: Listing,
  around: ReturnType<typeof useSelection>,
  { pickers, filter, stars, pane }: ActionOptions,
) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const user = useUser()
  const latest = useKnownLatest()
  const { selection, follow, show } = around
  const { path } = listing

  const chosenEntries = (): ListedEntry[] => [...selection.chosen()].map((index) => entryOf(listing, index))
  const chosenNames = () => [...selection.chosen()].flatMap((index) => listing.names[index] ?? [])
  const chosen = (): FilePath[] => chosenEntries().map((entry) => entry.path)
  const one = () => {
    const [index] = selection.chosen()
    // The listing may have shrunk before the selection has followed.
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
  // Broken links are left out, as in folder archives.
  const readable = (): ListedEntry[] => chosenEntries().filter((entry) => !isBroken(entry))

  const allStarred = (): boolean | null => {
    // Above the limit none can be added; avoids checking 100,000 entries on each click.
    if (selection.count > MAX_FAVOURITES) return null
    const entries = [...selection.chosen()].filter((index) => index < listing.names.length).map((index) => entryOf(listing, index))
    if (!entries.every((entry) => !isBroken(entry) && entry.path.isWellFormed())) return null
    return entries.every((entry) => stars.has(entry.path))
  }
  const mark = (starred: boolean) => {
    const entries = chosenEntries()
    const subjects = entries.length > 0 ? entries : [{ path, isDir: true, modified: listing.modified }]
    star(
      queries,
      subjects.filter((subject) => stars.has(subject.path) !== starred),
      starred,
    )
  }
  const textOf = (action: ActionName) => {
    const gesture = (action === 'undo' || action === 'redo') && !isAnyRunning() && latest?.[action]
    return gesture ? t(`${action}.command`, { what: gestureText(gesture) }) : undefined
  }
  const available = (action: ActionName) => {
    if (!isComplete(listing) && OF_ALL.has(action)) return false
    if (action === 'undo' || action === 'redo') return isAnyRunning() || latest?.[action] !== null
    // Its name is part of an address.
    if (ADDRESSED.has(action) && !(one()?.path ?? path).isWellFormed()) return false
    if (action === 'snapshots' && !pageConfig.Snapshots) return false
    if (IS_ELSEWHERE && NOT_IN_SHARES.has(action)) return false
    const { held } = useClipboard.getState()
    return isAvailable(action, {
      perm: permissionsFor(listing, user.perm, chosenNames()),
      selected: selection.count,
      archive: isArchive(one()),
      folder: one()?.isDir === true,
      broken: allBroken(),
      starred: selection.count > 0 ? allStarred() : path === ROOT || !path.isWellFormed() ? null : stars.has(path),
      held: held === null ? null : held.key === 'x' && held.path !== path ? 'move' : 'copy',
      isShared: CURRENT_SHARE !== null,
    })
  }
  const transfer = async (kind: 'copy' | 'move', sources: readonly FilePath[], into: FilePath) => {
    const leaves = into !== path && user.redirectAfterCopyMove
    const onShow = into === path || leaves ? undefined : (name: string) => reveal(into, name)
    const started = await startTransfer(queries, { kind, sources, into, onShow })
    if (started !== null && leaves) go(into, { folder: true })
  }
  const askTransfer = async (kind: 'copy' | 'move') => {
    const sources = chosen()
    const into = await ask(kind, { sources, start: path })
    if (into !== null) await transfer(kind, sources, into)
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
    await askRename(queries, entry, { onNamed: (name) => follow(entry.name, name), onRenamed: (to) => show(nameOf(to), since) })
  }
  const subject = () => subjectOf(filter.whole, [...selection.chosen()])
  const showUsage = async (folder: FilePath) => {
    const answer = await ask('usage', { folder })
    if (answer?.action === 'open') go(answer.path, { folder: answer.isDir })
    else if (answer !== null) reveal(parentOf(answer.path), nameOf(answer.path))
  }

  const showDetails = async (tab: DetailsTab) => {
    chooseDetailsTab(tab)
    if (pane !== null) return pane.show(true)
    const answer = await ask('info', { subject: subject() })
    if (answer === null) return
    if ('url' in answer) void navigate(answer.url)
    else await showUsage(answer.usage)
  }

  const handlers: Record<ActionName, () => unknown> = {
    open: () => go(one()?.path ?? path, { folder: one()?.isDir ?? true }),
    download: () => {
      const entry = one()
      // A single file is downloaded as it is; anything else as an archive of the chosen format.
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
      return held && paste(queries, held, path)
    },
    copy: () => askTransfer('copy'),
    move: () => askTransfer('move'),
    'extract-here': async () => {
      const archive = one()
      return archive && extractHere(queries, archive.path)
    },
    'extract-to': async () => {
      const archive = one()
      return archive && askExtract(queries, { path: archive.path, modified: archive.modified })
    },
    compress: async () => {
      const entries = readable()
      return askCompress(queries, path, entries)
    },
    delete: () => askDelete(queries, chosen()),
    'delete-permanently': () => askDelete(queries, chosen(), { permanent: true }),
    undo: undoLatest,
    redo: redoLatest,
    'trash-here': () => navigate(trashAddress(one()?.path ?? path)),
    versions: () => {
      const file = one()
      return file && showVersions(queries, file)
    },
    snapshots: () => showSnapshots(one()?.path ?? path),
    usage: () => showUsage(one()?.path ?? path),
    info: () => showDetails('general'),
    activity: () => showDetails('activity'),
    access: async () => void (await ask('access', { path: one()?.path ?? path })),
    rewind: () => askRewind(queries, one()?.path ?? path),
    'upload-files': () => pickers.files.current?.click(),
    'upload-folder': () => pickers.folder.current?.click(),
    'new-folder': async () => {
      const since = selection.touched
      const made = await askNewFolder(queries, path)
      if (made !== null) show(nameOf(made), since)
    },
    'new-file': async () => {
      const made = await askNewFile(queries, path)
      if (made !== null) go(made, { folder: false })
    },
    'select-all': () => selection.all(listing.order),
    'select-multiple': () => (selection.multiple ? selection.clear() : selection.setMultiple(true)),
    filter: () => listing.names.length > 0 && filter.open(),
    // Escape undoes one step at a time.
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
    available,
    textOf,
    /** Copies or moves into a folder, as after a drop. */
    transfer,
    /** Subject of the details: the selection, otherwise the folder. */
    subject,
    goTo: (url: string) => void navigate(url),
    showUsage: (folder: FilePath) => void showUsage(folder).catch(report),
    open: (index: number) => {
      const entry = entryOf(listing, index)
      go(entry.path, { folder: entry.isDir })
    },
    run: (action: ActionName) => {
      if (available(action)) Promise.resolve(handlers[action]()).catch(report)
      else if (action === 'rename' && selection.count > 1 && may(permissionsFor(listing, user.perm, chosenNames()), 'rename'))
        notify({ tone: 'info', text: t('files.rename.several') })
    },
  }
}

/** A broken link, or one that leads outside the user's scope. */
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
