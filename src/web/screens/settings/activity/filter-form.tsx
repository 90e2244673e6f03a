import { type FormEvent, useRef, useState } from 'react'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './activity-screen.module.css'
import { NO_FILTER, KINDS, type FilterFields } from './filter.ts'

/** Filter form: selections apply at once, text with Enter or the button. */
export function FilterForm({ wish: filter, onWish: onFilter }: { wish: FilterFields; onWish: (filter: FilterFields) => void }) {
  const [draft, setDraft] = useState(filter)
  const type = (part: Partial<FilterFields>) => setDraft({ ...draft, ...part })
  const choose = (part: Partial<FilterFields>) => {
    type(part)
    onFilter({ ...draft, ...part })
  }
  const form = useRef<HTMLFormElement>(null)
  const clear = () => {
    setDraft(NO_FILTER)
    onFilter(NO_FILTER)
    // The focused button disappears with the filter.
    form.current?.querySelector('select')?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter(draft)
  }
  const plain = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
  return (
    <form ref={form} className={styles.filter} role="search" aria-label={t('activity.filter')} onSubmit={submit}>
      <Select
        label={t('activity.kind')}
        value={draft.kind}
        options={KINDS.map((value) => ({ value, label: value === '' ? t('activity.kind.all') : t(`activity.kind.${value}`) }))}
        onValue={(kind) => choose({ kind })}
      />
      <TextField label={t('activity.who')} {...plain} value={draft.who} onValue={(who) => type({ who })} />
      <TextField label={t('activity.search')} {...plain} value={draft.text} onValue={(text) => type({ text })} />
      <TextField label={t('activity.since')} type="date" value={draft.since} max={draft.until} onValue={(since) => choose({ since })} />
      <TextField label={t('activity.until')} type="date" value={draft.until} min={draft.since} onValue={(until) => choose({ until })} />
      <div className={styles.buttons}>
        <Button label={t('activity.show')} type="submit" variant="primary" />
        {filter !== NO_FILTER && <Button label={t('activity.clear')} variant="quiet" onClick={clear} />}
      </div>
    </form>
  )
}
