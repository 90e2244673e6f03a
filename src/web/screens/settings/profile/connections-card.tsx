import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { ask, registerPrompts } from '../../../data/prompts.ts'
import { CONNECTIONS, useConnect, useConnected, useConnections, useDisconnect } from '../../../data/providers.ts'
import { useSearchParams } from '../../../router/router.tsx'
import { SignInProblem } from '../../../../shared/contract/providers.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { formatDistance } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import list from '../item-list.module.css'

registerPrompts({
  'connect-directory': lazyPart(async () => (await import('./connect-directory-dialog.tsx')).ConnectDirectoryDialog),
})

/** The providers and directories through which the user can sign in to this account. */
export function ConnectionsCard() {
  return (
    <Card title={t('connections.title')} text={t('connections.text')}>
      <Suspense fallback={<Loading height="64px" tone="muted" />}>
        <Connections />
      </Suspense>
    </Card>
  )
}

function Connections() {
  const connections = useConnections()
  const connect = useConnect()
  const disconnect = useDisconnect()
  const query = useSearchParams()
  const told = SignInProblem.safeParse(query.get('problem'))
  const returned = useConnected({ enabled: query.has('connected') && !told.success })
  const problem = told.success ? told.data : (returned?.problem ?? null)
  const queries = useQueryClient()
  const [isDone, setIsDone] = useState(false)
  const connectTo = async (directory: { id: string; name: string }) => {
    if ((await ask('connect-directory', directory)) === null) return
    setIsDone(true)
    await queries.invalidateQueries({ queryKey: CONNECTIONS })
  }
  const refused = isAppError(disconnect.error, 'forbidden') ? t('connections.last') : null
  return (
    <>
      <div role="status">
        {(isDone || returned?.problem === null) && <p>{t('connections.done')}</p>}
        {problem !== null && <p role="alert">{t(`signin.problem.${problem}`)}</p>}
        {refused !== null && <p role="alert">{refused}</p>}
        {connect.error !== null && (
          <p role="alert">{isAppError(connect.error, 'offline') ? t('signin.problem.provider') : errorText(connect.error)}</p>
        )}
      </div>
      <ul className={list.list} aria-label={t('connections.title')}>
        {connections.map(({ id, kind, name, connected, isFixed }) => (
          <li key={id} className={list.item}>
            <div className="grow shrinkable">
              <p className="text-name">
                <bdi>{name}</bdi>
              </p>
              <p className={list.more}>
                <span>
                  {connected === null ? t('connections.none') : t('connections.since', { when: formatDistance(new Date(connected)) })}
                </span>
                {isFixed && <span>{t('connections.fixed')}</span>}
              </p>
            </div>
            {!isFixed && (
              <Button
                label={t(connected === null ? 'connections.connect' : 'connections.disconnect')}
                size="small"
                aria-label={`${t(connected === null ? 'connections.connect' : 'connections.disconnect')}: ${name}`}
                busy={(connect.isPending && connect.variables === id) || (disconnect.isPending && disconnect.variables === id)}
                onClick={() => {
                  if (connected !== null) disconnect.mutate(id)
                  else if (kind === 'oidc') connect.mutate(id)
                  else void connectTo({ id, name })
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
