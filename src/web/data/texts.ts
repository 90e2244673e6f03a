import { resources } from '../../shared/contract/resources.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import { clientFor } from './client.ts'
import { versionIn } from './rows.ts'

const client = clientFor({ resources })

/**
 * Saves a text over an existing file.
 * @param over the version it may replace; null for any. Fails with `precondition-failed` for another version
 * @returns the new version
 */
export async function saveText(path: FilePath, text: string, { over }: { over: string | null }): Promise<string | null> {
  const { headers } = await client.resources.save({ params: { path }, headers: { 'if-match': over ?? undefined }, body: text })
  return versionIn(headers)
}

/** Saves a text beside a file under a free name. @returns its path */
export async function saveCopy(path: FilePath, text: string): Promise<FilePath> {
  for (let n = 1; ; n++) {
    const place = joinPath(parentOf(path), numbered(nameOf(path), n))
    try {
      await client.resources.upload({ params: { path: place }, query: { override: 'false' }, body: text })
      return place
    } catch (error) {
      if (!isAppError(error, 'already-exists')) throw error
    }
  }
}
