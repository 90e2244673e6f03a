import { FILE_RIGHTS, type FileRight, ROLE_NAMES, ROLES, roleOf } from '../../shared/contract/rights.ts'
import { t } from '../i18n/i18n.tsx'
import { formatList } from '../i18n/list.ts'
import { Select } from '../ui/select.tsx'

/** Besides the named roles: only uploading, and nothing but names. */
const OTHERS = { uploader: ['create'], none: [] } as const satisfies Record<string, readonly FileRight[]>
type Choice = keyof typeof ROLES | keyof typeof OTHERS | 'custom'

export interface RoleSelectProps {
  label: string
  labelHidden?: boolean
  rights: readonly FileRight[]
  disabled?: boolean
  onRights: (rights: FileRight[]) => void
}

/** Chooses rights by the name of a role. Other sets of rights, which programs can give, are shown and can be replaced. */
export function RoleSelect({ label, labelHidden, rights, disabled, onRights }: RoleSelectProps) {
  const chosen = choiceOf(rights)
  const names: Choice[] = [...ROLE_NAMES, 'uploader', 'none', ...(chosen === 'custom' ? (['custom'] as const) : [])]
  return (
    <Select
      label={label}
      labelHidden={labelHidden}
      value={chosen}
      disabled={disabled}
      hint={labelHidden === true ? undefined : chosen === 'custom' ? undefined : t(`role.${chosen}.text`)}
      options={names.map((value) => ({ value, label: labelOf(value, rights) }))}
      onValue={(value) => value !== 'custom' && onRights([...{ ...ROLES, ...OTHERS }[value]])}
    />
  )
}

function choiceOf(rights: readonly FileRight[]): Choice {
  if (rights.length === 0) return 'none'
  return roleOf(rights) ?? (rights.join() === 'create' ? 'uploader' : 'custom')
}

/** What somebody may do, in a word if a role has exactly these rights. */
export function roleText(rights: readonly FileRight[]): string {
  return labelOf(choiceOf(rights), rights)
}

function labelOf(choice: Choice, rights: readonly FileRight[]): string {
  if (choice !== 'custom') return t(`role.${choice}`)
  return formatList(FILE_RIGHTS.filter((right) => rights.includes(right)).map((right) => t(`perm.${right}`)))
}
