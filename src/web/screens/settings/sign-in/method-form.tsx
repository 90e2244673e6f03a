import type { UseMutationResult } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { isSame } from '../../../../shared/changes.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { providerIdFrom } from '../../../../shared/provider-id.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import styles from './sign-in-screen.module.css'

type Save<Input> = UseMutationResult<string | null, Error, { id: string; isNew: boolean; input: Input }>

interface Options<Form, Input> {
  /** The stored id; null for a new one. */
  readonly id: string | null
  /** What is stored. */
  readonly stored: Form
  readonly isComplete: (form: Form) => boolean
  readonly inputFrom: (form: Form) => Input
  readonly save: Save<Input>
  /** What the form no longer shows after it was saved. */
  readonly forget: Partial<Form>
  readonly savedText: string
  readonly onSaved: () => void
}

/** The state of the form of one sign-in method, a provider or a directory. */
export function useMethodForm<Form extends { readonly name: string }, Input>(options: Options<Form, Input>) {
  const { id, stored, inputFrom, save } = options
  const [form, setForm] = useState(stored)
  const touched = !isSame(form, stored)
  useUnsavedGuard(touched, unsavedQuestion())
  const isComplete = form.name.trim() !== '' && options.isComplete(form)

  const change = (part: Partial<Form>) => {
    setForm({ ...form, ...part })
    save.reset()
  }
  const submit = async () => {
    if (!isComplete || save.isPending || !touched) return
    // The list may be read again before this goes on, and then this editor is another one.
    const done = await save
      .mutateAsync({ id: id ?? providerIdFrom(form.name), isNew: id === null, input: inputFrom(form) })
      .catch(() => null)
    if (done === null) return
    notify({ tone: 'success', text: options.savedText })
    setForm({ ...form, ...options.forget })
    options.onSaved()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    void submit()
  }
  const actions = { isNew: id === null, save, canSubmit: touched && isComplete, onSubmit: () => void submit() }
  return { form, change, touched, onKeyDown, actions }
}

interface ActionsProps {
  readonly isNew: boolean
  readonly save: Pick<Save<unknown>, 'error' | 'isPending'>
  readonly canSubmit: boolean
  readonly onSubmit: () => void
  /** The question before it is removed, and how. */
  readonly removal: { readonly title: string; readonly text: string; readonly remove: () => void }
  readonly children?: ReactNode
}

/** Why it could not be saved, and the buttons to save and to remove it; between them, for one that is stored, the children. */
export function MethodActions({ isNew, save, canSubmit, onSubmit, removal, children }: ActionsProps) {
  const { title, text, remove } = removal
  const askToRemove = async () => {
    if ((await ask('confirm', { title, text, confirmLabel: t('webhooks.remove'), danger: true })) !== null) remove()
  }
  return (
    <>
      <div role="alert">{save.error !== null && <p className={styles.refusal}>{refusalOf(save.error)}</p>}</div>
      <div className={styles.actions}>
        <Button
          label={t(isNew ? 'webhooks.create' : 'webhooks.save')}
          size="small"
          variant="primary"
          busy={save.isPending}
          disabled={!canSubmit}
          onClick={onSubmit}
        />
        {!isNew && (
          <>
            {children}
            <Button label={t('webhooks.remove')} size="small" variant="danger" icon={Trash2} onClick={() => void askToRemove()} />
          </>
        )}
      </div>
    </>
  )
}

function refusalOf(error: Error): string {
  return isAppError(error, 'invalid-input') ? t('form.refused', { reason: error.detail.issues.join('; ') }) : errorText(error)
}
