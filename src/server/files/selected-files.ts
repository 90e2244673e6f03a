import { type FilePath, parseFilePath, placeUnder } from '../../shared/file-path.ts'
import { parseDestination } from './destination.ts'

/**
 * The paths that `files` selects below the address: repeated parameters are literal, a single one is a comma-separated list with each item
 * percent-encoded once more. Null if there is no such list.
 */
export function selectedFiles(folder: FilePath, files: string | readonly string[] | undefined): FilePath[] | null {
  if (files === undefined || files === '') return null
  const below =
    typeof files === 'string'
      ? files
          .split(',')
          .filter((item) => item !== '')
          .map(parseDestination)
      : files.map(parseFilePath)
  return below.length === 0 ? null : below.map((path) => placeUnder(folder, path))
}
