import { useQueryClient } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import type { DuplicateGroup, UsageResult, UsageItem } from '../../../data/usage.ts'
import { may } from '../action-rules.ts'
import { askDelete, removeConfirmed } from '../deletion.ts'
import { report } from '../report.ts'
import { USAGE } from './use-usage.ts'

/** Where to go from the usage dialog. */
export interface UsageAnswer {
  readonly action: 'open' | 'reveal'
  readonly path: FilePath
  readonly isDir: boolean
}

/** Actions on an entry of the usage dialog. */
export type UsageActions = ReturnType<typeof useUsageActions>

/** The index needs a moment after a change. */
const SETTLE_MS = 1500

export function useUsageActions(onAnswer: (answer: UsageAnswer) => void) {
  const queries = useQueryClient()
  const { perm } = useUser()
  const go = (action: UsageAnswer['action']) => (part: UsageItem) => onAnswer({ action, path: part.path, isDir: part.isDir })
  const refresh = () => void queries.invalidateQueries({ queryKey: USAGE })

  async function remove(part: UsageItem, onGone?: () => void): Promise<void> {
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
    const gone = await removeConfirmed(
      queries,
      parts.map(({ path }) => path),
      { onTop: true },
    )
    for (const path of gone) onGone(path)
    forget(new Set(gone))
  }

  function forget(gone: ReadonlySet<FilePath>): void {
    const without = (found: UsageResult | null | undefined) =>
      found && { ...found, parts: found.parts.filter(({ path }) => !gone.has(path)) }
    queries.setQueriesData<UsageResult | null>({ queryKey: USAGE }, without)
    refresh()
    setTimeout(refresh, SETTLE_MS)
  }

  return {
    open: go('open'),
    reveal: go('reveal'),
    /** Null without permission. @param onGone called after deletion */
    remove: may(perm, 'delete') ? (part: UsageItem, onGone?: () => void) => void remove(part, onGone).catch(report) : null,
    /** Keeps one file of each group and deletes the others; null without permission. @param onGone called for each deleted file */
    keepOne: may(perm, 'delete')
      ? (groups: readonly DuplicateGroup[], onGone: (path: FilePath) => void) => void keepOne(groups, onGone).catch(report)
      : null,
  }
}
