import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../i18n/i18n.tsx'
import { passwordError } from './password-error.ts'

/** The two fields of a new password. */
export interface NewPassword {
  readonly password: string
  readonly confirmation: string
}

/** Only `equal` may be submitted. */
export function stateOf({ password, confirmation }: NewPassword): 'empty' | 'equal' | 'different' {
  if (password !== confirmation) return 'different'
  return password === '' ? 'empty' : 'equal'
}

/** A form for a new password; `NewPasswordFields` renders it. */
export interface NewPasswordForm {
  readonly typed: NewPassword
  readonly busy: boolean
  /** Whether somebody tried to submit it. */
  readonly isTried: boolean
  /** Localised: why the policy rejected the password, or why it could not be saved. */
  readonly error: { readonly of: 'password' | 'form'; readonly text: string } | null
  change(part: Partial<NewPassword>): void
  submit(): void
}

const EMPTY: NewPassword = { password: '', confirmation: '' }

/** @param options.save returns false if it was cancelled; what was typed stays then */
export function useNewPassword({ save, onSaved }: { save: (password: string) => Promise<boolean>; onSaved: () => void }): NewPasswordForm {
  const [typed, setTyped] = useState(EMPTY)
  const [isTried, setIsTried] = useState(false)
  const saving = useMutation({
    mutationFn: save,
    meta: { shows: 'all' },
    onSuccess(isSaved) {
      if (!isSaved) return
      setTyped(EMPTY)
      setIsTried(false)
      onSaved()
    },
  })

  function submit(): void {
    setIsTried(true)
    if (!saving.isPending && stateOf(typed) === 'equal') saving.mutate(typed.password)
  }

  function change(part: Partial<NewPassword>): void {
    setTyped({ ...typed, ...part })
    saving.reset()
  }

  return { typed, busy: saving.isPending, isTried, error: saving.error && shownError(saving.error), change, submit }
}

function shownError(error: Error): NonNullable<NewPasswordForm['error']> {
  const rejected = passwordError(error)
  return rejected === null ? { of: 'form', text: errorText(error) } : { of: 'password', text: rejected }
}
