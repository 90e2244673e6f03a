import { useQueryClient } from '@tanstack/react-query'
import { nameOf, parentOf, ROOT } from '../../../shared/file-path.ts'
import { urlFromPath } from '../../data/paths.ts'
import { ask } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import { emptyTrash, refreshTrash, type Trashed } from '../../data/trash.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { notify } from '../../data/notices.ts'
import { useNavigate } from '../../router/router.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { removeAll } from './remove-all.ts'
import { restoreAll } from './restore-all.ts'

export type TrashActions = ReturnType<typeof useTrashActions>

/** What can be done with things in the trash, each with its right; the server checks it in any case. */
export function useTrashActions({ all }: { all: boolean }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { perm } = useUser()
  const run = (work: () => Promise<unknown>) =>
    void work()
      .catch((error: unknown) => notify({ tone: 'error', text: errorText(error), output: errorOutput(error) }))
      .finally(() => void refreshTrash(queries))
  const show = (path: Trashed['path']) =>
    void navigate(urlFromPath(parentOf(path), { folder: true }), { state: { focus: nameOf(path), reveal: true } })
  const restore = (entries: readonly Trashed[]) => run(() => restoreAll(queries, entries, { onShow: show }))

  return {
    mayRestore: perm.admin || perm.create,
    /** One's own; administrators may delete what others have deleted. */
    mayRemove: (entries: readonly Trashed[]) => perm.admin || (perm.delete && entries.every(({ mine }) => mine)),
    mayEmpty: perm.admin || perm.delete,
    restore,
    restoreTo: (entries: readonly Trashed[]) =>
      run(async () => {
        const folder = await ask('choose-folder', { title: t('trash.restore-to'), within: ROOT })
        if (folder !== null) await restoreAll(queries, entries, { folder, onShow: show })
      }),
    remove: (entries: readonly Trashed[]) => run(() => removeAll(queries, entries)),
    /** Nothing in the trash can be opened: offers to restore it. */
    open: (entry: Trashed) =>
      run(async () => {
        const title = t('trash.open.title', { name: displayName(entry.name) })
        const sure = await ask('confirm', { title, text: t('trash.open.text'), confirmLabel: t('trash.restore') })
        if (sure !== null) restore([entry])
      }),
    showFolder: ({ path }: Trashed) => void navigate(urlFromPath(parentOf(path), { folder: true })),
    empty: () =>
      run(async () => {
        const sure = await ask('confirm', {
          title: t('trash.empty.title'),
          text: t(all ? 'trash.empty.text.all' : 'trash.empty.text'),
          confirmLabel: t('trash.empty'),
          danger: true,
        })
        if (sure !== null) await (await emptyTrash(queries, { all })).ended
      }),
  }
}
