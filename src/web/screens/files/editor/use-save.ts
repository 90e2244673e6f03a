import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import type { File } from '../../../../shared/contract/resources.ts'
import { type FilePath, nameOf } from '../../../../shared/file-path.ts'
import { invalidateParents } from '../../../data/folders.ts'
import { notify } from '../../../data/notices.ts'
import { recordVisit } from '../../../data/recent-files.ts'
import { ask } from '../../../data/prompts.ts'
import { saveCopy, saveText } from '../../../data/texts.ts'
import { withGesture } from '../../../data/undo.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import type { CodeView } from './code-view.ts'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** The file was changed on the server since it was opened. */
    'changed-file': { props: { name: string; mayCopy: boolean }; answer: 'overwrite' | 'reload' | 'copy' }
  }
}

type Captured = ReturnType<CodeView['capture']>

export interface SaveOptions {
  readonly file: File
  readonly path: FilePath
  /** Version for If-Match; without it the first save overwrites anything. */
  readonly version: string | null
  readonly view: { readonly current: CodeView | null }
  readonly rights: { readonly readOnly: boolean; readonly mayCreate: boolean }
  /** Called after saving, successful or not. */
  readonly onSettled: () => void
  /** The user chose the server's version. */
  readonly onReload: () => void
  /** A copy was saved at this path. */
  readonly onCopied: (path: FilePath) => void
}

/** Saves if the file is unchanged since it was opened; otherwise asks first. On failure the text is kept. */
export function useSave({ file, path, version: opened, view, rights, onSettled, onReload, onCopied }: SaveOptions) {
  const { readOnly, mayCreate } = rights
  const queries = useQueryClient()
  const version = useRef(opened)

  const put = async (captured: Captured, over: string | null) => {
    version.current = await withGesture(({ group }) => saveText(path, captured.text, { over, operation: group }))
    captured.markSaved()
    notify({ tone: 'success', text: t('editor.saved') })
    recordVisit(path, 'edited')
    void invalidateParents(queries, [path])
  }
  const copy = async (captured: Captured) => {
    const place = await withGesture(({ group }) => saveCopy(path, captured.text, group))
    captured.markSaved()
    notify({ tone: 'success', text: t('editor.copied', { name: displayName(nameOf(place)) }) })
    recordVisit(place, 'edited')
    await invalidateParents(queries, [place])
    onCopied(place)
  }
  const { mutate, isPending } = useMutation({
    mutationFn: (captured: Captured) =>
      put(captured, version.current).catch(async (error: unknown) => {
        if (!isAppError(error, 'precondition-failed')) throw error
        const answer = await ask('changed-file', { name: displayName(file.name), mayCopy: mayCreate })
        if (answer === 'overwrite') await put(captured, null)
        if (answer === 'reload') onReload()
        if (answer === 'copy') await copy(captured)
      }),
    onSettled,
  })
  const save = () => {
    const captured = view.current?.capture()
    if (!readOnly && !isPending && captured !== undefined) mutate(captured)
  }
  return { save, saving: isPending }
}
