import { useEffect, useRef, useState } from 'react'
import { numbered } from '../../shared/numbering.ts'
import { type MessageKey, t } from '../i18n/i18n.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './conflict-dialog.module.css'
import {
  alsoFor,
  choicesFor,
  type Conflict,
  type ConflictAnswer,
  type ConflictChoice,
  decide,
  startResolution,
  suggestion,
} from './conflict-resolution.ts'
import { displayName } from './display-name.ts'
import { DialogActions } from './dialog-actions.tsx'
import { Versions } from './versions.tsx'

export interface ConflictDialogProps<Key> {
  conflicts: readonly Conflict<Key>[]
  mayReplace: boolean
  onAnswer: (answers: ReadonlyMap<Key, ConflictAnswer>) => void
  onDismiss: () => void
}

/** Asks about each conflict, or about all at once, before anything happens. Closing it cancels everything. */
export function ConflictDialog<Key>({ conflicts, mayReplace, onAnswer, onDismiss }: ConflictDialogProps<Key>) {
  const [round, setRound] = useState(() => startResolution(conflicts))
  const [chosen, setChosen] = useState<ConflictChoice | null>(null)
  const [forRest, setForRest] = useState(true)
  const choices = useRef<HTMLDivElement>(null)
  // The focused element may have disappeared with the previous question.
  useEffect(() => {
    if (round.answers.size > 0) choices.current?.querySelector<HTMLElement>(':checked')?.focus()
  }, [round])
  const [conflict] = round.open
  if (conflict === undefined) return null

  const choice = chosen ?? suggestion(round, { mayReplace })
  const also = alsoFor(round, choice, { mayReplace })
  const title = t('files.clash.title', { name: displayName(conflict.name) })
  const next = () => {
    const decided = decide(round, choice, forRest ? also : [])
    if (decided.open.length === 0) return onAnswer(decided.answers)
    setRound(decided)
    setChosen(null)
  }
  return (
    <Dialog
      title={title}
      description={conflicts.length > 1 ? t('files.clash.count', { at: round.answers.size + 1, count: conflicts.length }) : undefined}
      onDismiss={onDismiss}
      onSubmit={next}
      actions={<DialogActions onCancel={onDismiss} submit={t('files.clash.continue')} />}
    >
      {conflict.incoming !== null && <Versions name={conflict.name} existing={conflict.existing} incoming={conflict.incoming} />}
      <div ref={choices} className="grid gap-4" role="radiogroup" aria-label={t('files.clash.choose')}>
        {choicesFor(conflict, { mayReplace }).map((one) => (
          <label key={one} className={styles.choice}>
            <input
              type="radio"
              name="conflict"
              className={styles.radio}
              checked={one === choice}
              data-autofocus={one === choice || undefined}
              onChange={() => setChosen(one)}
            />
            <span>
              <span className="block text-name">{t(TEXTS[one])}</span>
              <span className={styles.text}>{t(textOf(one, conflict), { name: displayName(numbered(conflict.name, 1)) })}</span>
            </span>
          </label>
        ))}
      </div>
      {also.length > 0 && <Checkbox label={t('files.clash.rest', { count: also.length })} checked={forRest} onChecked={setForRest} />}
    </Dialog>
  )
}

const TEXTS = {
  'keep-both': 'files.clash.rename',
  replace: 'files.clash.overwrite',
  'only-newer': 'files.clash.only-newer',
  skip: 'files.clash.skip',
} as const satisfies Record<ConflictChoice, MessageKey>

function textOf(choice: ConflictChoice, { existing }: Conflict<unknown>): MessageKey {
  return choice === 'replace' && existing.isFolder ? 'files.clash.merge.text' : `${TEXTS[choice]}.text`
}
