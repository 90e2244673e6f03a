import { entryOf, type Listing } from '../../data/listing.ts'
import { notify } from '../../data/notices.ts'
import { ask, registerPrompts } from '../../data/prompts.ts'
import type { Selection } from '../../data/selection.ts'
import { useRemoveShared, useRenameShared } from '../../data/shared-mutations.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'

declare module '../../data/prompts.ts' {
  interface PromptKinds {
    /** Asks for a new name of a shared entry. */
    'rename-shared': { props: { name: string; isDir: boolean; taken: (name: string) => boolean }; answer: string }
  }
}

registerPrompts({ 'rename-shared': lazyPart(async () => (await import('./rename-dialog.tsx')).RenameDialog) })

export interface EntryOperations {
  readonly rename: () => void
  readonly remove: () => void
}

/** Changes by visitors, on links that allow them. */
export function useEntryOperations(hash: string, folder: Listing, selection: Selection): EntryOperations {
  const rename = useRenameShared(hash)
  const remove = useRemoveShared(hash)
  const chosen = () => [...selection.chosen()].map((index) => entryOf(folder, index))
  const tell = (work: Promise<string | null>) =>
    void work.then(
      (text) => text !== null && notify({ tone: 'success', text }),
      (error: unknown) => notify({ tone: 'error', text: errorText(error) }),
    )
  return {
    rename: () => {
      const [entry] = chosen()
      if (entry === undefined) return
      const { path, name, isDir } = entry
      const taken = (typed: string): boolean => typed !== name && folder.names.includes(typed)
      tell(
        ask('rename-shared', { name, isDir, taken }).then(async (wanted) => {
          if (wanted === null) return null
          await rename(path, wanted)
          return t('visit.renamed')
        }),
      )
    },
    remove: () => {
      const paths = chosen().map(({ path }) => path)
      const n = paths.length
      const question = {
        title: t('visit.delete.title', { n }),
        text: t('visit.delete.text'),
        confirmLabel: t('visit.delete'),
        danger: true,
      }
      tell(
        ask('confirm', question).then(async (sure) => {
          if (sure === null) return null
          await remove(paths)
          return t('visit.deleted', { n })
        }),
      )
    },
  }
}
