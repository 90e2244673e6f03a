import { useGroups } from '../../../data/groups.ts'
import { t } from '../../../i18n/i18n.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Part } from '../section.tsx'
import type { ProviderForm } from './provider-form.ts'

export interface ClaimedGroupsProps {
  form: ProviderForm
  onChange: (part: Partial<ProviderForm>) => void
}

/** Which values of a claim make people members of which groups; nothing where there are no groups. */
export function ClaimedGroups({ form, onChange }: ClaimedGroupsProps) {
  const { data: groups = [] } = useGroups()
  if (groups.length === 0) return null
  const field = { autoComplete: 'off', verbatim: true, maxLength: 2000 }
  return (
    <Part title={t('groups.title')}>
      <TextField
        label={t('signin.claim')}
        hint={t('signin.groups.hint')}
        dir="ltr"
        {...field}
        value={form.groupsClaim}
        onValue={(groupsClaim) => onChange({ groupsClaim })}
      />
      {groups.map(({ id, name }) => (
        <TextField
          key={id}
          label={t('signin.groups.values', { name: `\u2068${name}\u2069` })}
          {...field}
          value={form.groupValues[id] ?? ''}
          onValue={(text) => onChange({ groupValues: { ...form.groupValues, [id]: text } })}
        />
      ))}
    </Part>
  )
}
