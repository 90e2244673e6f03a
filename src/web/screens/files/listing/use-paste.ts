import type { FilePath } from '../../../../shared/file-path.ts'
import { isAsking } from '../../../data/prompts.ts'
import { uploadPicked } from '../../../data/uploads/start.ts'
import { t } from '../../../i18n/i18n.tsx'
import { report } from '../report.ts'
import { usePageEvent } from '../../../ui/use-page-event.ts'

/**
 * Uploads files and images pasted from the system clipboard.
 * @param into null without the create permission
 * @param onNone called if there are none: paste this page's clipboard
 */
export function usePaste(into: FilePath | null, onNone: () => void): void {
  usePageEvent('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])]
    const field = event.target instanceof Element ? event.target.closest('input, textarea, [contenteditable]') : null
    if (field !== null || event.defaultPrevented || isAsking()) return
    event.preventDefault()
    if (files.length === 0) onNone()
    else if (into !== null) void upload(files, into).catch(report)
  })
}

async function upload(files: readonly File[], target: FilePath): Promise<void> {
  const { pastedFiles } = await import('../pasted.ts')
  await uploadPicked(pastedFiles(files, { prefix: t('files.pasted-image'), now: new Date() }), target)
}
