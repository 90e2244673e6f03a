import { Component, type ComponentType, type ReactNode, Suspense } from 'react'
import { ChunkMissing, inTime } from '../data/chunks.ts'
import { type OpenPrompt, answer, removePrompt, registerPrompts, usePrompts } from '../data/prompts.ts'
import { type NewNotice, notify } from '../data/notices.ts'
import { errorText, t } from '../i18n/i18n.tsx'
import { lazyPart } from '../i18n/lazy-part.ts'
import { DialogContext } from '../ui/dialog-context.ts'

// Dialogs that share pages open too; `layout.tsx` registers those for signed-in users only.
registerPrompts({
  download: lazyPart(async () => (await inTime(import('./download-dialog.tsx'))).DownloadDialog),
  confirm: lazyPart(async () => (await inTime(import('./confirm-dialog.tsx'))).ConfirmDialog),
  'sign-in-again': lazyPart(async () => (await inTime(import('./sign-in-again-dialog.tsx'))).SignInAgainDialog),
  reauthenticate: lazyPart(async () => (await inTime(import('./reauthenticate-dialog.tsx'))).ReauthenticateDialog),
})

/** The open dialogs: one, or a confirmation on top of another one. */
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
  // `ask` pairs a kind with its props, and `registerPrompts` pairs it with its component.
  const Any = Dialog as ComponentType<object>
  return (
    <DialogContext value={{ open: !asked.closing, onGone: () => removePrompt(asked.id) }}>
      <Any {...asked.props} {...waysOut(asked)} />
    </DialogContext>
  )
}

function waysOut({ id }: OpenPrompt) {
  return { onAnswer: (value: unknown) => answer(id, value), onDismiss: () => answer(id, null) }
}

/** A dialog that throws or fails to load counts as dismissed, so that the caller of `ask` continues. */
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

/** A failed module import is cached for the lifetime of the page. */
function missing(): NewNotice {
  const actions = [{ label: t('action.retry'), run: () => location.reload() }]
  return { tone: 'error', text: t('errors.slow.title'), detail: t('errors.slow.text'), actions }
}
