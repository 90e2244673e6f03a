import { useState } from 'react'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'

/** Asks before all sessions end, and whether API tokens, which continue otherwise, end too. */
export function EverywhereDialog({ onAnswer, onDismiss }: PromptProps<'sign-out-everywhere'>) {
  const [tokens, setTokens] = useState(false)
  return (
    <Dialog
      title={t('settings.devices.everywhere.title')}
      description={t('settings.devices.everywhere.text')}
      size="small"
      onDismiss={onDismiss}
      actions={<DialogActions onCancel={onDismiss} submit={t('settings.devices.everywhere')} onDanger={() => onAnswer({ tokens })} />}
    >
      <Checkbox label={t('tokens.everywhere')} checked={tokens} onChecked={setTokens} />
    </Dialog>
  )
}
