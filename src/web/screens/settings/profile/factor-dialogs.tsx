import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { addPasskey, confirmTotp, type NewCodes, startTotp } from '../../../data/factors.ts'
import { PasskeyDismissed } from '../../../data/passkeys.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { RecoveryCodes } from '../../../widgets/recovery-codes.tsx'
import { TotpKey } from '../../../widgets/totp-key.tsx'

declare module '../../../data/prompts.ts' {
  interface PromptKinds {
    /** Sets up an authenticator app. */
    'totp-setup': { props: Record<never, never>; answer: { codes: NewCodes } }
    /** Asks for the name of a passkey, and with `adds` makes it. */
    'passkey-name': { props: { initial: string; adds: boolean }; answer: { name: string; codes: NewCodes } }
    /** Shows recovery codes, once. */
    'recovery-codes': { props: { codes: readonly string[] }; answer: true }
  }
}

const copy = (text: string) => copyAndTell(text, { failed: t('share.copy-failed') })

export function TotpSetupDialog({ onAnswer, onDismiss }: PromptProps<'totp-setup'>) {
  const [code, setCode] = useState('')
  const key = useQuery({ queryKey: ['new-totp'], queryFn: startTotp, gcTime: 0, staleTime: Infinity, retry: false })
  const confirm = useMutation({ meta: { shows: 'all' }, mutationFn: confirmTotp, onSuccess: (codes) => onAnswer({ codes }) })
  // The question for the password was dismissed.
  if (key.data === null) onDismiss()
  const { data } = key
  return (
    <Dialog
      title={t('factors.totp')}
      description={t('factors.totp.scan')}
      onDismiss={onDismiss}
      onSubmit={() => confirm.mutate(code)}
      busy={confirm.isPending}
      actions={<DialogActions onCancel={onDismiss} submit={t('factors.confirm')} busy={confirm.isPending} />}
    >
      {data === undefined || data === null ? (
        <Loading height="320px" tone="muted" />
      ) : (
        <TotpKey
          {...data}
          code={code}
          error={confirm.error && errorText(confirm.error)}
          onCode={(value) => {
            setCode(value)
            confirm.reset()
          }}
          copy={copy}
        />
      )}
    </Dialog>
  )
}

export function PasskeyNameDialog({ initial, adds, onAnswer, onDismiss }: PromptProps<'passkey-name'>) {
  const [name, setName] = useState(initial)
  const [isEmpty, setIsEmpty] = useState(false)
  const add = useMutation({
    meta: { shows: 'all' },
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: (done) => done !== null && onAnswer({ name, codes: done.codes }),
  })
  const submit = () => {
    if (name.trim() === '') setIsEmpty(true)
    else if (adds) add.mutate()
    else onAnswer({ name: name.trim(), codes: undefined })
  }
  return (
    <Dialog
      title={t(adds ? 'factors.passkey.add' : 'factors.rename')}
      size="small"
      onDismiss={onDismiss}
      onSubmit={submit}
      busy={add.isPending}
      actions={<DialogActions onCancel={onDismiss} submit={t(adds ? 'factors.passkey.add' : 'factors.rename')} busy={add.isPending} />}
    >
      <TextField
        label={t('factors.passkey.name')}
        hint={t('factors.passkey.hint')}
        autoComplete="off"
        maxLength={64}
        data-autofocus
        required
        value={name}
        onValue={(value) => {
          setName(value)
          setIsEmpty(false)
        }}
        error={isEmpty ? t('factors.passkey.name-it') : passkeyProblem(add.error)}
      />
    </Dialog>
  )
}

export function RecoveryCodesDialog({ codes, onAnswer }: PromptProps<'recovery-codes'>) {
  return (
    <Dialog
      title={t('factors.codes.title')}
      description={t('factors.codes.text')}
      // They are never shown again: only the button closes it.
      onDismiss={() => undefined}
      onSubmit={() => onAnswer(true)}
      actions={<DialogActions onCancel={() => onAnswer(true)} cancel={t('action.close')} submit={t('factors.codes.kept')} />}
    >
      <RecoveryCodes codes={codes} site={location.host} copy={copy} />
    </Dialog>
  )
}

/** What to say about a passkey that could not be made; null where there is none. */
export function passkeyProblem(error: unknown): string | null {
  if (error === null) return null
  return error instanceof PasskeyDismissed || isAppError(error, 'wrong-code') ? t('factors.passkey.failed') : errorText(error)
}
