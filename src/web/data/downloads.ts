import { shared } from '../../shared/contract/public.ts'
import { raw } from '../../shared/contract/raw.ts'
import type { ArchiveFormat } from '../../shared/archive-format.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { type FilePath, pathFrom } from '../../shared/file-path.ts'
import { address, send } from './client.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    /** Which kind of archive; the chosen one is on its way then. */
    download: { props: { subject: ArchiveSubject }; answer: ArchiveFormat }
  }
}

/** What an archive is to hold: one folder or file, or several entries below `folder`. */
export interface ArchiveSubject {
  /** Of whose link it is, for visitors; the person's own files when not said. */
  readonly share?: { readonly hash: string; readonly name: string }
  readonly folder: FilePath
  readonly paths: readonly FilePath[]
}

/** Longer addresses are refused by servers and proxies; ours takes 16 KiB with everything else that a browser sends along. */
const MOST_ADDRESS_CHARACTERS = 12_000

/** The address of an archive; null where it would be too long to be asked for. The cookie says who asks. */
export function archiveAddress(subject: ArchiveSubject, format: ArchiveFormat): string | null {
  const asked = archiveHref(subject, format)
  return asked.length > MOST_ADDRESS_CHARACTERS ? null : address(asked)
}

/** How many bytes a zip of it has; null where nobody can say. */
export async function archiveSize(subject: ArchiveSubject, { signal }: { signal: AbortSignal }): Promise<number | null> {
  const response = await send(archiveHref(subject, 'zip'), { method: 'HEAD', signal })
  const length = response.headers.get('content-length')
  return response.status === 200 && length !== null ? Number(length) : null
}

function archiveHref({ share, folder, paths }: ArchiveSubject, algo: ArchiveFormat): string {
  const [only = folder] = paths
  const at = (path: FilePath, query: { algo: ArchiveFormat; files?: string[] }) =>
    share === undefined
      ? href(raw.get, { params: { path, slash: true }, query })
      : href(shared.download, { params: { hash: share.hash, path, slash: true }, query })
  if (paths.length <= 1) return at(only, { algo })
  const files = paths.map((path) => (pathFrom(folder, path) ?? path).slice(1))
  return at(folder, { algo, files })
}
