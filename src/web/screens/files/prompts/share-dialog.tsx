import { useState } from 'react'
import { nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useSharesOf } from '../../../data/shares.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { NewShareForm } from './new-share-form.tsx'
import styles from './share-dialog.module.css'
import { ShareList } from './share-list.tsx'

/** The links of one entry; where there are none yet, the form for the first (spec §4). */
export function ShareDialog({ path, onDismiss }: PromptProps<'share'>) {
  const { shares, error } = useSharesOf(path)
  const [making, setMaking] = useState(false)
  const title = t('share.title', { name: path === ROOT ? t('files.root') : displayName(nameOf(path)) })
  const none = shares?.length === 0

  if (shares !== null && (making || none))
    return (
      <NewShareForm
        title={title}
        path={path}
        onMade={() => setMaking(false)}
        onBack={none ? null : () => setMaking(false)}
        onDismiss={onDismiss}
      />
    )
  return (
    <Dialog
      title={title}
      size="wide"
      onDismiss={onDismiss}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.close')}
          </Button>
          {shares !== null && (
            <Button variant="primary" onClick={() => setMaking(true)} data-autofocus>
              {t('share.new')}
            </Button>
          )}
        </>
      }
    >
      {shares !== null ? (
        <ShareList shares={shares} />
      ) : error === null ? (
        <p className={styles.waiting} role="status" aria-label={t('app.loading')}>
          <Spinner size={22} />
        </p>
      ) : (
        <div role="alert">
          <FieldMessage tone="error" text={errorText(error)} />
        </div>
      )}
    </Dialog>
  )
}
