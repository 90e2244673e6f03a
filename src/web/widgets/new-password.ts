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
  submit(): Promise<void>
}

const EMPTY: NewPassword = { password: '', confirmation: '' }

/** @param options.save returns false if it was cancelled; what was typed stays then */
export function useNewPassword({ save, onSaved }: { save: (password: string) => Promise<boolean>; onSaved: () => void }): NewPasswordForm {
  const [typed, setTyped] = useState(EMPTY)
  const [busy, setBusy] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const [error, setError] = useState<NewPasswordForm['error']>(null)

  async function submit(): Promise<void> {
    setIsTried(true)
    if (busy || stateOf(typed) !== 'equal') return
    setBusy(true)
    try {
      if (await save(typed.password)) {
        setTyped(EMPTY)
        setIsTried(false)
        onSaved()
      }
    } catch (failure) {
      const rejected = passwordError(failure)
      setError(rejected === null ? { of: 'form', text: errorText(failure) } : { of: 'password', text: rejected })
    }
    setBusy(false)
  }

  function change(part: Partial<NewPassword>): void {
    setTyped({ ...typed, ...part })
    setError(null)
  }

  return { typed, busy, isTried, error, change, submit }
}
