import { t } from '../../../i18n/i18n.tsx'
import { CheckboxInput } from '../../../ui/checkbox.tsx'
import styles from './select-box.module.css'

export interface SelectBoxProps {
  label: string
  checked: boolean
  mixed?: boolean
  disabled?: boolean
  onToggle: () => void
}

/** Checkbox of a row. Not a Tab stop: the grid has one, and Space toggles. */
export function SelectBox({ label, checked, mixed, disabled, onToggle }: SelectBoxProps) {
  return (
    <label className={styles.hit} data-part="select" data-own-click>
      <CheckboxInput tabIndex={-1} checked={checked} mixed={mixed} disabled={disabled} aria-label={label} onChange={onToggle} />
    </label>
  )
}

export function selectLabel(name: string): string {
  return t('files.select', { name })
}
