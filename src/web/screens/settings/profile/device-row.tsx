import { CircleHelp, type LucideIcon, Monitor, Smartphone, Terminal } from 'lucide-react'
import type { Device } from '../../../../shared/contract/session.ts'
import { useEndDevice } from '../../../data/devices.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { signOut } from '../../../data/session.ts'
import { formatDateExact, formatDistance } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import list from '../item-list.module.css'
import { agentName } from './agent-name.ts'
import styles from './devices-card.module.css'
import { type Agent, agentFrom } from '../../../../shared/user-agent.ts'

const ICONS: Record<Agent['kind'], LucideIcon> = { computer: Monitor, mobile: Smartphone, program: Terminal, unknown: CircleHelp }

export function DeviceRow({ device }: { device: Device }) {
  const ending = useEndDevice()
  const agent = agentFrom(device.userAgent)
  const name = agentName(agent)
  const Icon = ICONS[agent.kind]
  const seen = new Date(device.lastSeen)

  const end = () => {
    if (device.current) void signOut()
    else ending.mutate(device)
  }
  return (
    <li className={list.item}>
      <Icon size={22} strokeWidth={1.5} aria-hidden />
      <div className="grow shrinkable">
        <p className={styles.name} title={device.userAgent}>
          <bdi>{name}</bdi>
          {device.current && <span className={styles.here}>{t('settings.devices.this')}</span>}
        </p>
        <p className={list.more}>
          {device.address !== '' && <bdi>{device.address}</bdi>}
          <time dateTime={seen.toISOString()} title={formatDateExact(seen)}>
            <bdi>{device.current ? t('settings.devices.now') : t('settings.devices.seen', { when: formatDistance(seen) })}</bdi>
          </time>
        </p>
      </div>
      {(!device.current || pageConfig.LoginPage) && (
        <Button
          label={t('settings.devices.end')}
          size="small"
          busy={ending.isPending}
          aria-label={t('settings.devices.end-one', { name })}
          onClick={end}
        />
      )}
    </li>
  )
}
