import type { ReactNode } from 'react'
import type { AppSignIn } from '../../../shared/contract/app-sign-ins.ts'
import { isAppError } from '../../../shared/errors.ts'
import { useAllowApp, useAppSignIn, useRefuseApp } from '../../data/app-sign-ins.ts'
import { useUser } from '../../data/session.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { useLocation } from '../../router/router.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { Loading } from '../../widgets/loading.tsx'
import styles from './connect-screen.module.css'

/** The page that a sync client opens in a browser, for a person who has signed in: whether it may use their files. */
export function ConnectScreen() {
  const { pathname } = useLocation()
  const id = pathname.slice('/connect/'.length)
  const { data, error } = useAppSignIn(id)
  return (
    <StandalonePage data-part="connect">
      {data !== undefined && <Question key={id} id={id} app={data} />}
      {data === undefined && error === null && <Loading height="160px" />}
      {error !== null && <Words title={isAppError(error, 'not-found') ? t('connect.gone') : errorText(error)} />}
    </StandalonePage>
  )
}

function Question({ id, app: { client, address, begun } }: { id: string; app: AppSignIn }) {
  const { username } = useUser()
  const allow = useAllowApp(id)
  const refuse = useRefuseApp(id)
  if (allow.data === true) return <Words title={t('connect.allowed')} />
  if (refuse.isSuccess) return <Words title={t('connect.refused')} />
  const problem = allow.error ?? refuse.error
  return (
    <Words title={t('connect.title', { name: displayName(username) })}>
      <p className={styles.app}>
        <bdi>{client}</bdi>
      </p>
      <p className={styles.text}>
        {t('connect.from', { address: address === '' ? '–' : `\u2068${address}\u2069`, when: formatDateTime(new Date(begun)) })}
      </p>
      <p className={styles.text}>{t('connect.text')}</p>
      <div role="alert">{problem !== null && <FieldMessage tone="error" text={errorText(problem)} />}</div>
      <div className={styles.actions}>
        <Button label={t('connect.allow')} variant="primary" size="large" wide busy={allow.isPending} onClick={() => allow.mutate()} />
        <Button label={t('connect.refuse')} size="large" wide busy={refuse.isPending} onClick={() => refuse.mutate()} />
      </div>
    </Words>
  )
}

function Words({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </>
  )
}
