import { type FilePath, pathFrom, placeUnder, ROOT } from '../../../shared/file-path.ts'
import { cleanScope } from '../../../shared/scope.ts'
import { useFolder } from '../../data/folders.ts'
import { entryAt } from '../../data/listing.ts'
import { ask } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import { t } from '../../i18n/i18n.tsx'

/** As many of a folder as say what a rule does. */
const MOST_PLACES = 500

/** What the administrator can see of the folder that somebody's rules are about. */
export interface Reach {
  /** What is in it, as its rules name it. */
  readonly places: readonly string[]
  /** Asks for a folder in it, as its rules name it; null where the administrator cannot see it. */
  readonly choose: (() => Promise<string | null>) | null
}

/** @param scope somebody's own folder, as it is saved; null where it is not known yet */
export function useReach(scope: string | null): Reach {
  const { scope: mine } = useUser()
  const folder = scope === null ? null : pathFrom(cleanScope(mine), cleanScope(scope))
  const { folder: listing } = useFolder(folder)
  const shown = listing === null ? 0 : Math.min(listing.order.length, MOST_PLACES)
  const paths = Array.from({ length: shown }, (_, position) => (listing === null ? ROOT : entryAt(listing, position).path))
  return {
    places: folder === null ? [] : paths.flatMap((path) => pathFrom(folder, path) ?? []),
    choose:
      folder === null
        ? null
        : async () => {
            const chosen = await ask('choose-folder', { title: t('rules.choose.title'), within: folder })
            return chosen === null ? null : pathFrom(folder, chosen)
          },
  }
}

/** Asks for a folder that is to be somebody's own, as the server knows it. */
export function useChooseScope(): () => Promise<FilePath | null> {
  const mine = cleanScope(useUser().scope)
  return async () => {
    const chosen = await ask('choose-folder', { title: t('user.scope.choose'), within: ROOT })
    return chosen === null ? null : placeUnder(mine, chosen)
  }
}
