import { ArrowLeft, Download, FileUp, UserPlus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { PlannedChange } from '../../../../shared/contract/explain.ts'
import type { ImportedPerson } from '../../../../shared/contract/people.ts'
import { Link } from '../../../router/router.tsx'
import { useMail } from '../../../data/mail.ts'
import { passwordLink } from '../../../data/password-links.ts'
import { type ImportWish, useImportPeople } from '../../../data/people.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button, buttonClassName } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { EffectText } from '../effect/effect-text.tsx'
import { linksFile, type ListedPerson, MOST_PEOPLE, readPeopleList } from './people-list.ts'
import { ImportTable, isWhole, shortText } from './import-table.tsx'
import styles from './import-screen.module.css'
import form from './user-form.module.css'

interface Outcome {
  readonly people: readonly ListedPerson[]
  readonly results: readonly ImportedPerson[]
  readonly made: boolean
}

const UNSENT: ImportedPerson = { state: 'new', issues: [], scope: null, id: null, secret: null, mailedTo: null }

/** What is known of a line before the server has seen it. */
function unsentResult({ problem }: ListedPerson): ImportedPerson {
  return problem === null ? UNSENT : { ...UNSENT, state: 'refused', issues: [`line: ${problem}`] }
}

/** New accounts from a list: first what would be created, line by line, then the accounts and their links. */
export function ImportScreen() {
  const [text, setText] = useState('')
  const [mail, setMail] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [done, setDone] = useState(0)
  const work = useImportPeople()

  const change = (value: string) => {
    setText(value)
    setOutcome(null)
  }
  const { people: listed, unknown } = useMemo(() => readPeopleList(text), [text])
  /** Lines with other results are not sent, and keep theirs. */
  const run = (before: readonly ImportedPerson[], preview: boolean) => {
    const sent = before.flatMap(({ state }, at) => (state === 'new' ? [at] : []))
    const people = sent.flatMap((at) => listed[at]?.person ?? [])
    const wish: ImportWish = { people, preview, mail, onProgress: setDone }
    setDone(0)
    work.mutate(wish, {
      onSuccess: (got) => {
        if (got === null) return
        const results = [...before]
        for (const [position, at] of sent.entries()) results[at] = got[position] ?? results[at] ?? UNSENT
        setOutcome({ people: listed, results, made: !preview })
      },
    })
  }
  const isTooLong = listed.length > MOST_PEOPLE
  return (
    <div className="grid gap-6" data-part="import-people">
      <div>
        <Link to="/settings/users" className={form.back}>
          <ArrowLeft size={17} strokeWidth={1.75} className="mirror" aria-hidden />
          {t('import.back')}
        </Link>
      </div>
      <div className="grid gap-3">
        <h2 className="text-section tracking-none">{t('import.title')}</h2>
        <p className="muted text-small">{t('import.text')}</p>
      </div>
      {outcome?.made !== true && (
        <ListFields
          text={text}
          mail={mail}
          error={isTooLong ? t('import.too-long', { count: MOST_PEOPLE }) : null}
          onText={change}
          onMail={setMail}
        />
      )}
      {unknown.length > 0 && (
        <p className="text-small" role="status">
          {t('import.columns.unknown', { titles: unknown.map((title) => shortText(title)).join(', ') })}
        </p>
      )}
      {outcome === null ? (
        <div>
          <Button
            label={t('import.check')}
            variant="primary"
            busy={work.isPending}
            disabledReason={listed.length === 0 ? t('import.nothing') : null}
            disabled={isTooLong}
            onClick={() => run(listed.map(unsentResult), true)}
          />
        </div>
      ) : (
        <>
          <Summary outcome={outcome} />
          {!outcome.made && <EffectText change={plannedFor(outcome)} />}
          <Actions outcome={outcome} busy={work.isPending} onMake={() => run(outcome.results, false)} />
        </>
      )}
      <p role="status" className="muted text-small">
        {work.isPending && t('import.progress', { done, count: listed.length })}
      </p>
      {outcome !== null && <ImportTable people={outcome.people} results={outcome.results} />}
    </div>
  )
}

/** What all that can be made would reach; null if none can. */
function plannedFor({ people, results }: Outcome): PlannedChange | null {
  const fresh = people.filter((_, at) => results[at]?.state === 'new').slice(0, MOST_PEOPLE)
  if (fresh.length === 0) return null
  return { what: 'import', people: fresh.map(({ person }) => person) }
}

interface ListFieldsProps {
  readonly text: string
  readonly mail: boolean
  readonly error: string | null
  readonly onText: (text: string) => void
  readonly onMail: (mail: boolean) => void
}

function ListFields({ text, mail, error, onText, onMail }: ListFieldsProps) {
  const file = useRef<HTMLInputElement>(null)
  const canMail = useMail().data.settings.host !== ''
  return (
    <>
      <div>
        <Button label={t('import.file')} icon={FileUp} onClick={() => file.current?.click()} />
        <input
          ref={file}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          hidden
          data-part="people-file"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? []
            currentTarget.value = ''
            if (chosen !== undefined) void chosen.text().then(onText)
          }}
        />
      </div>
      <TextArea
        label={t('import.list')}
        hint={t('import.list.hint')}
        error={error}
        mono
        rows={8}
        value={text}
        onValue={onText}
        spellCheck={false}
      />
      {canMail && <Switch label={t('import.mail')} hint={t('import.mail.hint')} checked={mail} onChecked={onMail} />}
    </>
  )
}

function Summary({ outcome: { results, made } }: { outcome: Outcome }) {
  const count = (state: ImportedPerson['state']) => results.filter((result) => result.state === state).length
  const whole = results.filter(isWhole).length
  return (
    <>
      <ul className={styles.summary} aria-label={t('import.summary')}>
        <li>{made ? t('import.made', { count: count('made') }) : t('import.new', { count: count('new') })}</li>
        {count('exists') > 0 && <li>{t('import.exist', { count: count('exists') })}</li>}
        {count('refused') > 0 && <li className={styles.wrong}>{t('import.refused', { count: count('refused') })}</li>}
      </ul>
      {whole > 0 && <p className={styles.whole}>{t('import.whole', { count: whole })}</p>}
    </>
  )
}

interface ActionsProps {
  readonly outcome: Outcome
  readonly busy: boolean
  readonly onMake: () => void
}

function Actions({ outcome: { people, results, made }, busy, onMake }: ActionsProps) {
  const fresh = results.filter(({ state }) => state === 'new')
  if (!made)
    return (
      <div>
        <Button
          label={t('import.make', { count: fresh.length })}
          variant="primary"
          icon={UserPlus}
          busy={busy}
          disabledReason={fresh.length === 0 ? t('import.nothing') : null}
          onClick={onMake}
        />
      </div>
    )
  const links = results.flatMap(({ secret }, at) =>
    secret === null ? [] : [{ username: people[at]?.person.username ?? '', link: passwordLink(secret) }],
  )
  if (links.length === 0) return null
  return (
    <div className="grid gap-3">
      <p className="text-small">{t('import.links.text')}</p>
      <div>
        <a
          className={buttonClassName({ variant: 'primary' })}
          download={`${t('import.links.name')}.csv`}
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(linksFile(links))}`}
        >
          <Download size={18} strokeWidth={1.75} aria-hidden />
          {t('import.links')}
        </a>
      </div>
    </div>
  )
}
