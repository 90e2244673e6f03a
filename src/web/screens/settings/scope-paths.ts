import { type FilePath, pathFrom, placeUnder, ROOT } from '../../../shared/file-path.ts'
import { cleanScope } from '../../../shared/scope.ts'
import { useFolder } from '../../data/folders.ts'
import { entryAt } from '../../data/listing.ts'
import { ask } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'

/** Enough to illustrate a rule. */
const MAX_PATHS = 500

/** @param scope saved scope of the user; null if unknown */
export function useScopePaths(scope: string | null) {
  const { scope: mine } = useUser()
  const folder = scope === null ? null : pathFrom(cleanScope(mine), cleanScope(scope))
  const { folder: listing } = useFolder(folder)
  const shown = listing === null ? 0 : Math.min(listing.order.length, MAX_PATHS)
  const paths = Array.from({ length: shown }, (_, position) => (listing === null ? ROOT : entryAt(listing, position).path))
  return {
    /** Paths in it, relative to the scope. */
    paths: folder === null ? [] : paths.flatMap((path) => pathFrom(folder, path) ?? []),
    /** Asks for a folder in it, relative to the scope; null if the administrator cannot see the scope. */
    choose:
      folder === null
        ? null
        : async () => {
            const chosen = await ask('choose-folder', { title: t('rules.choose.title'), within: folder })
            return chosen === null ? null : pathFrom(folder, chosen)
          },
  }
}

/** Asks for a folder to use as a scope. */
export function useChooseScope(): () => Promise<FilePath | null> {
  const mine = cleanScope(useUser().scope)
  return async () => {
    const chosen = await ask('choose-folder', { title: t('user.scope.choose'), within: ROOT })
    return chosen === null ? null : placeUnder(mine, chosen)
  }
}
