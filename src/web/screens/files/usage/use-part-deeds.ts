import { useQueryClient } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import type { DuplicateGroup, UsageResult, UsageItem } from '../../../data/usage.ts'
import { may } from '../offers.ts'
import { loadDeeds } from '../load-deeds.ts'
import { report } from '../report.ts'
import type { UsageAnswer } from './kinds.ts'
import { USAGE } from './use-usage.ts'

/** What one can do with something that takes room. */
export interface PartDeeds {
  open(part: UsageItem): void
  reveal(part: UsageItem): void
  /** Null for whoever may not. @param onGone hears when it is gone */
  readonly remove: ((part: UsageItem, onGone?: () => void) => void) | null
  /** One of each group stays, the others go; null without the permission. @param onGone is called for each deleted file */
  readonly keepOne: ((groups: readonly DuplicateGroup[], onGone: (path: FilePath) => void) => void) | null
}

/** The server hears of what changed a moment after it did. */
const HEARD_OF_MS = 1500

export function usePartDeeds(onAnswer: (answer: UsageAnswer) => void): PartDeeds {
  const queries = useQueryClient()
  const { perm } = useUser()
  const go = (deed: UsageAnswer['deed']) => (part: UsageItem) => onAnswer({ deed, path: part.path, isDir: part.isDir })
  const refresh = () => void queries.invalidateQueries({ queryKey: USAGE })

  async function remove(part: UsageItem, onGone?: () => void): Promise<void> {
    const { askDelete } = await loadDeeds()
    const { path: one, isDir, bytes } = part
    const content = isDir
      ? { folders: [one], besides: { folders: 1, files: 0, bytes: 0 } }
      : { folders: [], besides: { folders: 0, files: 1, bytes } }
    if (!(await askDelete(queries, [one], { onTop: true, content }))) return
    onGone?.()
    forget(new Set([one]))
  }

  async function keepOne(groups: readonly DuplicateGroup[], onGone: (path: FilePath) => void): Promise<void> {
    const parts = await ask('keep-one', { groups }, { onTop: true })
    if (parts === null || parts.length === 0) return
    const { removeAsked } = await loadDeeds()
    const gone = await removeAsked(
      queries,
      parts.map(({ path }) => path),
    )
    for (const path of gone) onGone(path)
    forget(new Set(gone))
  }

  function forget(gone: ReadonlySet<FilePath>): void {
    const without = (found: UsageResult | null | undefined) =>
      found && { ...found, parts: found.parts.filter(({ path }) => !gone.has(path)) }
    queries.setQueriesData<UsageResult | null>({ queryKey: USAGE }, without)
    refresh()
    setTimeout(refresh, HEARD_OF_MS)
  }

  return {
    open: go('open'),
    reveal: go('reveal'),
    remove: may(perm, 'delete') ? (part, onGone) => void remove(part, onGone).catch(report) : null,
    keepOne: may(perm, 'delete') ? (groups, onGone) => void keepOne(groups, onGone).catch(report) : null,
  }
}
