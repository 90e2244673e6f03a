import { useCallback, useMemo } from 'react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { href } from '../../shared/contract/endpoint.ts'
import { type SharedLink, SharedRows, shared } from '../../shared/contract/public.ts'
import type { PreviewSize } from '../../shared/contract/previews.ts'
import { decodeFilePath, type FilePath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import { errorFrom } from '../../shared/contract/client.ts'
import { address, clientFor } from './client.ts'
import { takePrefetchedShare } from './prefetch.ts'
import { mediaFile } from './neighbours.ts'
import { readSequence } from './rows.ts'
import { isSameResource, listingFrom, type Resource } from './listing.ts'

const client = clientFor({ shared })

/** A place behind a link. */
export interface ShareLocation {
  readonly hash: string
  /** From the shared folder; the root for a shared file, whatever follows its link. */
  readonly path: FilePath
}

/** What is there. */
export type SharedResource = (Resource | Dropbox) & {
  /** The shared node's own at the root. */
  readonly name: string
  /** It is what was shared itself, and not something in it. */
  readonly isWholeShare: boolean
  readonly link: SharedLink
  /** It was shown for a password or a ticket, which the page keeps good. */
  readonly isLocked: boolean
}

/** A place to put something in, of which nothing else is known. */
export interface Dropbox {
  readonly kind: 'drop'
  readonly path: FilePath
}

/** The server's ticket ends ten minutes after its last use; a page that stays open stays let in. */
const KEEP_TICKET_MS = 4 * 60_000

/** Passwords that opened a link here, and the tickets they were given: in memory alone, never in an address or in storage. */
const passwords = new Map<string, string>()
const tickets = new Map<string, string>()

/** How a visitor who changes something says who they are: the cookie is for reading only. */
export function visitorHeaders(hash: string): Record<string, string> {
  const ticket = tickets.get(hash)
  const password = passwords.get(hash)
  return {
    ...(ticket === undefined ? {} : { 'x-share-ticket': ticket }),
    ...(password === undefined ? {} : { 'x-share-password': encodeURIComponent(password) }),
  }
}

/**
 * The place an address of a shared page means; `pathname` is the router's, still percent-encoded (never its splat: that decodes twice).
 * @returns null for an address that means no place
 */
export function shareLocationFrom(pathname: string): ShareLocation | null {
  const [, hash = '', rest = ''] = /^\/share\/([^/]+)(.*)$/.exec(pathname) ?? []
  try {
    return hash === '' ? null : { hash: decodeURIComponent(hash), path: decodeFilePath(rest).path }
  } catch {
    return null
  }
}

/**
 * What is at a place behind a link. `error` may be `share-password-needed`, `not-found`, or anything else that calls fail with. Of a long folder the
 * first rows are there before it is whole (`isWhole`), and a medium of a folder that was shown is there at once.
 */
export function useSharedResource({ hash, path }: ShareLocation) {
  const queries = useQueryClient()
  const query = useQuery({
    ...sharedResourceQuery({ hash, path }),
    refetchInterval: (asked) => (asked.state.data?.isLocked === true ? KEEP_TICKET_MS : false),
    refetchIntervalInBackground: true,
  })
  // The same thing at every look: what is made anew each time would be drawn anew each time.
  const beside = useMemo(
    () => siblingPlaceholder({ hash, path }, queries.getQueryData(sharedResourceQuery({ hash, path: parentOf(path) }).queryKey)),
    [queries, hash, path],
  )
  const beginning = useFirstRows((now) => (now !== null && isSame(now.place, { hash, path }) ? now.visited : undefined))
  return { ...query, data: query.data ?? beside ?? beginning }
}

/** The first rows of the long folder that is on its way. */
const useFirstRows = create<{ place: ShareLocation; visited: SharedResource } | null>(() => null)

function siblingPlaceholder({ path }: ShareLocation, folder: SharedResource | undefined): SharedResource | undefined {
  const medium = folder?.kind === 'folder' && path !== ROOT ? mediaFile(folder, path) : null
  if (medium === null || folder === undefined) return undefined
  return { ...medium, name: nameOf(path), isWholeShare: false, link: folder.link, isLocked: folder.isLocked }
}

/** Shows the password at the door. Fails with `share-password-needed` for a wrong one, and with `too-many-requests`. */
export function useUnlock({ hash, path }: ShareLocation): (password: string) => Promise<void> {
  const queries = useQueryClient()
  return async (password) => {
    const visited = await fetchSharedResource({ hash, path }, { password })
    passwords.set(hash, password)
    queries.setQueryData(sharedResourceQuery({ hash, path }).queryKey, visited)
  }
}

/** The bytes of a file behind a link, shown in place; the ticket is a cookie, so no secret is in the address (GHSA-3v48-283x-f2w4). */
export function sharedInline({ hash, path }: ShareLocation, modified?: number): string {
  const k = modified === undefined ? undefined : String(Math.floor(modified))
  return address(href(shared.download, { params: { hash, path }, query: { inline: 'true', k } }))
}

/** The bytes of a file behind a link, to be saved. */
export function sharedDownload({ hash, path }: ShareLocation): string {
  return address(href(shared.download, { params: { hash, path } }))
}

export function sharedPicture(size: PreviewSize, { hash, path }: ShareLocation, modified: number): string {
  return address(href(shared.preview, { params: { hash, path, size }, query: { inline: 'true', k: String(Math.floor(modified)) } }))
}

/** Looks again at everything behind a link that is on show. */
export function useRefresh(hash: string): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: ['visited', hash] }), [queries, hash])
}

function sharedResourceQuery(place: ShareLocation) {
  return queryOptions({
    queryKey: ['visited', place.hash, place.path] as const,
    // An answer that says the same again draws nothing again, and keeps the selection.
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
  // Of a shared file the server says no path: what followed the link was a pretty name.
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

/** A link of a server that says nothing of terms. */
const PLAIN: SharedLink = {
  title: '',
  message: '',
  rights: 'download',
  may: { create: false, rename: false, delete: false },
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
