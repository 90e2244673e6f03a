import { NOTICE_KINDS } from '../../../../shared/contract/mail.ts'
import { useChooseNotice, useMailAddress, useNoticeChoices } from '../../../data/mail.ts'
import { useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/switch.tsx'

/** What the user is told by mail; saved at once. Nothing where no mail reaches them. */
export function NoticesCard() {
  const { id } = useUser()
  const address = useMailAddress(id)
  const choices = useNoticeChoices()
  const { mutate } = useChooseNotice()
  if (address === undefined || !address.isOn || address.address === '') return null
  return (
    <Card title={t('notices.title')} text={t('notices.text')}>
      {NOTICE_KINDS.map((kind) => (
        <Switch
          key={kind}
          label={t(`notices.${kind}`)}
          hint={kind === 'arrived' ? t('notices.arrived.hint') : undefined}
          checked={choices?.[kind] ?? false}
          disabled={choices === undefined}
          onChecked={(wanted) => mutate({ [kind]: wanted })}
        />
      ))}
    </Card>
  )
}
