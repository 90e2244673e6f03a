import { ACTION_ICONS } from './action-icons.ts'
import type { ActionName } from './actions.ts'

/** An action's picture in a menu. */
export function ActionIcon({ action }: { action: ActionName }) {
  const Icon = ACTION_ICONS[action]
  return <Icon size={17} strokeWidth={1.75} />
}
