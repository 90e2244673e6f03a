import { copyAndTell } from '../data/copy-text.ts'
import type { MadeLink } from '../data/password-links.ts'
import type { PromptProps } from '../data/prompts.ts'
import { formatDateTime } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { CopyButton } from '../widgets/copy-button.tsx'
import { displayName } from '../widgets/display-name.ts'

declare module '../data/prompts.ts' {
  interface PromptKinds {
    /** Shows a link by which a user chooses a password: it cannot be seen again. */
    passwordLink: { props: { username: string; link: MadeLink }; answer: true }
  }
}

/** A link for a user, to be copied; says whether it was sent as well. */
export function PasswordLinkDialog({ username, link: { url, expires, mailedTo }, onDismiss }: PromptProps<'passwordLink'>) {
  return (
    <Dialog
      title={t('invite.title', { name: displayName(username) })}
      description={t('invite.text', { date: formatDateTime(expires) })}
      onDismiss={onDismiss}
      actions={
        <>
          <Button label={t('action.close')} onClick={onDismiss} />
          <CopyButton
            label={t('invite.copy')}
            word={t('invite.copy')}
            primary
            copy={() => copyAndTell(url, { done: t('invite.copied'), failed: t('invite.not-copied') })}
          />
        </>
      }
    >
      <TextField
        label={t('invite.copy')}
        labelHidden
        dir="ltr"
        readOnly
        data-autofocus
        value={url}
        onValue={() => undefined}
        onFocus={(event) => event.target.select()}
      />
      {mailedTo !== null && <p className="muted text-small break-anywhere">{t('invite.mailed', { address: `\u2068${mailedTo}\u2069` })}</p>}
    </Dialog>
  )
}
