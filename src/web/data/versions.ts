import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { errorFrom } from '../../shared/contract/invoke.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { raw } from '../../shared/contract/raw.ts'
import type { FileType } from '../../shared/contract/resources.ts'
import { versions } from '../../shared/contract/versions.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address, clientFor, send, unlessGone } from './client.ts'
import { invalidateParents, resourceQuery } from './folders.ts'
import { inlineAddress } from './inline.ts'
import { fileAddress } from './start-download.ts'

const client = clientFor({ versions })

/** The file whose versions are shown. */
export interface VersionedFile {
  readonly path: FilePath
  readonly name: string
  readonly type: FileType
}

/** The present content of a file, or content that it had before. */
export interface FileContent {
  /** Null for the present content. */
  readonly id: string | null
  /** When it was replaced, and by whom; null for the present content. The name may be empty. */
  readonly replaced: { readonly at: Date; readonly by: string } | null
  /** The name of the snapshot that has it; null if it was kept here. */
  readonly snapshot: string | null
  /** Bytes. */
  readonly size: number
  readonly modified: Date
}

/** The present content, and what the file held before, the newest first. */
export function historyQuery(path: FilePath) {
  return queryOptions({
    queryKey: ['versions', path] as const,
    queryFn: async ({ signal }) => {
      const { current, versions: earlier, policy, unknownSnapshots = 0 } = await client.versions.list({ params: { path } }, { signal })
      const contents: FileContent[] = [
        { id: null, replaced: null, snapshot: null, size: current.size, modified: new Date(current.modified) },
        ...earlier.map(({ id, at, by, size, modified, snapshot = null }) => ({
          id,
          replaced: { at: new Date(at), by },
          snapshot,
          size,
          modified: new Date(modified),
        })),
      ]
      return { contents, policy, unknownSnapshots }
    },
    // Others save too, and what an earlier list had may be gone.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
  })
}

/** Addresses of a content, authenticated by the cookie. */
export function contentAddresses(path: FilePath, { id, modified }: FileContent): { inline: string; download: string } {
  if (id === null) return { inline: inlineAddress(path, modified.getTime()), download: fileAddress(path) }
  const at = (query: { id: string; inline?: string }) => address(href(versions.content, { params: { path }, query }))
  return { inline: at({ id, inline: 'true' }), download: at({ id }) }
}

/** The bytes of a content, which should be small. */
export function contentQuery(path: FilePath, { id, modified }: FileContent) {
  return queryOptions({
    queryKey: ['versions', path, 'content', id ?? modified.getTime()] as const,
    queryFn: async ({ signal }) => {
      const params = { path }
      const place = id === null ? href(raw.get, { params }) : href(versions.content, { params, query: { id } })
      const response = await send(place, { signal })
      // 202: no download permission.
      if (!response.ok || response.status === 202) throw await errorFrom(response)
      return new Uint8Array(await response.arrayBuffer())
    },
    // A version never changes, and the present content has its time in the key.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Makes a version the present content. Unsaved changes are discarded. @param operation the gesture */
export async function restoreVersion(queries: QueryClient, path: FilePath, id: string, operation: string): Promise<void> {
  await client.versions.restore({ params: { path }, query: { id } }, { operation })
  toldRestored(queries, path, { overUnsaved: true })
}

/** Another content of the file was restored. @param options.overUnsaved unsaved changes are to be discarded */
export function toldRestored(queries: QueryClient, path: FilePath, { overUnsaved = false }: { overUnsaved?: boolean } = {}): void {
  void invalidateParents(queries, [path])
  // Not the contents: the restored version has none of its own any more.
  void queries.invalidateQueries({ queryKey: historyQuery(path).queryKey, exact: true })
  void queries.invalidateQueries({ queryKey: resourceQuery(path).queryKey, exact: true })
  for (const listener of listeners) listener({ path, overUnsaved })
}

/** Removes a version for good; it counts as success if it has gone already. */
export async function removeVersion(queries: QueryClient, path: FilePath, id: string): Promise<void> {
  await unlessGone(client.versions.remove({ params: { path }, query: { id } }))
  await queries.invalidateQueries({ queryKey: historyQuery(path).queryKey, exact: true })
}

interface Restoration {
  readonly path: FilePath
  /** Unsaved changes are to be discarded. */
  readonly overUnsaved: boolean
}

const listeners = new Set<(restoration: Restoration) => void>()

/** Calls the handler when another content of the file was restored in this tab. */
export function useRestored(path: FilePath, onRestored: (options: { overUnsaved: boolean }) => void): void {
  const handle = useEffectEvent(onRestored)
  // Synchronises with operations of this tab.
  useEffect(() => {
    const listener = (restoration: Restoration) => restoration.path === path && handle(restoration)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [path])
}
