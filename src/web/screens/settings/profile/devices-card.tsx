import { useMutation } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { useDevices } from '../../../data/devices.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { inTime } from '../../../data/chunks.ts'
import { ask, registerPrompts } from '../../../data/prompts.ts'
import { signOutEverywhere } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { DeviceRow } from './device-row.tsx'
import items from '../item-list.module.css'

registerPrompts({
  'sign-out-everywhere': lazyPart(async () => (await inTime(import('./everywhere-dialog.tsx'))).EverywhereDialog),
})

/** Active sessions, with Sign out for each. */
export function DevicesCard() {
  const leave = useMutation({ mutationFn: signOutEverywhere })
  const leaveAll = async () => {
    const sure = await ask('sign-out-everywhere', {})
    if (sure !== null) leave.mutate(sure)
  }
  return (
    <Card
      title={t('settings.devices')}
      text={t('settings.devices.text')}
      footer={
        // Without a sign-in page, the user would be signed in again at once.
        pageConfig.LoginPage && <Button label={t('settings.devices.everywhere')} busy={leave.isPending} onClick={() => void leaveAll()} />
      }
    >
      <Suspense fallback={<Loading height="64px" tone="muted" />}>
        <Devices />
      </Suspense>
    </Card>
  )
}

function Devices() {
  const devices = useDevices()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => (location.hash === '#devices' && list.current !== null ? keepInView(list.current) : undefined), [])
  return (
    <ul ref={list} className={items.list} aria-label={t('settings.devices')}>
      {devices.map((device) => (
        <DeviceRow key={device.id} device={device} />
      ))}
    </ul>
  )
}

const ARRIVING_MS = 5000

/** A mail about a new device leads here, and the cards above grow while they load. @returns what ends it; the user's first input does, too */
function keepInView(element: HTMLElement): () => void {
  const observer = new ResizeObserver(() => element.scrollIntoView({ block: 'center' }))
  const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
  const end = (): void => {
    observer.disconnect()
    clearTimeout(timer)
    for (const input of inputs) removeEventListener(input, end)
  }
  const timer = setTimeout(end, ARRIVING_MS)
  for (const input of inputs) addEventListener(input, end, { passive: true })
  observer.observe(element.closest('[data-part=card]')?.parentElement ?? element)
  return end
}
