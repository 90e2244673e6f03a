import { resources } from '../../shared/contract/resources.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import { clientFor } from './client.ts'
import { versionIn } from './rows.ts'

const client = clientFor({ resources })

/**
 * Saves a text over a file that is there.
 * @param over the version it may take the place of; null for any. Over another one it fails with `precondition-failed`
 * @returns the version that is there now
 */
export async function saveText(path: FilePath, text: string, { over }: { over: string | null }): Promise<string | null> {
  const { headers } = await client.resources.save({ params: { path }, headers: { 'if-match': over ?? undefined }, body: text })
  return versionIn(headers)
}

/** Saves a text beside a file, under the first name that is free. @returns where it is */
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
