import { useState } from 'react'
import { MAX_API_TOKEN_NAME_CHARS } from '../../../../shared/contract/tokens.ts'
import type { Right } from '../../../../shared/contract/endpoint.ts'
import type { Permissions } from '../../../../shared/contract/users.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { type FilePath, ROOT } from '../../../../shared/file-path.ts'
import { pageConfig } from '../../../data/page-config.ts'
import { ask } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { useCreateToken } from '../../../data/tokens.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { ExpiryField } from '../../../widgets/expiry-field.tsx'
import { type Expiry, expiresAt } from '../../../widgets/expiry.ts'
import { withRight } from '../../../widgets/permissions.ts'
import { needsWholeTree, TOKEN_RIGHTS } from './rights.ts'
import fields from '../../../widgets/permission-fields.module.css'
import styles from './tokens.module.css'

const READING: Permissions = {
  admin: false,
  execute: false,
  create: false,
  rename: false,
  modify: false,
  delete: false,
  share: false,
  download: true,
}

/** Name, rights, folder and end of a new API token. */
export function TokenForm({ onMade, onDismiss }: { onMade: (secret: string) => void; onDismiss: () => void }) {
  const { perm: mine } = useUser()
  const [name, setName] = useState('')
  const [perm, setPerm] = useState<Permissions>(mine.admin || mine.download ? READING : { ...READING, download: false })
  const [folder, setFolder] = useState<FilePath>(ROOT)
  const [expiry, setExpiry] = useState<Expiry>({ term: 'month', date: '' })
  const [tried, setTried] = useState(false)
  const create = useCreateToken()
  const end = expiresAt(expiry, new Date())

  const submit = () => {
    setTried(true)
    if (name.trim() === '' || end === null) return
    const expires = end === 0 ? null : end * 1000
    create.mutate({ name, perm, folder, expires }, { onSuccess: (made) => made !== null && onMade(made.token) })
  }
  const chooseFolder = async () => {
    const chosen = await ask('choose-folder', { title: t('tokens.folder.choose'), within: ROOT }, { onTop: true })
    if (chosen === null) return
    setFolder(chosen)
    if (chosen !== ROOT) setPerm({ ...perm, admin: false, execute: false })
  }
  const refusal = isAppError(create.error, 'invalid-input')
    ? t('form.refused', { reason: create.error.detail.issues.join('; ') })
    : create.error && errorText(create.error)
  return (
    <Dialog
      title={t('tokens.new')}
      description={t('tokens.new.text')}
      onDismiss={onDismiss}
      onSubmit={submit}
      busy={create.isPending}
      actions={<DialogActions onCancel={onDismiss} submit={t('tokens.create')} busy={create.isPending} />}
    >
      <div className="grid gap-6 shrinkable">
        <TextField
          label={t('tokens.name')}
          hint={t('tokens.name.hint')}
          autoComplete="off"
          data-autofocus
          required
          maxLength={MAX_API_TOKEN_NAME_CHARS}
          value={name}
          onValue={setName}
          error={tried && name.trim() === '' ? t('tokens.name.empty') : refusal}
        />
        <Rights mine={mine} perm={perm} isWhole={folder === ROOT} onPerm={setPerm} />
        <div className={styles.folder}>
          <p className="grow shrinkable">
            <span className="muted text-caption strong block">{t('tokens.folder')}</span>
            <bdi>{folder === ROOT ? t('tokens.folder.all') : displayName(folder)}</bdi>
          </p>
          <Button label={t('tokens.folder.choose')} size="small" onClick={() => void chooseFolder()} />
        </div>
        <ExpiryField label={t('tokens.expires')} expiry={expiry} onExpiry={setExpiry} tried={tried} autoFocus={false} />
      </div>
    </Dialog>
  )
}

interface RightsProps {
  mine: Permissions
  perm: Permissions
  isWhole: boolean
  onPerm: (perm: Permissions) => void
}

function Rights({ mine, perm, isWhole, onPerm }: RightsProps) {
  const offered = TOKEN_RIGHTS.filter((right) => (mine.admin || mine[right]) && (right !== 'execute' || pageConfig.EnableExec))
  const isOff = (right: Right): boolean => (right !== 'admin' && perm.admin) || (needsWholeTree(right) && !isWhole)
  return (
    <fieldset className={fields.group}>
      <legend className={fields.title}>{t('user.permissions')}</legend>
      {offered.map((right) => (
        <Checkbox
          key={right}
          className={fields.right}
          label={t(`perm.${right}`)}
          checked={perm[right]}
          disabled={isOff(right)}
          onChecked={(on) => onPerm(withRight(perm, right, on))}
        />
      ))}
      <p className="muted text-small" role="status">
        {noteOn(perm, isWhole)}
      </p>
    </fieldset>
  )
}

function noteOn(perm: Permissions, isWhole: boolean): string {
  if (perm.admin) return t('tokens.rights.admin')
  if (perm.execute) return t('tokens.rights.execute')
  return isWhole ? t('tokens.rights.text') : t('tokens.rights.folder')
}
