import { RotateCw } from 'lucide-react'
import type { SentMail } from '../../../../shared/contract/mail.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { type MessageKey, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../section.tsx'
import styles from './sent-mails.module.css'

const ABOUT: Readonly<Record<string, MessageKey>> = {
  invitation: 'mail.about.invitation',
  reset: 'mail.about.reset',
  address: 'mail.about.address',
  'address-changed': 'mail.about.address-changed',
  changed: 'mail.about.changed',
  shared: 'mail.about.shared',
  arrived: 'mail.about.arrived',
  quota: 'mail.about.quota',
  'quota-full': 'mail.about.quota',
  'quota-other': 'mail.about.quota',
  'quota-other-full': 'mail.about.quota',
  device: 'mail.about.device',
}

/** The latest mails, newest first: to whom, about what, and what became of them. */
export function SentMails({ sent, busy, onRefresh }: { sent: readonly SentMail[]; busy: boolean; onRefresh: () => void }) {
  return (
    <Section title={t('mail.sent')} text={t('mail.sent.text')}>
      {sent.length === 0 ? (
        <p className="muted text-small">{t('mail.sent.none')}</p>
      ) : (
        <ul className={styles.list} aria-label={t('mail.sent')}>
          {sent.map(({ id, about, to, state, output, created }) => {
            const key = ABOUT[about]
            return (
              <li key={id} className={styles.item} data-state={state}>
                <p className="strong break-anywhere">
                  {key === undefined ? about : t(key)} · <bdi dir="ltr">{to}</bdi>
                </p>
                <p className={styles.state}>
                  {t(`global.exec.state.${state}`)} · {formatDateTime(new Date(created))}
                </p>
                {state !== 'done' && output !== '' && (
                  <p className={styles.output} dir="ltr" lang="en">
                    {output}
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <div>
        <Button label={t('global.exec.refresh')} size="small" icon={<RotateCw size={16} aria-hidden />} busy={busy} onClick={onRefresh} />
      </div>
    </Section>
  )
}
