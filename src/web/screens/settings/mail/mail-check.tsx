import { Send } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { isAppError } from '../../../../shared/errors.ts'
import { useMailCheck } from '../../../data/mail.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Section } from '../section.tsx'

/** Sends a message with the saved settings, and says what the server answered. */
export function MailCheck({ isOn }: { isOn: boolean }) {
  const [to, setTo] = useState('')
  const test = useMailCheck()
  const { data } = test
  const send = () => {
    if (isOn && to.trim() !== '' && !test.isPending) test.mutate(to.trim())
  }
  // Enter must not submit the surrounding form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <Section title={t('mail.test.title')} text={t('mail.test.text')}>
      <TextField
        label={t('mail.test.to')}
        verbatim
        dir="ltr"
        type="email"
        autoComplete="email"
        value={to}
        error={isAppError(test.error, 'invalid-input') ? t('mail.address.wrong') : null}
        onValue={(value) => {
          setTo(value)
          test.reset()
        }}
        onKeyDown={onKeyDown}
      />
      <div>
        <Button
          label={t('mail.test')}
          icon={Send}
          size="small"
          busy={test.isPending}
          disabledReason={isOn ? (to.trim() === '' ? t('mail.test.no-address') : null) : t('mail.test.off')}
          onClick={send}
        />
      </div>
      <div role="status">
        {data !== undefined && (
          <FieldMessage
            tone={data.well ? 'success' : 'error'}
            text={data.well ? t('mail.test.well') : t('mail.test.badly', { reason: data.report })}
          />
        )}
      </div>
    </Section>
  )
}
