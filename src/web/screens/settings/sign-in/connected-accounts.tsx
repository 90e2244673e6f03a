import { Suspense, useState } from 'react'
import type { AccountLink } from '../../../../shared/contract/providers.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { useAccountLinks, useAddLink, useRemoveLink } from '../../../data/providers.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { Section } from '../section.tsx'
import styles from './sign-in-screen.module.css'

/** A provider or a directory. */
interface Way {
  readonly id: string
  readonly name: string
}

/** Which accounts sign in through which provider; administrators connect and disconnect them. */
export function ConnectedAccounts({ providers }: { providers: readonly Way[] }) {
  return (
    <Section title={t('signin.links')} text={t('signin.links.text')}>
      <Suspense fallback={<Loading height="64px" tone="muted" />}>
        <Links />
      </Suspense>
      <Disclosure label={t('signin.links.add')}>
        <NewLink providers={providers} />
      </Disclosure>
    </Section>
  )
}

function Links() {
  const links = useAccountLinks()
  const remove = useRemoveLink()
  if (links.length === 0) return <p className="muted text-small">{t('signin.links.none')}</p>
  const columns: Column<AccountLink>[] = [
    { id: 'user', label: t('user.username'), render: ({ username }) => <bdi>{displayName(username)}</bdi> },
    { id: 'provider', label: t('signin.links.provider'), render: ({ provider }) => <bdi>{provider}</bdi> },
    {
      id: 'subject',
      label: t('signin.links.subject'),
      render: ({ subject }) => (
        <bdi dir="ltr" className="break-anywhere">
          {subject}
        </bdi>
      ),
    },
    {
      id: 'remove',
      label: t('connections.disconnect'),
      labelHidden: true,
      align: 'end',
      render: (link) => (
        <Button
          label={t('connections.disconnect')}
          size="small"
          aria-label={`${t('connections.disconnect')}: ${link.username}`}
          busy={remove.isPending && remove.variables === link}
          onClick={() => remove.mutate(link)}
        />
      ),
    },
  ]
  return (
    <div className={styles.table}>
      <Table label={t('signin.links')} columns={columns} rows={links} rowKey={({ issuer, subject }) => `${issuer}\n${subject}`} />
    </div>
  )
}

function NewLink({ providers }: { providers: readonly Way[] }) {
  const [provider, setProvider] = useState(providers[0]?.id ?? '')
  const [username, setUsername] = useState('')
  const [subject, setSubject] = useState('')
  const add = useAddLink()
  const isComplete = username !== '' && subject !== ''
  const { error } = add
  const refusal = isAppError(error, 'already-exists') ? t('signin.problem.linked-elsewhere') : error === null ? null : errorText(error)
  const submit = () =>
    add.mutate(
      { provider, username, subject },
      {
        onSuccess(done) {
          if (done === null) return
          setUsername('')
          setSubject('')
        },
      },
    )
  return (
    <div className={styles.editor} role="group" aria-label={t('signin.links.add')}>
      <Select
        label={t('signin.links.provider')}
        value={provider}
        options={providers.map(({ id, name }) => ({ value: id, label: name }))}
        onValue={setProvider}
      />
      <TextField label={t('user.username')} verbatim autoComplete="off" value={username} onValue={setUsername} />
      <TextField
        label={t('signin.links.subject')}
        verbatim
        dir="ltr"
        autoComplete="off"
        maxLength={255}
        value={subject}
        onValue={setSubject}
      />
      <div role="alert">{refusal !== null && <p className={styles.refusal}>{refusal}</p>}</div>
      <div className={styles.actions}>
        <Button
          label={t('connections.connect')}
          size="small"
          variant="primary"
          busy={add.isPending}
          disabled={!isComplete}
          onClick={submit}
        />
      </div>
    </div>
  )
}
