import { copyAndTell } from '../../../data/copy-text.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import styles from './tokens.module.css'

/** Shows a token that nobody can be shown again. Closed by its button only, so that no stray key or click loses it. */
export function NewToken({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('tokens.made.title')}
      description={t('tokens.made.text')}
      onDismiss={stay}
      actions={<Button label={t('action.close')} variant="quiet" onClick={onClose} />}
    >
      <div className="grid gap-5 shrinkable" data-part="new-token">
        <code className={styles.secret} dir="ltr">
          {secret}
        </code>
        <CopyButton
          label={t('tokens.copy')}
          wide
          primary
          copy={() => copyAndTell(secret, { done: t('tokens.copied'), failed: t('tokens.copy-failed') })}
        />
        <p className="muted text-small">{t('tokens.example')}</p>
        <code className={styles.secret} dir="ltr">
          {exampleWith(secret)}
        </code>
      </div>
    </Dialog>
  )
}

/** Lists the folder of the token. */
function exampleWith(secret: string): string {
  return `curl -H 'Authorization: Bearer ${secret}' ${location.origin}${pageConfig.BaseURL}/api/resources/`
}

function stay(): void {
  // The token would be lost.
}
