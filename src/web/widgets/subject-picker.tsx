import { useState } from 'react'
import type { Subject } from '../../shared/contract/groups.ts'
import { t } from '../i18n/i18n.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { displayName } from './display-name.ts'

export interface NamedSubject extends Subject {
  readonly name: string
}

/** The field to search appears above so many names, and the list is not longer. */
const MOST_SHOWN = 50

export interface SubjectPickerProps {
  label: string
  subjects: readonly NamedSubject[]
  value: NamedSubject | null
  onValue: (subject: NamedSubject | null) => void
}

/** Chooses a person or a group by name. */
export function SubjectPicker({ label, subjects, value, onValue }: SubjectPickerProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLocaleLowerCase()
  const matching = subjects.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const found = matching.slice(0, MOST_SHOWN)
  const options = [
    { value: '', label: t('access.choose') },
    ...found.map((subject) => ({ value: keyOf(subject), label: labelOf(subject) })),
  ]
  return (
    <>
      {subjects.length > MOST_SHOWN && <TextField label={t('access.search')} type="search" value={text} onValue={setText} />}
      <Select
        label={label}
        {...(matching.length > MOST_SHOWN && { hint: t('people.more') })}
        value={value === null || !found.includes(value) ? '' : keyOf(value)}
        options={options}
        onValue={(key) => onValue(found.find((subject) => keyOf(subject) === key) ?? null)}
      />
    </>
  )
}

/** How a person or a group is called in lists. */
export function labelOf({ kind, name }: NamedSubject): string {
  if (kind === 'everybody') return t('access.everybody')
  return kind === 'group' ? t('access.group', { name: displayName(name) }) : displayName(name)
}

export function keyOf({ kind, id }: Subject): string {
  return `${kind} ${id}`
}
