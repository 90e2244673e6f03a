import { useState } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import { numbered } from '../../../shared/numbering.ts'
import type { PromptProps } from '../../data/prompts.ts'
import { useUser } from '../../data/session.ts'
import type { ConflictAnswer } from '../../data/uploads/send.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './conflict-dialog.module.css'
import { displayName } from '../../widgets/display-name.ts'
import { Versions } from '../../widgets/versions.tsx'
import { canReplace, decide, isDecided, startDeciding, suggestion } from './decide.ts'

/** Asks about each taken name, or about all at once, before the first byte travels. Closing it uploads nothing. */
export function ConflictDialog({ conflicts, onAnswer, onDismiss }: PromptProps<'upload-conflict'>) {
  const { perm } = useUser()
  const [state, setState] = useState(() => startDeciding(conflicts))
  const [chosen, setChosen] = useState<ConflictAnswer | null>(null)
  const [forRest, setForRest] = useState(conflicts.length > 1)
  const conflict = state.conflicts[state.at]
  if (conflict === undefined) return null

  const name = displayName(nameOf(conflict.path))
  const left = state.conflicts.length - state.at - 1
  const mayReplace = perm.admin || perm.modify
  const answer = chosen ?? (mayReplace ? suggestion(conflict) : 'keep-both')
  const next = () => {
    const decided = decide(state, answer, { forRest: forRest && left > 0 })
    if (isDecided(decided)) return onAnswer(decided.answers)
    setState(decided)
    setChosen(null)
  }
  return (
    <Dialog
      title={t('upload.conflict.title', { name })}
      description={state.conflicts.length > 1 ? t('upload.conflict.count', { at: state.at + 1, count: state.conflicts.length }) : undefined}
      onDismiss={onDismiss}
      onSubmit={next}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('upload.cancel')}
          </Button>
          <Button variant="primary" type="submit">
            {t('upload.conflict.continue')}
          </Button>
        </>
      }
    >
      <Versions
        existing={{ size: conflict.existing.isFolder ? null : conflict.existing.size, modified: conflict.existing.modified }}
        incoming={{ size: conflict.file.size, modified: conflict.file.lastModified }}
      />
      <div className={styles.choices} role="radiogroup" aria-label={t('upload.conflict.title', { name })}>
        {CHOICES.filter((one) => one !== 'replace' || (mayReplace && canReplace(conflict))).map((one) => (
          <label key={one} className={styles.choice}>
            <input
              type="radio"
              name="conflict"
              className={styles.radio}
              checked={one === answer}
              data-autofocus={one === answer || undefined}
              onChange={() => setChosen(one)}
            />
            <span>
              <span className={styles.label}>{t(`upload.conflict.${one}`)}</span>
              <span className={styles.text}>
                {t(`upload.conflict.${one}.text`, { name: displayName(numbered(nameOf(conflict.path), 1)) })}
              </span>
            </span>
          </label>
        ))}
      </div>
      {left > 0 && <Checkbox label={t('upload.conflict.rest', { count: left })} checked={forRest} onChecked={setForRest} />}
    </Dialog>
  )
}

const CHOICES = ['keep-both', 'replace', 'skip'] as const satisfies ConflictAnswer[]
