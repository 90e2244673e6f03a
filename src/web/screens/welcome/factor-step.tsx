import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isAppError } from '../../../shared/errors.ts'
import { copyAndTell } from '../../data/copy-text.ts'
import { addPasskey, confirmTotp, startTotp } from '../../data/factors.ts'
import { hasPasskeys, PasskeyDismissed } from '../../data/passkeys.ts'
import { factorSetUp, holdFactorStep, signOut } from '../../data/session.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../widgets/loading.tsx'
import { RecoveryCodes } from '../../widgets/recovery-codes.tsx'
import { TotpKey } from '../../widgets/totp-key.tsx'
import { StepForm } from './step-form.tsx'
import styles from './welcome.module.css'

const copy = (text: string) => copyAndTell(text, { failed: t('share.copy-failed') })

/** Sets up the second factor that is required; the server serves nothing else before. Then the recovery codes, which are shown once. */
export function FactorStep() {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [code, setCode] = useState('')
  const key = useQuery({ queryKey: ['new-totp'], queryFn: startTotp, gcTime: 0, staleTime: Infinity, retry: false })
  const finish = (made: readonly string[] | undefined) => {
    if (made === undefined) return factorSetUp()
    holdFactorStep()
    setCodes(made)
  }
  const confirm = useMutation({ meta: { shows: 'all' }, mutationFn: confirmTotp, onSuccess: finish })
  const passkey = useMutation({
    meta: { shows: 'all' },
    mutationFn: () => addPasskey(t('factors.passkey.first')),
    onSuccess: (done) => done !== null && finish(done.codes),
  })
  if (codes !== null) {
    return (
      <StepForm
        title={t('factors.codes.title')}
        text={t('factors.codes.text')}
        submit={t('factors.codes.kept')}
        busy={false}
        onSubmit={factorSetUp}
      >
        <RecoveryCodes codes={codes} site={location.host} copy={copy} />
      </StepForm>
    )
  }
  const { data } = key
  return (
    <StepForm
      title={t('welcome.factor.title')}
      text={t('welcome.factor.text')}
      submit={t('welcome.continue')}
      busy={confirm.isPending}
      onSubmit={() => (data ? confirm.mutate(code) : void key.refetch())}
      error={problemOf(passkey.error ?? key.error)}
      others={
        <div className={styles.skips}>
          {hasPasskeys() && (
            <Button label={t('welcome.factor.passkey')} variant="quiet" busy={passkey.isPending} onClick={() => passkey.mutate()} />
          )}
          <Button label={t('sidebar.logout')} variant="quiet" onClick={() => void signOut()} />
        </div>
      }
    >
      {data === undefined && key.isPending && <Loading height="320px" tone="muted" />}
      {data && (
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
    </StepForm>
  )
}

function problemOf(error: Error | null): string | null {
  if (error === null) return null
  return error instanceof PasskeyDismissed || isAppError(error, 'wrong-code') ? t('factors.passkey.failed') : errorText(error)
}
