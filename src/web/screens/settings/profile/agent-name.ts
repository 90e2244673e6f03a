import { t } from '../../../i18n/i18n.tsx'
import type { Agent } from '../../../../shared/user-agent.ts'

/** A browser or program as people call it. */
export function agentName({ name, system }: Agent): string {
  if (name !== null && system !== null) return t('settings.devices.name', { name, system })
  return name ?? system ?? t('settings.devices.unknown')
}
