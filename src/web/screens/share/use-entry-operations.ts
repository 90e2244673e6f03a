import { entryOf, type Listing } from '../../data/listing.ts'
import { notify } from '../../data/notices.ts'
import { ask, registerPrompts } from '../../data/prompts.ts'
import type { Selection } from '../../data/selection.ts'
import { useRemoveShared, useRenameShared } from '../../data/shared-mutations.ts'
import { t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'

declare module '../../data/prompts.ts' {
  interface PromptKinds {
    /** Asks for a new name of a shared entry. */
    'rename-shared': { props: { name: string; isDir: boolean; taken: (name: string) => boolean }; answer: string }
  }
}

registerPrompts({ 'rename-shared': lazyPart(async () => (await import('./rename-dialog.tsx')).RenameDialog) })

/** Changes by visitors, on links that allow them. */
export function useEntryOperations(hash: string, folder: Listing, selection: Selection) {
  const rename = useRenameShared(hash, { onSuccess: () => notify({ tone: 'success', text: t('visit.renamed') }) })
  const remove = useRemoveShared(hash, { onSuccess: (n) => notify({ tone: 'success', text: t('visit.deleted', { n }) }) })
  const chosen = () => [...selection.chosen()].map((index) => entryOf(folder, index))

  const askName = async () => {
    const [entry] = chosen()
    if (entry === undefined) return
    const { path, name, isDir } = entry
    const taken = (typed: string): boolean => typed !== name && folder.names.includes(typed)
    const wanted = await ask('rename-shared', { name, isDir, taken })
    if (wanted !== null) rename.mutate({ path, name: wanted })
  }
  const askRemove = async () => {
    const paths = chosen().map(({ path }) => path)
    const sure = await ask('confirm', {
      title: t('visit.delete.title', { n: paths.length }),
      text: t('visit.delete.text'),
      confirmLabel: t('visit.delete'),
      danger: true,
    })
    if (sure !== null) remove.mutate(paths)
  }
  return { rename: () => void askName(), remove: () => void askRemove() }
}
