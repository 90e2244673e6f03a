import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText, t } from '../i18n/i18n.tsx'
import { passwordError, passwordErrorText } from './password-error.ts'

/** The two fields of a new password. */
export interface NewPassword {
  readonly password: string
  readonly confirmation: string
}

/** What the two fields say. A field is either wrong or right, never both; all texts are localised. */
export interface PasswordFeedback {
  /** The rule, told before anything is typed. */
  readonly hint: string | undefined
  readonly passwordError: string | null
  readonly confirmationError: string | null
  /** Whether the password may be sent. */
  readonly isGood: boolean
}

export interface PasswordRules {
  /** In UTF-8 bytes, as the server counts; 0 if there is no minimum, or if it is not known. */
  readonly minimumLength: number
  /** Whether somebody tried to submit it. */
  readonly isTried: boolean
  /** Why the server refused it, localised. */
  readonly refused: string | null
}

/** What is wrong with a new password. While somebody is still typing, nothing is that could yet become right. */
export function feedbackOf({ password, confirmation }: NewPassword, { minimumLength, isTried, refused }: PasswordRules): PasswordFeedback {
  const isShort = new TextEncoder().encode(password).length < minimumLength
  const isGood = password !== '' && password === confirmation && !isShort && refused === null
  const isDifferent = password !== confirmation && (isTried ? password !== '' : !password.startsWith(confirmation))
  return {
    hint: passwordHint(minimumLength),
    passwordError: refused ?? passwordProblem(),
    confirmationError: isDifferent ? t('password.differ') : null,
    isGood,
  }

  function passwordProblem(): string | null {
    if (password === '') return isTried ? t('login.enter-password') : null
    // A user who types the confirmation has finished with the password.
    return isShort && (isTried || confirmation !== '') ? passwordErrorText(`too-short ${minimumLength}`) : null
  }
}

/** The rule for new passwords, such as “At least 12 characters”. */
export function passwordHint(minimumLength: number): string | undefined {
  return minimumLength > 0 ? t('password.hint', { count: minimumLength }) : undefined
}

/** A form for a new password; `NewPasswordFields` renders it. */
export interface NewPasswordForm {
  readonly typed: NewPassword
  readonly busy: boolean
  readonly feedback: PasswordFeedback
  /** Localised: why it could not be saved, if that is not about the password. */
  readonly error: string | null
  change(part: Partial<NewPassword>): void
  submit(): void
}

const EMPTY: NewPassword = { password: '', confirmation: '' }

export interface NewPasswordOptions {
  /** The server's rule, in UTF-8 bytes. */
  minimumLength: number
  /** @returns false if it was cancelled; what was typed stays then */
  save: (password: string) => Promise<boolean>
  onSaved: () => void
}

export function useNewPassword({ minimumLength, save, onSaved }: NewPasswordOptions): NewPasswordForm {
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
  const refused = passwordError(saving.error)
  const feedback = feedbackOf(typed, { minimumLength, isTried, refused })

  function submit(): void {
    setIsTried(true)
    if (!saving.isPending && feedback.isGood) saving.mutate(typed.password)
  }

  function change(part: Partial<NewPassword>): void {
    setTyped({ ...typed, ...part })
    saving.reset()
  }

  const error = saving.error !== null && refused === null ? errorText(saving.error) : null
  return { typed, busy: saving.isPending, feedback, error, change, submit }
}
