import { useState } from 'react'
import { type FilePath, nameOf, ROOT } from '../../../../shared/file-path.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useLinkedPaths, useSharedWith } from '../../../data/shared-paths.ts'
import { useSharesOf } from '../../../data/shares.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { DialogActions } from '../../../widgets/dialog-actions.tsx'
import { PeoplePanel } from './people-panel.tsx'
import styles from './share-dialog.module.css'
import { ShareList } from './share-list.tsx'
import { useNewPeopleShare } from './use-new-people-share.ts'
import { Loading } from '../../../widgets/loading.tsx'
import { type NewShareState, useNewShare } from './use-new-share.ts'
import { shareLink } from '../../../data/share-links.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { PasswordField } from '../../../widgets/password-field.tsx'
import { ExpiryField } from '../../../widgets/expiry-field.tsx'
import { ShareOptions } from '../../../widgets/share-options.tsx'

type Tab = 'links' | 'people'

/** The links of an entry, if there are none the form for the first; and the people it is shared with. */
export function ShareDialog({ path, isDir, onDismiss }: PromptProps<'share'>) {
  const linked = useLinkedPaths()
  const withPeople = useSharedWith()
  const [tab, setTab] = useState<Tab>(!linked.has(path) && withPeople.has(path) ? 'people' : 'links')
  const links = useLinks(path)
  const people = useNewPeopleShare(path)
  const isOnPeople = tab === 'people'
  const busy = isOnPeople ? people.busy : links.form.busy
  const submit = isOnPeople ? people.submit : links.making ? links.form.submit : undefined

  return (
    <Dialog
      title={t('share.title', { name: path === ROOT ? t('files.root') : displayName(nameOf(path)) })}
      size="wide"
      onDismiss={onDismiss}
      onSubmit={submit}
      busy={busy}
      actions={
        isOnPeople ? (
          <DialogActions onCancel={onDismiss} cancel={t('action.close')} submit={t('files.action.share')} busy={busy} />
        ) : (
          <LinkActions links={links} onDismiss={onDismiss} />
        )
      }
    >
      <Tabs
        label={t('share.title', { name: displayName(nameOf(path)) })}
        tabs={[
          { id: 'links', label: t('share.links') },
          { id: 'people', label: t('people.tab') },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        <div className={styles.panel}>
          {isOnPeople ? <PeoplePanel path={path} form={people} /> : <LinksPanel links={links} isDir={isDir} />}
        </div>
      </Tabs>
    </Dialog>
  )
}

function useLinks(path: FilePath) {
  const { shares, error } = useSharesOf(path)
  const [wished, setWished] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const form = useNewShare(path, {
    onMade({ hash }) {
      setMade(hash)
      setWished(false)
    },
  })
  const none = shares?.length === 0
  return { shares, error, made, form, none, making: wished || none, wish: setWished }
}

type Links = ReturnType<typeof useLinks>

function LinkActions({ links: { shares, form, none, making, wish }, onDismiss }: { links: Links; onDismiss: () => void }) {
  return making ? (
    <DialogActions
      onCancel={none ? onDismiss : () => wish(false)}
      cancel={none ? undefined : t('share.back')}
      submit={t('share.create')}
      busy={form.busy}
    />
  ) : (
    <>
      <Button label={t('action.close')} variant="quiet" onClick={onDismiss} />
      {shares !== null && <Button label={t('share.new')} onClick={() => wish(true)} />}
    </>
  )
}

function LinksPanel({ links: { shares, error, made, form, making }, isDir }: { links: Links; isDir: boolean }) {
  if (making) return <NewShareForm form={form} isDir={isDir} />
  if (shares !== null) return <ShareList shares={shares} made={made} />
  if (error === null) return <Loading height="72px" />
  return (
    <div role="alert">
      <FieldMessage tone="error" text={errorText(error)} />
    </div>
  )
}

/** Expiry and password of a new link; other options are collapsed. */
function NewShareForm({ form, isDir }: { form: NewShareState; isDir: boolean }) {
  const { lasting, password, draft, tried, takenSlug, error } = form
  return (
    <div className="grid gap-6">
      <ExpiryField expiry={lasting} tried={tried} onExpiry={form.changeLasting} />
      <PasswordField
        label={t('share.password')}
        hint={t('share.password.hint')}
        autoComplete="new-password"
        value={password}
        onValue={form.changePassword}
      />
      <Disclosure label={t('share.more')}>
        <ShareOptions draft={draft} onChange={form.changeDraft} isDir={isDir} linkOf={shareLink} takenSlug={takenSlug} />
      </Disclosure>
      <div role="alert">{error !== null && <FieldMessage tone="error" text={errorText(error)} />}</div>
    </div>
  )
}
