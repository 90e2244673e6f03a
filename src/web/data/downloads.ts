import { shared } from '../../shared/contract/public.ts'
import { raw } from '../../shared/contract/raw.ts'
import type { ArchiveFormat } from '../../shared/archive-format.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { type FilePath, pathFrom } from '../../shared/file-path.ts'
import { address, send } from './client.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    /** Asks for the archive format; the download has started when it answers. */
    download: { props: { subject: ArchiveSubject }; answer: ArchiveFormat }
  }
}

/** The content of an archive: one folder or file, or several entries of `folder`. */
export interface ArchiveSubject {
  /** The share link, for visitors; absent for the user's own files. */
  readonly share?: { readonly hash: string; readonly name: string }
  readonly folder: FilePath
  readonly paths: readonly FilePath[]
}

/** Servers and proxies reject longer addresses; ours accepts 16 KiB including headers. */
const MOST_ADDRESS_CHARACTERS = 12_000

/** The address of an archive; null if it would be too long. Authenticated by the cookie. */
export function archiveAddress(subject: ArchiveSubject, format: ArchiveFormat): string | null {
  const asked = archiveHref(subject, format)
  return asked.length > MOST_ADDRESS_CHARACTERS ? null : address(asked)
}

/** Size of the zip archive in bytes; null if unknown. */
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
