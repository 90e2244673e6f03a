import { FolderSearch } from 'lucide-react'
import type { Settings } from '../../../../shared/contract/settings.ts'
import { ROOT } from '../../../../shared/file-path.ts'
import { cleanScope } from '../../../../shared/scope.ts'
import { t } from '../../../i18n/i18n.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName, pathInSentence } from '../../../widgets/display-name.ts'
import { fieldsOf } from '../../../widgets/form-fields.ts'
import { useChooseScope } from '../scope-paths.ts'
import { homeOf, type ScopeKind, type UserDraft } from '../../../widgets/user-draft.ts'
import styles from './user-form.module.css'

const REACHES = ['home', 'other', 'whole'] as const satisfies readonly ScopeKind[]

export interface ScopeFieldsProps {
  draft: UserDraft
  settings: Settings
  error: string | null
  onChange: (draft: UserDraft) => void
}

/** Scope of a user, with an explanation. */
export function ScopeFields({ draft, settings, error, onChange }: ScopeFieldsProps) {
  const choose = useChooseScope()
  const { scopeKind } = draft
  const { value } = fieldsOf(draft, onChange, () => error)
  const pick = async () => {
    const chosen = await choose()
    if (chosen !== null) value('scope').onValue(chosen)
  }
  const name = draft.username.trim() === '' ? t('user.new.name') : displayName(draft.username.trim())
  return (
    <div className="grid gap-4 shrinkable">
      {scopeKind !== undefined && (
        <RadioGroup
          label={t('user.reach')}
          value={scopeKind}
          options={REACHES.map((reach) => ({ value: reach, label: t(`user.reach.${reach}`) }))}
          onValue={value('scopeKind').onValue}
        />
      )}
      {scopeKind === undefined || scopeKind === 'other' ? (
        <TextField
          label={t('user.reach')}
          labelHidden={scopeKind !== undefined}
          verbatim
          dir="ltr"
          {...value('scope')}
          end={<IconButton size="small" label={t('user.scope.choose')} icon={FolderSearch} onClick={() => void pick()} />}
        />
      ) : (
        error !== null && <FieldMessage tone="error" text={error} />
      )}
      <p className={styles.reach} role="status" data-whole={folderOf(draft, settings) === ROOT || undefined}>
        {reachWords(folderOf(draft, settings), name)}
      </p>
    </div>
  )
}

/** Null if it is not known yet. */
function folderOf({ scopeKind, scope, username }: UserDraft, settings: Settings): string | null {
  if (scopeKind === 'whole') return ROOT
  if (scopeKind === 'home') return homeOf(username, settings) ?? null
  return scopeKind === 'other' && scope.trim() === '' ? null : cleanScope(scope)
}

function reachWords(folder: string | null, name: string): string | null {
  if (folder === null) return null
  return folder === ROOT ? t('user.reach.says.whole', { name }) : t('user.reach.says.folder', { name, folder: pathInSentence(folder) })
}
