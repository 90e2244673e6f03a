import { Suspense } from 'react'
import type { Factors } from '../../../../shared/contract/factors.ts'
import {
  type NewCodes,
  useFactors,
  useFactorsChanged,
  useForgetDevice,
  useRemovePasskey,
  useRemoveTotp,
  useRenamePasskey,
  useRenewCodes,
} from '../../../data/factors.ts'
import { notify } from '../../../data/notices.ts'
import { hasPasskeys } from '../../../data/passkeys.ts'
import { ask } from '../../../data/prompts.ts'
import { formatDate, formatDistance } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { FactorRow, FactorGroup } from './factor-row.tsx'
import { agentFrom } from '../../../../shared/user-agent.ts'
import { agentName } from './agent-name.ts'

/** The user's second factors and trusted devices. */
export function FactorsCard() {
  return (
    <Card title={t('factors.title')} text={t('factors.text')}>
      <Suspense fallback={<Loading height="200px" tone="muted" />}>
        <AllFactors />
      </Suspense>
    </Card>
  )
}

function AllFactors() {
  const factors = useFactors()
  const hasAny = factors.totp !== null || factors.passkeys.length > 0
  return (
    <div className="grid gap-6" data-part="factors">
      <TotpGroup totp={factors.totp} />
      <PasskeysGroup passkeys={factors.passkeys} />
      {hasAny && <CodesGroup left={factors.recoveryCodes} />}
      {factors.devices.length > 0 && <TrustedGroup devices={factors.devices} />}
    </div>
  )
}

/** Codes that a new factor came with are shown at once: they are never shown again. */
async function showCodes(codes: NewCodes): Promise<void> {
  if (codes !== undefined) await ask('recovery-codes', { codes })
}

function TotpGroup({ totp }: Pick<Factors, 'totp'>) {
  const changed = useFactorsChanged()
  const remove = useRemoveTotp()
  const setUp = async () => {
    const done = await ask('totp-setup', {})
    if (done === null) return
    void changed()
    await showCodes(done.codes)
    notify({ tone: 'success', text: t('factors.totp.done') })
  }
  const removeIt = async () => {
    const sure = await ask('confirm', {
      title: t('factors.totp.remove'),
      text: t('factors.remove.text'),
      confirmLabel: t('factors.remove'),
      danger: true,
    })
    if (sure !== null) remove.mutate()
  }
  return (
    <FactorGroup title={t('factors.totp')}>
      <FactorRow
        name={t(totp === null ? 'factors.off' : 'factors.on')}
        more={totp === null ? [] : [usedText(totp.lastUsed)]}
        action={
          totp === null ? (
            <Button label={t('factors.set-up')} aria-label={t('factors.totp.set-up')} size="small" onClick={() => void setUp()} />
          ) : (
            <Button
              label={t('factors.remove')}
              aria-label={t('factors.remove-one', { name: t('factors.totp') })}
              size="small"
              busy={remove.isPending}
              onClick={() => void removeIt()}
            />
          )
        }
      />
    </FactorGroup>
  )
}

function PasskeysGroup({ passkeys }: Pick<Factors, 'passkeys'>) {
  const changed = useFactorsChanged()
  const remove = useRemovePasskey()
  const rename = useRenamePasskey()
  const add = async () => {
    const done = await ask('passkey-name', { initial: agentName(agentFrom(navigator.userAgent)), adds: true })
    if (done === null) return
    void changed()
    await showCodes(done.codes)
    notify({ tone: 'success', text: t('factors.passkey.done') })
  }
  const renameIt = async ({ id, name }: { id: string; name: string }) => {
    const done = await ask('passkey-name', { initial: name, adds: false })
    if (done !== null) rename.mutate({ id, name: done.name })
  }
  const removeIt = async ({ id, name }: { id: string; name: string }) => {
    const title = t('factors.passkey.remove', { name })
    const sure = await ask('confirm', { title, text: t('factors.remove.text'), confirmLabel: t('factors.remove'), danger: true })
    if (sure !== null) remove.mutate(id)
  }
  return (
    <FactorGroup title={t('factors.passkeys')}>
      {passkeys.map((passkey) => (
        <FactorRow
          key={passkey.id}
          name={passkey.name}
          more={[passkey.site, usedText(passkey.lastUsed)]}
          action={
            <>
              <Button
                label={t('factors.rename')}
                aria-label={t('factors.rename-one', { name: passkey.name })}
                size="small"
                variant="quiet"
                onClick={() => void renameIt(passkey)}
              />
              <Button
                label={t('factors.remove')}
                aria-label={t('factors.remove-one', { name: passkey.name })}
                size="small"
                onClick={() => void removeIt(passkey)}
              />
            </>
          }
        />
      ))}
      <FactorRow
        name={passkeys.length === 0 ? t('factors.off') : null}
        more={hasPasskeys() ? [] : [t('factors.passkey.insecure')]}
        action={hasPasskeys() && <Button label={t('factors.passkey.add')} size="small" onClick={() => void add()} />}
      />
    </FactorGroup>
  )
}

const FEW_CODES = 3

function CodesGroup({ left }: { left: number }) {
  const renew = useRenewCodes()
  const renewThem = async () => {
    const sure = await ask('confirm', {
      title: t('factors.codes.renew.title'),
      text: t('factors.codes.renew.text'),
      confirmLabel: t('factors.codes.renew'),
    })
    if (sure === null) return
    const codes = await renew.mutateAsync().catch(() => null)
    if (codes !== null) await showCodes(codes)
  }
  return (
    <FactorGroup title={t('factors.codes')}>
      <FactorRow
        name={t('factors.codes.left', { count: left })}
        more={left <= FEW_CODES ? [t('factors.codes.few')] : []}
        action={<Button label={t('factors.codes.renew')} size="small" busy={renew.isPending} onClick={() => void renewThem()} />}
      />
    </FactorGroup>
  )
}

function TrustedGroup({ devices }: Pick<Factors, 'devices'>) {
  const forget = useForgetDevice()
  return (
    <FactorGroup title={t('factors.devices')}>
      {devices.map(({ id, userAgent, address, expires }) => {
        const name = agentName(agentFrom(userAgent))
        return (
          <FactorRow
            key={id}
            name={name}
            more={[address, t('factors.devices.until', { when: formatDate(new Date(expires)) })]}
            action={
              <Button
                label={t('factors.devices.forget')}
                aria-label={t('factors.devices.forget-one', { name })}
                size="small"
                onClick={() => forget.mutate(id)}
              />
            }
          />
        )
      })}
    </FactorGroup>
  )
}

function usedText(lastUsed: number | null): string {
  return lastUsed === null ? t('factors.unused') : t('factors.used', { when: formatDistance(new Date(lastUsed)) })
}
