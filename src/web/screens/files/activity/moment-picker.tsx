import { useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useGestures } from '../../../data/gestures.ts'
import { BEGINNING } from '../../../data/rewind.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { PersonSelect } from './activity-filter.tsx'
import { MomentList } from './moment-list.tsx'
import styles from './rewind.module.css'
import { usePeople } from './use-people.ts'

export interface MomentPickerProps {
  path: FilePath
  to: string | null
  by: string
  onTo: (to: string | null) => void
  onBy: (name: string) => void
}

/** A moment, by the last change that is kept or by date and time; and whose changes are undone. */
export function MomentPicker({ path, to, by, onTo, onBy }: MomentPickerProps) {
  const [way, setWay] = useState<'change' | 'time'>('change')
  const found = useGestures({ path, below: true, by, kind: '' })
  const people = usePeople(found.gestures)
  return (
    <div className={styles.picker}>
      <PersonSelect label={t('rewind.who')} by={by} people={people} onPerson={onBy} />
      <div>
        <Segmented
          label={t('rewind.way')}
          value={way}
          options={[
            { value: 'change', label: t('rewind.way.change') },
            { value: 'time', label: t('rewind.way.time') },
          ]}
          onValue={setWay}
        />
      </div>
      {way === 'time' ? (
        <TextField
          label={t('rewind.time')}
          type="datetime-local"
          value={to === null || to === BEGINNING ? '' : localTime(new Date(to))}
          max={localTime(new Date())}
          onValue={(value) => onTo(value === '' ? null : new Date(value).toISOString())}
        />
      ) : (
        <MomentList found={found} to={to} onTo={onTo} />
      )}
    </div>
  )
}

/** Value of `<input type=datetime-local>`, with minutes. */
export function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
