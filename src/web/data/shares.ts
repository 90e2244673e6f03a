import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { href } from '../../shared/contract/endpoint.ts'
import { api } from '../../shared/contract/index.ts'
import type { Share, ShareUnit } from '../../shared/contract/shares.ts'
import { isAppError } from '../../shared/errors.ts'
import { encodeFilePath, type FilePath, ROOT } from '../../shared/file-path.ts'
import { address, client } from './client.ts'
import { fullAddress } from './paths.ts'

/** What a new link is to be: no password and no end unless said. */
export interface NewShare {
  /** As typed; 0 or empty for a link that stays. */
  readonly expires: string
  readonly unit: ShareUnit
  readonly password: string
}

const mineQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal }) => client.shares.mine({}, { signal }),
})

const sharesOfQuery = (path: FilePath) =>
  queryOptions({
    queryKey: ['shares', path],
    queryFn: ({ signal }) => client.shares.ofPath({ params: { path } }, { signal }),
    staleTime: 0,
  })

/** Who has which links: the person's own, for administrators everybody's; permanent ones first, then by expiry. */
export function useShares(): Share[] {
  return useSuspenseQuery(mineQuery).data
}

/** The links of one node; null while they come. Fails towards `error`. */
export function useSharesOf(path: FilePath): { shares: Share[] | null; error: unknown } {
  const { data, error } = useQuery(sharesOfQuery(path))
  return { shares: data ?? null, error }
}

/** Makes a link; with neither password nor duration the body is an empty object (spec §5). */
export function useMakeShare(path: FilePath) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ expires, unit, password }: NewShare) => {
      const lasting = Number(expires) === 0
      const body = { ...(lasting ? {} : { expires, unit }), ...(password === '' ? {} : { password }) }
      return client.shares.create({ params: { path }, query: lasting ? {} : { expires, unit }, body: JSON.stringify(body) })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['shares'] }),
  })
}

/** Ends a link. It leaves every list at once, and comes back should the server refuse; one that has just ended by itself is as good. */
export function useEndShare() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ hash }: Share) => {
      try {
        await client.shares.remove({ params: { hash } })
      } catch (error) {
        if (!isAppError(error, 'not-found')) throw error
      }
    },
    onMutate: async ({ hash }) => {
      await queries.cancelQueries({ queryKey: ['shares'] })
      const before = queries.getQueriesData<Share[]>({ queryKey: ['shares'] })
      queries.setQueriesData<Share[]>({ queryKey: ['shares'] }, (shares) => shares?.filter((one) => one.hash !== hash))
      return { before }
    },
    onError: (_, __, kept) => {
      for (const [key, shares] of kept?.before ?? []) queries.setQueryData(key, shares)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['shares'] }),
  })
}

/** The address of a link's page, whole: to be copied and sent. */
export function shareLink(hash: string): string {
  return location.origin + fullAddress(`/share/${hash}`)
}

/** Where the bytes of a link are, whole: a file as it is, a folder as a zip. */
export function shareDownloadLink(hash: string, path: FilePath = ROOT): string {
  return location.origin + address(href(api.shared.download, { params: { hash, path } }))
}

/** The address of a place behind a link, for the router: percent-encoded, without base URL. A folder ends with a slash. */
export function urlInShare(hash: string, path: FilePath, { folder }: { folder: boolean }): string {
  const tail = encodeFilePath(path)
  return `/share/${hash}${folder && !tail.endsWith('/') ? `${tail}/` : tail}`
}
