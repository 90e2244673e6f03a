import { OPERATION_KINDS, type OperationKind } from '../../../../shared/contract/operations.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Select } from '../../../ui/select.tsx'
import { displayName } from '../../../widgets/display-name.ts'

/** What the timeline shows. */
export interface ActivityChoice {
  /** Also everything below the folder. */
  readonly below: boolean
  /** Name of a user; empty for everybody. */
  readonly by: string
  readonly kind: OperationKind | ''
}

export interface ActivityFilterProps {
  choice: ActivityChoice
  isDir: boolean
  /** Names of the people to choose from. */
  people: readonly string[]
  onChoice: (choice: ActivityChoice) => void
}

/** Filter by person and kind; of a folder, also by whether what is in it counts. Collapsed; the summary names what is chosen. */
export function ActivityFilter({ choice, isDir, people, onChoice }: ActivityFilterProps) {
  const { below, by, kind } = choice
  const chosen = [
    ...(isDir && !below ? [t('history.itself')] : []),
    ...(by === '' ? [] : [displayName(by)]),
    ...(kind === '' ? [] : [kindLabel(kind)]),
  ]
  return (
    <Disclosure label={t('activity.filter')} note={chosen.join(' · ')}>
      <div className="grid gap-5" role="search" aria-label={t('activity.filter')}>
        <PersonSelect label={t('activity.who')} by={by} people={people} onPerson={(name) => onChoice({ ...choice, by: name })} />
        <Select
          label={t('history.change')}
          value={kind}
          options={(['', ...OPERATION_KINDS] as const).map((value) => ({ value, label: kindLabel(value) }))}
          onValue={(value) => onChoice({ ...choice, kind: value })}
        />
        {isDir && (
          <Select
            label={t('history.scope')}
            value={below ? 'below' : 'itself'}
            options={[
              { value: 'below', label: t('history.below') },
              { value: 'itself', label: t('history.itself') },
            ]}
            onValue={(value) => onChoice({ ...choice, below: value === 'below' })}
          />
        )}
      </div>
    </Disclosure>
  )
}

export interface PersonSelectProps {
  label: string
  by: string
  people: readonly string[]
  onPerson: (name: string) => void
}

export function PersonSelect({ label, by, people, onPerson }: PersonSelectProps) {
  const names = people.includes(by) || by === '' ? people : [...people, by]
  return (
    <Select
      label={label}
      value={by}
      options={['', ...names].map((value) => ({ value, label: value === '' ? t('history.everyone') : displayName(value) }))}
      onValue={onPerson}
    />
  )
}

function kindLabel(kind: OperationKind | ''): string {
  if (kind === '') return t('history.kind.all')
  return kind === 'move' ? `${t('history.kind.move')} / ${t('history.kind.rename')}` : t(`history.kind.${kind}`)
}
