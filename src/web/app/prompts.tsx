import { Component, type ComponentType, type ReactNode, Suspense } from 'react'
import { ChunkMissing, inTime } from '../data/chunks.ts'
import { type OpenPrompt, answer, removePrompt, registerPrompts, usePrompts } from '../data/prompts.ts'
import { type NewNotice, notify } from '../data/notices.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { lazyPart } from '../i18n/lazy-part.ts'
import { DialogLife } from '../ui/dialog-life.ts'

registerPrompts({
  help: lazyPart(async () => (await inTime(import('./help-dialog.tsx'))).HelpDialog),
  palette: lazyPart(async () => (await inTime(import('./palette/palette.tsx'))).Palette),
  confirm: lazyPart(async () => (await inTime(import('./confirm-dialog.tsx'))).ConfirmDialog),
  'sign-in-again': lazyPart(async () => (await inTime(import('./return-dialog.tsx'))).ReturnDialog),
  reauthenticate: lazyPart(async () => (await inTime(import('./reauthenticate-dialog.tsx'))).ReauthenticateDialog),
  download: lazyPart(async () => (await inTime(import('./download-dialog.tsx'))).DownloadDialog),
  'upload-conflict': lazyPart(async () => (await inTime(import('./uploads/conflict-dialog.tsx'))).UploadConflictDialog),
  'share-edit': lazyPart(async () => (await inTime(import('./links/edit-dialog.tsx'))).ShareEditDialog),
  'share-visits': lazyPart(async () => (await inTime(import('./links/visits-dialog.tsx'))).ShareVisitsDialog),
  'share-end': lazyPart(async () => (await inTime(import('./links/end-dialog.tsx'))).ShareEndDialog),
  'first-password': lazyPart(async () => (await inTime(import('./first-password-dialog.tsx'))).FirstPasswordDialog),
  'choose-folder': lazyPart(async () => (await inTime(import('./choose-folder-dialog.tsx'))).ChooseFolderDialog),
  notices: lazyPart(async () => (await inTime(import('./notices-dialog.tsx'))).NoticesDialog),
})

/** The questions on show: one, or one with a confirm on top. */
export function Prompts() {
  const shown = usePrompts((state) => state.shown)
  return shown.map((asked) => (
    <GiveUp key={asked.id} asked={asked}>
      <Suspense>
        <Prompt asked={asked} />
      </Suspense>
    </GiveUp>
  ))
}

function Prompt({ asked }: { asked: OpenPrompt }) {
  const dialogs = usePrompts((state) => state.dialogs)
  const Dialog = dialogs[asked.kind]
  if (Dialog === undefined) throw new Error(`nobody asks “${asked.kind}” questions`)
  // `ask` pairs a kind with its own props, and `registerPrompts` a kind with its own component.
  const Any = Dialog as ComponentType<object>
  return (
    <DialogLife value={{ open: !asked.closing, onGone: () => removePrompt(asked.id) }}>
      <Any {...asked.props} {...waysOut(asked)} />
    </DialogLife>
  )
}

function waysOut({ id }: OpenPrompt) {
  return { onAnswer: (value: unknown) => answer(id, value), onDismiss: () => answer(id, null) }
}

/** A dialog that breaks or does not arrive counts as closed, so that whoever asked can go on. */
class GiveUp extends Component<{ asked: OpenPrompt; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: unknown) {
    console.error(error)
    notify(error instanceof ChunkMissing ? missing() : { tone: 'error', text: errorText(error) })
    answer(this.props.asked.id, null)
    removePrompt(this.props.asked.id)
  }

  override render() {
    return this.state.broken ? null : this.props.children
  }
}

/** What failed to arrive once is not asked for again by the same page. */
function missing(): NewNotice {
  const actions = [{ label: t('action.retry'), run: () => location.reload() }]
  return { tone: 'error', text: t('errors.slow.title'), detail: t('errors.slow.text'), actions }
}
