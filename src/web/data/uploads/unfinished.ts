import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Unfinished, tus } from '../../../shared/contract/tus.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import { clientFor } from '../client.ts'
import { restoreFile } from './handles.ts'
import type { UploadItem } from './send.ts'
import { useUploads } from './uploads.ts'
import { resumeAs, uploadMetadata } from './tus-upload.ts'

const client = clientFor({ tus })

const ASK_AGAIN_MS = 5000

function unfinishedQuery(owner: number) {
  return queryOptions({
    queryKey: ['unfinished', owner],
    queryFn: ({ signal }) => client.tus.unfinished({}, { signal }),
    staleTime: Infinity,
    // Another tab, or a page that has just closed, is still sending.
    refetchInterval: ({ state }) => (state.data?.some(({ active }) => active) === true ? ASK_AGAIN_MS : false),
  })
}

/** Uploads that an earlier page started and nothing continues. */
export function useUnfinished(owner: number | null): readonly Unfinished[] {
  const { data = [] } = useQuery({ ...unfinishedQuery(owner ?? 0), enabled: owner !== null })
  const uploads = useUploads((state) => state.uploads)
  if (data.length === 0) return data
  const mine = new Set<string>(uploads.map(({ path }) => path))
  return data.filter(({ path, active }) => !active && !mine.has(path))
}

/** Matches files with unfinished uploads by name, size and modification time. */
export function matchFiles(unfinished: readonly Unfinished[], files: readonly File[]): UploadItem[] {
  return unfinished.flatMap(({ path, upload, length, stamp }) => {
    const file = files.find((one) => one.size === length && uploadMetadata(one) === stamp)
    if (file === undefined) return []
    // The server stores a FilePath.
    const job = { path: path as FilePath, file }
    resumeAs(job, upload)
    return [job]
  })
}

/** The file from its stored handle. Must be called from a click, because the browser may ask for permission. */
export async function restoreUnfinished(owner: number, one: Unfinished): Promise<UploadItem | null> {
  const file = await restoreFile(owner, one.path)
  return file === null ? null : (matchFiles([one], [file])[0] ?? null)
}

/** Deletes what the server has of it. */
export async function discardUnfinished({ path, upload }: Unfinished): Promise<void> {
  await client.tus.cancel({ params: { path: path as FilePath }, query: { upload } })
}
