import { resources } from '../../shared/contract/resources.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import { clientFor } from './client.ts'
import { versionIn } from './rows.ts'

const client = clientFor({ resources })

/**
 * Saves a text over an existing file.
 * @param options.over the version it may replace; null for any. Fails with `precondition-failed` for another version
 * @param options.operation the gesture
 * @returns the new version
 */
export async function saveText(
  path: FilePath,
  text: string,
  { over, operation }: { over: string | null; operation: string },
): Promise<string | null> {
  const { headers } = await client.resources.save(
    { params: { path }, headers: { 'if-match': over ?? undefined }, body: text },
    { operation },
  )
  return versionIn(headers)
}

/** Saves a text beside a file under a free name. @param operation the gesture @returns its path */
export async function saveCopy(path: FilePath, text: string, operation: string): Promise<FilePath> {
  for (let n = 1; ; n++) {
    const place = joinPath(parentOf(path), numbered(nameOf(path), n))
    try {
      await client.resources.upload({ params: { path: place }, query: { override: 'false' }, body: text }, { operation })
      return place
    } catch (error) {
      if (!isAppError(error, 'already-exists')) throw error
    }
  }
}
