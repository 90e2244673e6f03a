import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { useLocation, useNavigate } from '../../router/router.tsx'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { inTime } from '../../data/chunks.ts'
import { chooseDetailsTab } from '../../data/details-tab.ts'
import { readResource, resourceQuery, useFolder } from '../../data/folders.ts'
import type { OpenedFile } from '../../data/listing.ts'
import { sortListing } from '../../data/listing-order.ts'
import { neighboursOf } from '../../data/neighbours.ts'
import { urlFromPath } from '../../data/paths.ts'
import { recordVisit } from '../../data/recent-files.ts'
import { ask } from '../../data/prompts.ts'
import { usePermissions } from '../../data/rights.ts'
import { useUser } from '../../data/session.ts'
import { askDelete } from './deletion.ts'
import { askRename } from './operations.ts'
import { report } from './report.ts'
import { showVersions } from './versions/kinds.ts'

const Editor = lazyPart(async () => (await inTime(import('./editor/editor.tsx'))).Editor)
const Preview = lazyPart(async () => (await inTime(import('./preview/preview.tsx'))).Preview)

const Unreadable = lazyPart(async () => (await inTime(import('./unreadable.tsx'))).Unreadable)

/** One file: text in the editor, anything else in the preview. */
export function FileView({ place }: { place: OpenedFile }) {
  const { file, path } = place
  const navigate = useNavigate()
  const queries = useQueryClient()
  const cameFromListing = useCameFromListing()
  const { download } = usePermissions()
  const { by, asc } = useUser().sorting
  const { folder: served } = useFolder(parentOf(path))
  const folder = useMemo(() => served && sortListing(served, { by, asc }), [served, by, asc])

  const close = () => {
    if (cameFromListing) void navigate(-1)
    else void navigate(urlFromPath(parentOf(path), { folder: true }), { state: { focus: nameOf(path) } })
  }
  // Replaces the history entry when moving between files, so that Back returns to the folder.
  const open = (to: FilePath) =>
    void navigate(urlFromPath(to, { folder: false }), { replace: true, state: cameFromListing ? { from: 'listing' } : null })

  const [reloaded, setReloaded] = useState<{ readonly count: number; readonly place: OpenedFile } | null>(null)
  const [asText, setAsText] = useState<OpenedFile | null>(null)
  const reload = async () => {
    const now = await readResource(queries, path)
    setAsText(null)
    // Not `place`, which may arrive later than this.
    if (now.kind === 'file') setReloaded((before) => ({ count: (before?.count ?? 0) + 1, place: now }))
  }
  // Do not cache files: read them again on every opening.
  useEffect(
    () => () => {
      queries.removeQueries({ queryKey: resourceQuery(path).queryKey, exact: true })
      setReloaded(null)
    },
    [queries, path],
  )

  useRecordVisit(file.type === 'invalid_link' ? null : path)

  const { file: text, version } = [asText, reloaded?.place].find((one) => one?.path === path) ?? place
  // An empty text has no content, too.
  if (text.content === undefined && text.size > 0 && !download && isText(text)) return <Unreadable onClose={close} />
  if (isText(text))
    return (
      <Editor
        key={`${reloaded?.count} ${path}`}
        file={text}
        path={path}
        version={version}
        onClose={close}
        onOpen={open}
        onReload={() => void reload().catch(report)}
      />
    )

  const openAsText = async () => {
    try {
      const { readAsText } = await inTime(import('./preview/as-text.ts'))
      setAsText(await readAsText(path, file))
    } catch (error) {
      report(error)
    }
  }

  const rename = async () => {
    const to = await askRename(queries, { path, isDir: false })
    if (to !== null) open(to)
  }
  const remove = async () => {
    const { previous, next } = neighboursOf(folder, file.name)
    if (!(await askDelete(queries, [path]))) return
    const neighbour = next ?? previous
    if (neighbour === null) close()
    else open(neighbour.path)
  }
  const modified = Date.parse(file.modified)
  const entry = { path, name: file.name, size: file.size, modified, type: file.type, isDir: false, isLink: file.isSymlink }
  const showInfo = async () => {
    chooseDetailsTab('general')
    const answer = await ask('info', { subject: { kind: 'entry', entry } })
    if (answer !== null && 'url' in answer) void navigate(answer.url)
  }
  return (
    <Preview
      file={file}
      path={path}
      folder={folder}
      onOpen={open}
      onClose={close}
      onShare={file.type === 'invalid_link' ? null : () => void ask('share', { path, isDir: false })}
      onOpenAsText={() => void openAsText()}
      onRename={() => void rename().catch(report)}
      onDelete={() => void remove().catch(report)}
      onInfo={() => void showInfo().catch(report)}
      onVersions={() => void showVersions(queries, entry).catch(report)}
    />
  )
}

function isText({ type }: OpenedFile['file']): boolean {
  return type === 'text' || type === 'textImmutable'
}

/** Files that are only passed through do not count as opened. */
const GLANCE_MS = 2000

/** Records a visit: at once for an opened file, after a delay for a neighbour. @param path null if it cannot be a recent file */
function useRecordVisit(path: FilePath | null): void {
  const opened = useRef(path)
  // Requests from the server.
  useEffect(() => {
    if (path === null) return
    if (opened.current === path) return recordVisit(path, 'opened')
    const stay = setTimeout(() => recordVisit(path, 'opened'), GLANCE_MS)
    return () => clearTimeout(stay)
  }, [path])
}

function useCameFromListing(): boolean {
  const state: unknown = useLocation().state
  return typeof state === 'object' && state !== null && 'from' in state && state.from === 'listing'
}
