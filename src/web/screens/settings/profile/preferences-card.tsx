import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notify } from '../../../data/notices.ts'
import { saveProfile, useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { LANGUAGES, pickLanguage } from '../../../../shared/languages.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { changesTo, type Preferences } from './preferences.ts'
import styles from './profile-form.module.css'

/** Preferences, saved together. */
export function PreferencesCard() {
  const user = useUser()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Partial<Preferences>>({})
  const save = useMutation({
    mutationFn: saveProfile,
    onSuccess() {
      // Read with the old preferences.
      queries.removeQueries({ queryKey: ['folder'] })
      setDraft({})
      notify({ tone: 'success', text: t('settings.updated') })
    },
  })
  const changes = changesTo(user, draft)
  const count = Object.keys(changes).length
  const { hideDotfiles, singleClick, redirectAfterCopyMove, locale }: Preferences = { ...user, ...changes }
  const switches = { hideDotfiles, singleClick, redirectAfterCopyMove }
  const choose = (choice: Partial<Preferences>) => setDraft({ ...draft, ...choice })
  const checked = (name: keyof typeof switches) => ({ checked: switches[name], onChecked: (on: boolean) => choose({ [name]: on }) })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate({ ...switches, locale })
  }
  return (
    <Card title={t('settings.preferences')}>
      <form className="grid gap-6" onSubmit={submit}>
        <div className={styles.switches}>
          <Switch label={t('settings.hide-dotfiles')} hint={t('settings.hide-dotfiles.hint')} {...checked('hideDotfiles')} />
          <Switch label={t('settings.single-click')} hint={t('settings.single-click.hint')} {...checked('singleClick')} />
          <Switch label={t('settings.redirect')} hint={t('settings.redirect.hint')} {...checked('redirectAfterCopyMove')} />
        </div>
        <Select
          label={t('settings.language')}
          value={codeOf(locale)}
          options={languages()}
          onValue={(chosen) => choose({ locale: chosen })}
        />
        <div className={styles.actions}>
          <p className={styles.state} role="status">
            {count > 0 && <bdi>{t('settings.unsaved', { count })}</bdi>}
          </p>
          <Button label={t('settings.update')} type="submit" variant="primary" busy={save.isPending} />
        </div>
      </form>
    </Card>
  )
}

/** Old records spell some languages differently. */
function codeOf(locale: string): string {
  return locale === '' ? '' : pickLanguage(locale, navigator.languages).code
}

function languages(): { value: string; label: string; lang?: string }[] {
  const browser = pickLanguage('', navigator.languages)
  return [
    { value: '', label: t('settings.language.browser', { name: browser.name }) },
    ...LANGUAGES.map(({ code, tag, name }) => ({ value: code, label: name, lang: tag })),
  ]
}
