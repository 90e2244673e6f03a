import { useQuery } from '@tanstack/react-query'
import { photos, type PhotoFacts } from '../../shared/contract/photos.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'

const client = clientFor({ photos })

/** What a photo or film says about itself; undefined until it is known, and if it cannot be read. Needs the download permission. */
export function usePhotoFacts(path: FilePath, modified: string | number): PhotoFacts | undefined {
  return useQuery({
    queryKey: ['photo-facts', path, modified] as const,
    queryFn: ({ signal }) => client.photos.facts({ params: { path } }, { signal }),
    staleTime: Infinity,
    retry: false,
  }).data
}
