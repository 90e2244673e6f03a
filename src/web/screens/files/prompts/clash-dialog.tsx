import { useState } from 'react'
import { numbered } from '../../../../shared/numbering.ts'
import type { Clash, ClashAnswer } from '../../../data/clashes.ts'
import type { ListedEntry } from '../../../data/listing.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { answerClash, startRound } from './clash-answers.ts'
import { type Version, Versions } from '../../../widgets/versions.tsx'
import styles from './clash-dialog.module.css'

/** Replace, or keep both under another name, or leave it: for each taken name, or once for all. Closing it does nothing to any. */
export function ClashDialog({ clashes, mayReplace, onAnswer, onDismiss }: PromptProps<'replace-rename'>) {
  const [round, setRound] = useState(() => startRound(clashes))
  const [chosen, setChosen] = useState<ClashAnswer>('rename')
  const [forRest, setForRest] = useState(true)
  const clash = round.clashes[round.at]
  if (clash === undefined) return null
  const left = round.clashes.length - round.at - 1
  const free = displayName(numbered(clash.name, 1))

  const next = () => {
    const answered = answerClash(round, chosen, { forRest: forRest && left > 0 })
    if (answered.at === answered.clashes.length) onAnswer(answered.answers)
    else setRound(answered)
  }
  return (
    <Dialog
      title={t('files.clash.title', { name: displayName(clash.name) })}
      description={clashes.length > 1 ? t('files.clash.count', { at: round.at + 1, count: clashes.length }) : undefined}
      onDismiss={onDismiss}
      onSubmit={next}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" type="submit">
            {t('files.clash.continue')}
          </Button>
        </>
      }
    >
      {clash.incoming !== null && <Versions existing={versionOf(clash.existing)} incoming={versionOf(clash.incoming)} />}
      <div className={styles.choices} role="radiogroup" aria-label={t('files.clash.choose')}>
        {CHOICES.filter((one) => one !== 'overwrite' || mayReplace).map((one) => (
          <label key={one} className={styles.choice}>
            <input
              type="radio"
              name="clash"
              className={styles.radio}
              checked={one === chosen}
              data-autofocus={one === chosen || undefined}
              onChange={() => setChosen(one)}
            />
            <span>
              <span className={styles.label}>{t(`files.clash.${one}`)}</span>
              <span className={styles.text}>{t(textOf(one, clash), { name: free })}</span>
            </span>
          </label>
        ))}
      </div>
      {left > 0 && <Checkbox label={t('files.clash.rest', { count: left })} checked={forRest} onChecked={setForRest} />}
    </Dialog>
  )
}

const CHOICES = ['rename', 'overwrite', 'skip'] as const satisfies ClashAnswer[]

function textOf(answer: ClashAnswer, { existing, incoming }: Clash) {
  const merges = answer === 'overwrite' && existing.isDir && incoming?.isDir === true
  return merges ? 'files.clash.merge.text' : (`files.clash.${answer}.text` as const)
}

function versionOf({ isDir, size, modified }: ListedEntry): Version {
  return { size: isDir ? null : size, modified }
}
