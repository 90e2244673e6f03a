import { useState } from 'react'
import { GROUP_WAYS, ID_ATTRIBUTES } from '../../../../shared/contract/directories.ts'
import { type Directory, useRemoveDirectory, useSaveDirectory } from '../../../data/directories.ts'
import { useGroups } from '../../../data/groups.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Part } from '../section.tsx'
import { DirectoryCheck } from './directory-check.tsx'
import { type DirectoryForm, formFrom, inputFrom, type Kind, KINDS, withKind } from './directory-form.ts'
import { DirectoryTrial } from './directory-trial.tsx'
import styles from './sign-in-screen.module.css'
import { useMethodForm, MethodActions } from './method-form.tsx'

export interface DirectoryEditorProps {
  /** Null for a new one. */
  directory: Directory | null
  onSaved: () => void
}

type Texts = { [K in keyof DirectoryForm as DirectoryForm[K] extends string ? K : never]: string }
type Flags = { [K in keyof DirectoryForm as DirectoryForm[K] extends boolean ? K : never]: boolean }

/** As directories call them. */
const WAYS: Readonly<Record<DirectoryForm['groupWay'], string>> = {
  none: '–',
  member: 'member',
  memberOf: 'memberOf',
  chain: 'LDAP_MATCHING_RULE_IN_CHAIN (Active Directory)',
}

/** The form of one directory, saved on its own, and what is done with it. */
export function DirectoryEditor({ directory, onSaved }: DirectoryEditorProps) {
  const [kind, setKind] = useState<Kind>('OpenLDAP')
  const { data: groups = [] } = useGroups()
  const remove = useRemoveDirectory()
  const { form, change, touched, onKeyDown, actions } = useMethodForm({
    id: directory?.id ?? null,
    stored: formFrom(directory),
    isComplete: ({ urls, baseDn }) => urls.trim() !== '' && baseDn.trim() !== '',
    inputFrom,
    save: useSaveDirectory(),
    forget: { bindPassword: '' },
    savedText: t('ldap.saved'),
    onSaved,
  })
  const text = (name: keyof Texts) => ({
    value: form[name],
    onValue: (value: string) => change({ [name]: value }),
    autoComplete: 'off',
    dir: 'ltr' as const,
  })
  const line = (name: keyof Texts) => ({ ...text(name), verbatim: true, maxLength: 2000 })
  const lines = (name: keyof Texts) => ({ ...text(name), mono: true, rows: 2, spellCheck: false })
  const flag = (name: keyof Flags) => ({ checked: form[name], onChecked: (checked: boolean) => change({ [name]: checked }) })

  return (
    <div className={styles.editor}>
      <div className={styles.editor} role="group" aria-label={directory?.name ?? t('ldap.add')} onKeyDown={onKeyDown}>
        {directory === null && (
          <Select
            label={t('ldap.kind')}
            value={kind}
            options={KINDS.map((value) => ({ value, label: value, lang: 'en' }))}
            onValue={(value) => {
              setKind(value)
              change(withKind(form, value))
            }}
          />
        )}
        <TextField label={t('groups.name')} {...line('name')} dir={undefined} verbatim={false} maxLength={100} />
        <TextArea label={t('ldap.urls')} hint={t('ldap.urls.hint')} placeholder="ldaps://" {...lines('urls')} />
        <div className={styles.switches}>
          <Switch label={t('ldap.start-tls')} {...flag('startTls')} />
          <Switch label={t('ldap.plaintext')} {...flag('plaintext')} />
        </div>
        <TextArea label={t('ldap.ca')} hint={t('ldap.ca.hint')} placeholder="-----BEGIN CERTIFICATE-----" {...lines('ca')} />
        <TextField label={t('ldap.base-dn')} placeholder="dc=example,dc=org" {...line('baseDn')} />
        <TextField label={t('ldap.bind-dn')} hint={t('ldap.bind-dn.hint')} {...line('bindDn')} />
        <TextField
          label={t('ldap.bind-password')}
          hint={directory?.hasPassword === true ? t('signin.client-secret.kept') : undefined}
          type="password"
          {...line('bindPassword')}
          autoComplete="new-password"
          maxLength={1000}
        />
        <TextField
          label={t('ldap.bind-pattern')}
          hint={t('ldap.bind-pattern.hint')}
          placeholder="{login}@example.org"
          {...line('bindPattern')}
        />
        <TextField label={t('ldap.user-filter')} {...line('userFilter')} />
        <Select
          label={t('ldap.id-attribute')}
          value={form.idAttribute}
          options={ID_ATTRIBUTES.map((value) => ({ value, label: value, lang: 'en' }))}
          onValue={(idAttribute) => change({ idAttribute })}
        />
        <TextField label={t('ldap.username-attribute')} {...line('usernameAttribute')} />
        <TextField label={t('ldap.mail-attribute')} {...line('mailAttribute')} />
        <div className={styles.switches}>
          <Switch label={t('ldap.enabled')} {...flag('enabled')} />
          <Switch label={t('signin.create')} hint={t('signin.create.hint')} {...flag('create')} />
        </div>
        <Part title={t('ldap.groups')}>
          <Select
            label={t('ldap.group-way')}
            value={form.groupWay}
            options={GROUP_WAYS.map((value) => ({ value, label: WAYS[value], lang: 'en' }))}
            onValue={(groupWay) => change({ groupWay })}
          />
          {(form.groupWay === 'member' || form.groupWay === 'chain') && (
            <>
              <TextField label={t('ldap.group-base')} {...line('groupBaseDn')} />
              <TextField label={t('ldap.group-filter')} {...line('groupFilter')} />
              <TextField label={t('ldap.member-attribute')} {...line('memberAttribute')} />
            </>
          )}
          {(form.groupWay === 'member' || form.groupWay === 'memberOf') && <Switch label={t('ldap.nested')} {...flag('nested')} />}
          {form.groupWay !== 'none' && (
            <>
              <TextArea label={t('signin.allow')} hint={t('ldap.allow.hint')} {...lines('allow')} />
              <TextArea label={t('signin.admin')} hint={t('ldap.admin.hint')} {...lines('admin')} />
              {groups.map(({ id, name }) => (
                <TextArea
                  key={id}
                  label={t('ldap.members', { name: `\u2068${name}\u2069` })}
                  {...lines('allow')}
                  value={form.members[id] ?? ''}
                  onValue={(value) => change({ members: { ...form.members, [id]: value } })}
                />
              ))}
            </>
          )}
        </Part>
        <TextField label={t('ldap.check')} hint={t('ldap.check.hint')} {...line('checkMinutes')} inputMode="numeric" maxLength={4} />
        <MethodActions
          {...actions}
          removal={{
            title: t('ldap.remove.title'),
            text: t('ldap.remove.text'),
            remove: () => directory !== null && remove.mutate(directory.id),
          }}
        />
      </div>
      {directory !== null && (
        <>
          <DirectoryCheck directory={directory} />
          <DirectoryTrial directory={directory} disabled={touched} />
        </>
      )}
    </div>
  )
}
