import { shareLink } from '../../../data/share-links.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { PasswordField } from '../../../widgets/password-field.tsx'
import { ExpiryField } from '../../../widgets/expiry-field.tsx'
import { ShareOptions } from '../../../widgets/share-options.tsx'
import type { NewShareState } from './use-new-share.ts'

/** Expiry and password of a new link; other options are collapsed. */
export function NewShareForm({ form, isDir }: { form: NewShareState; isDir: boolean }) {
  const { lasting, password, draft, tried, takenSlug, error } = form
  return (
    <div className="grid gap-6">
      <ExpiryField expiry={lasting} tried={tried} onExpiry={form.changeLasting} />
      <PasswordField
        label={t('share.password')}
        hint={t('share.password.hint')}
        autoComplete="new-password"
        value={password}
        onValue={form.changePassword}
      />
      <Disclosure label={t('share.more')}>
        <ShareOptions draft={draft} onChange={form.changeDraft} isDir={isDir} linkOf={shareLink} takenSlug={takenSlug} />
      </Disclosure>
      <div role="alert">{error !== null && <FieldMessage tone="error" text={errorText(error)} />}</div>
    </div>
  )
}
