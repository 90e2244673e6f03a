import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Unfinished, tus } from '../../../shared/contract/tus.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import { clientFor } from '../client.ts'
import { recallFile } from './handles.ts'
import type { Job } from './send.ts'
import { useUploads } from './uploads.ts'
import { resumeAs, stampOf } from './wire.ts'

const client = clientFor({ tus })

const ASK_AGAIN_MS = 5000

function unfinishedQuery(owner: number) {
  return queryOptions({
    queryKey: ['unfinished', owner],
    queryFn: ({ signal }) => client.tus.unfinished({}, { signal }),
    staleTime: Infinity,
    // Somebody seems to be sending: another tab, or a page that has just gone.
    refetchInterval: ({ state }) => (state.data?.some(({ active }) => active) === true ? ASK_AGAIN_MS : false),
  })
}

/** What an earlier page of this person began and nobody goes on with. */
export function useUnfinished(owner: number | null): readonly Unfinished[] {
  const { data = [] } = useQuery({ ...unfinishedQuery(owner ?? 0), enabled: owner !== null })
  const uploads = useUploads((state) => state.uploads)
  if (data.length === 0) return data
  const mine = new Set<string>(uploads.map(({ path }) => path))
  return data.filter(({ path, active }) => !active && !mine.has(path))
}

/** Which of the unfinished these very files belong to: name, size and time of the last change agree. */
export function matchFiles(unfinished: readonly Unfinished[], files: readonly File[]): Job[] {
  return unfinished.flatMap(({ path, upload, length, stamp }) => {
    const file = files.find((one) => one.size === length && stampOf(one) === stamp)
    if (file === undefined) return []
    // The server wrote it from a FilePath.
    const job = { path: path as FilePath, file }
    resumeAs(job, upload)
    return [job]
  })
}

/** The file itself, where the browser remembers it and lets us read it; must be called for a click, because the browser may ask. */
export async function findAgain(owner: number, one: Unfinished): Promise<Job | null> {
  const file = await recallFile(owner, one.path)
  return file === null ? null : (matchFiles([one], [file])[0] ?? null)
}

/** Throws away what the server has of it. */
export async function discardUnfinished({ path, upload }: Unfinished): Promise<void> {
  await client.tus.cancel({ params: { path: path as FilePath }, query: { upload } })
}
