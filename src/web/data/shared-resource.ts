import { useCallback, useMemo } from 'react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { orElse } from '../../shared/errors.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { type SharedLink, SharedRows, shared } from '../../shared/contract/public.ts'
import type { PreviewSize } from '../../shared/contract/previews.ts'
import { decodeFilePath, type FilePath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import { errorFrom } from '../../shared/contract/invoke.ts'
import { address, clientFor } from './client.ts'
import { takePrefetchedShare } from './prefetch.ts'
import { mediaFile } from './neighbours.ts'
import { readSequence } from './rows.ts'
import { isSameResource, listingFrom, type Resource } from './listing.ts'

const client = clientFor({ shared })

/** A location inside a share. */
export interface ShareLocation {
  readonly hash: string
  /** Relative to the shared folder; the root for a shared file. */
  readonly path: FilePath
}

/** The resource at a location, as a visitor sees it. */
export type SharedResource = (Resource | Dropbox) & {
  /** At the root, the name of the shared node. */
  readonly name: string
  /** Whether it is the shared node itself. */
  readonly isWholeShare: boolean
  readonly link: SharedLink
  /** It needed a password or ticket, which the page keeps valid. */
  readonly isLocked: boolean
}

/** A file request: visitors can upload, but see nothing. */
export interface Dropbox {
  readonly kind: 'drop'
  readonly path: FilePath
}

/** The server's ticket expires ten minutes after its last use; an open page keeps it valid. */
const KEEP_TICKET_MS = 4 * 60_000

/** Passwords entered and tickets received on this page: in memory only, never in an address or in storage. */
const passwords = new Map<string, string>()
const tickets = new Map<string, string>()

/** Authentication of visitors for changes; the cookie only allows reading. */
export function visitorHeaders(hash: string): Record<string, string> {
  const ticket = tickets.get(hash)
  const password = passwords.get(hash)
  return {
    ...(ticket === undefined ? {} : { 'x-share-ticket': ticket }),
    ...(password === undefined ? {} : { 'x-share-password': encodeURIComponent(password) }),
  }
}

/**
 * The location of a share page; `pathname` is the router's, still percent-encoded (never its splat: that decodes twice).
 * @returns null for an invalid address
 */
export function shareLocationFrom(pathname: string): ShareLocation | null {
  const [, hash = '', rest = ''] = /^\/share\/([^/]+)(.*)$/.exec(pathname) ?? []
  return orElse(null, () => (hash === '' ? null : { hash: decodeURIComponent(hash), path: decodeFilePath(rest).path }))
}

/**
 * The resource at a location of a share. `error` may be `share-password-needed`, `not-found`, or any call error. Long folders show their first rows
 * before they are complete (`isComplete`); a media file of a loaded folder is shown at once.
 */
export function useSharedResource({ hash, path }: ShareLocation) {
  const queries = useQueryClient()
  const query = useQuery({
    ...sharedResourceQuery({ hash, path }),
    refetchInterval: (asked) => (asked.state.data?.isLocked === true ? KEEP_TICKET_MS : false),
    refetchIntervalInBackground: true,
  })
  // Memoised, because a new object would render everything again.
  const beside = useMemo(
    () => siblingPlaceholder({ hash, path }, queries.getQueryData(sharedResourceQuery({ hash, path: parentOf(path) }).queryKey)),
    [queries, hash, path],
  )
  const beginning = useFirstRows((now) => (now !== null && isSame(now.place, { hash, path }) ? now.visited : undefined))
  return { ...query, data: query.data ?? beside ?? beginning }
}

/** The first rows of a long folder that is still loading. */
const useFirstRows = create<{ place: ShareLocation; visited: SharedResource } | null>(() => null)

function siblingPlaceholder({ path }: ShareLocation, folder: SharedResource | undefined): SharedResource | undefined {
  const medium = folder?.kind === 'folder' && path !== ROOT ? mediaFile(folder, path) : null
  if (medium === null || folder === undefined) return undefined
  return { ...medium, name: nameOf(path), isWholeShare: false, link: folder.link, isLocked: folder.isLocked }
}

/** Unlocks a link. Fails with `share-password-needed` for a wrong password, and with `too-many-requests`. */
export function useUnlock({ hash, path }: ShareLocation): (password: string) => Promise<void> {
  const queries = useQueryClient()
  return async (password) => {
    const visited = await fetchSharedResource({ hash, path }, { password })
    passwords.set(hash, password)
    queries.setQueryData(sharedResourceQuery({ hash, path }).queryKey, visited)
  }
}

/** Inline address of a shared file; the ticket is a cookie, so the address contains no secret (GHSA-3v48-283x-f2w4). */
export function sharedInline({ hash, path }: ShareLocation, modified?: number): string {
  const k = modified === undefined ? undefined : String(Math.floor(modified))
  return address(href(shared.download, { params: { hash, path }, query: { inline: 'true', k } }))
}

/** Download address of a shared file. */
export function sharedDownload({ hash, path }: ShareLocation): string {
  return address(href(shared.download, { params: { hash, path } }))
}

export function sharedPicture(size: PreviewSize, { hash, path }: ShareLocation, modified: number): string {
  return address(href(shared.preview, { params: { hash, path, size }, query: { inline: 'true', k: String(Math.floor(modified)) } }))
}

/** Refetches everything shown of a share. */
export function useRefresh(hash: string): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: ['visited', hash] }), [queries, hash])
}

function sharedResourceQuery(place: ShareLocation) {
  return queryOptions({
    queryKey: ['visited', place.hash, place.path] as const,
    // Keep the reference if nothing changed, so that nothing renders again and the selection is kept.
    structuralSharing: (before, now) =>
      isSharedResource(before) && isSharedResource(now) && isSameSharedResource(before, now) ? before : now,
    queryFn: ({ signal }) => fetchSharedResource(place, { password: passwords.get(place.hash), signal }),
  })
}

async function fetchSharedResource(
  { hash, path }: ShareLocation,
  { password, signal }: { password?: string | undefined; signal?: AbortSignal },
): Promise<SharedResource> {
  const early = password === undefined ? takePrefetchedShare((pathname) => isSame(shareLocationFrom(pathname), { hash, path })) : null
  const headers = password === undefined ? {} : { 'x-share-password': encodeURIComponent(password) }
  const response =
    (await early?.catch(() => null)) ?? (await client.shared.rowsInParts({ params: { hash, path }, query: {}, headers }, { signal }))
  if (!response.ok) throw await errorFrom(response)
  const folder = (rows: SharedRows): SharedResource => ({
    ...listingFrom(rows, path),
    name: rows.name,
    isWholeShare: path === ROOT,
    ...accessOf(rows),
  })
  const whole = await readSequence(response, {
    parse: (json) => z.parse(SharedRows, json),
    signal,
    onFirstRows(rows) {
      if (!signal?.aborted) useFirstRows.setState({ place: { hash, path }, visited: folder(rows) })
    },
  })
  const answer = whole ?? z.parse(shared.rows.result, await response.json())
  if (answer.token !== undefined) tickets.set(hash, answer.token)
  const told = accessOf(answer)
  if ('kind' in answer && answer.kind === 'drop') return { kind: 'drop', path: ROOT, name: '', isWholeShare: true, ...told }
  if ('kind' in answer) return folder(answer)
  // For a shared file the server returns no path: the rest of the address is only a readable name.
  const isWholeShare = answer.path === ''
  return { kind: 'file', path: isWholeShare ? ROOT : path, file: answer, version: null, name: answer.name, isWholeShare, ...told }
}

function accessOf({
  token,
  link,
}: {
  token?: string | undefined
  link?: SharedLink | undefined
}): Pick<SharedResource, 'isLocked' | 'link'> {
  return { isLocked: token !== undefined, link: link ?? PLAIN }
}

function isSame(one: ShareLocation | null, other: ShareLocation): boolean {
  return one?.hash === other.hash && one.path === other.path
}

/** Defaults for servers that do not send link options. */
const PLAIN: SharedLink = {
  title: '',
  message: '',
  rights: 'download',
  may: { create: false, rename: false, delete: false },
  expires: 0,
  limited: false,
  drop: null,
}

function isSameSharedResource(before: SharedResource, now: SharedResource): boolean {
  if (before.kind === 'drop' || now.kind === 'drop') return false
  return JSON.stringify(before.link) === JSON.stringify(now.link) && isSameResource(before, now)
}

function isSharedResource(value: unknown): value is SharedResource {
  return typeof value === 'object' && value !== null && 'isWholeShare' in value
}
