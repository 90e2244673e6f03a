import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { useLocation, useNavigate } from '../../router/router.tsx'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { inTime } from '../../data/chunks.ts'
import { resourceQuery, useFolder } from '../../data/folders.ts'
import type { OpenedFile } from '../../data/listing.ts'
import { sortListing } from '../../data/listing-order.ts'
import { neighboursOf } from '../../data/neighbours.ts'
import { urlFromPath } from '../../data/paths.ts'
import { recordVisit } from '../../data/favourites.ts'
import { ask } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import { loadDeeds } from './load-deeds.ts'
import { report } from './report.ts'

const Editor = lazyPart(async () => (await inTime(import('./editor/editor.tsx'))).Editor)
const Preview = lazyPart(async () => (await inTime(import('./preview/preview.tsx'))).Preview)

/** One opened file: text in the editor, anything else on the stage. */
export function FileView({ place }: { place: OpenedFile }) {
  const { file, path } = place
  const navigate = useNavigate()
  const queries = useQueryClient()
  const cameFromListing = useCameFromListing()
  const { by, asc } = useUser().sorting
  const { folder: served } = useFolder(parentOf(path))
  const folder = useMemo(() => served && sortListing(served, { by, asc }), [served, by, asc])

  const close = () => {
    if (cameFromListing) void navigate(-1)
    else void navigate(urlFromPath(parentOf(path), { folder: true }), { state: { focus: nameOf(path) } })
  }
  // One step back leads to the folder, however many files one has walked through.
  const open = (to: FilePath) =>
    void navigate(urlFromPath(to, { folder: false }), { replace: true, state: cameFromListing ? { from: 'listing' } : null })

  const [reading, setReading] = useState(0)
  const [asText, setAsText] = useState<OpenedFile | null>(null)
  const reload = async () => {
    setAsText(null)
    await queries.refetchQueries({ ...resourceQuery(path), exact: true })
    setReading(reading + 1)
  }
  // Opened again, a file is read again: what was remembered of it may be yesterday's.
  useEffect(() => () => queries.removeQueries({ queryKey: resourceQuery(path).queryKey, exact: true }), [queries, path])

  useVisited(file.type === 'invalid_link' ? null : path)

  const { file: text, version } = asText?.path === path ? asText : place
  if (text.type === 'text' || text.type === 'textImmutable')
    return (
      <Editor
        key={`${reading} ${path}`}
        file={text}
        path={path}
        version={version}
        onClose={close}
        onOpen={open}
        onReload={() => void reload()}
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
    const { askRename } = await loadDeeds()
    const to = await askRename(queries, { path, isDir: false })
    if (to !== null) open(to)
  }
  const remove = async () => {
    const { askDelete } = await loadDeeds()
    const { previous, next } = neighboursOf(folder, file.name)
    if (!(await askDelete(queries, [path]))) return
    const neighbour = next ?? previous
    if (neighbour === null) close()
    else open(neighbour.path)
  }
  const modified = Date.parse(file.modified)
  const entry = { path, name: file.name, size: file.size, modified, type: file.type, isDir: false, isLink: file.isSymlink }
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
      onInfo={() => void ask('info', { subject: { kind: 'entry', entry } })}
    />
  )
}

/** Whoever walks through the neighbours has not opened all that they passed. */
const GLANCE_MS = 2000

/** What was opened is a recent file; a neighbour is, when somebody stays with it. @param path null for what cannot be one */
function useVisited(path: FilePath | null): void {
  const opened = useRef(path)
  // Talks to the server.
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
