import { ROOT } from '../../../../shared/file-path.ts'
import { registerFilePrompts } from '../prompts/kinds.ts'
import { registerSearch } from './kinds.ts'
import { useSearch } from './use-search.ts'

registerSearch()
registerFilePrompts()

/** Search on screens without files: favourites, recent files, settings. */
export function SearchAnywhere() {
  useSearch({ folder: ROOT, showing: 'page' })
  return null
}
