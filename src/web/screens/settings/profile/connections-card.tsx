import { Suspense } from 'react'
import { useConnect, useConnected, useConnections, useDisconnect } from '../../../data/providers.ts'
import { useSearchParams } from '../../../router/router.tsx'
import { SignInProblem } from '../../../../shared/contract/providers.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { formatDistance } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import styles from './devices-card.module.css'

/** The providers through which the user can sign in to this account. */
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
  const refused = isAppError(disconnect.error, 'forbidden') ? t('connections.last') : null
  return (
    <>
      <div role="status">
        {returned?.problem === null && <p>{t('connections.done')}</p>}
        {problem !== null && <p role="alert">{t(`signin.problem.${problem}`)}</p>}
        {refused !== null && <p role="alert">{refused}</p>}
        {connect.error !== null && (
          <p role="alert">{isAppError(connect.error, 'offline') ? t('signin.problem.provider') : errorText(connect.error)}</p>
        )}
      </div>
      <ul className={styles.devices} aria-label={t('connections.title')}>
        {connections.map(({ id, name, connected }) => (
          <li key={id} className={styles.device}>
            <div className="grow shrinkable">
              <p className={styles.name}>
                <bdi>{name}</bdi>
              </p>
              <p className={styles.more}>
                <span>
                  {connected === null ? t('connections.none') : t('connections.since', { when: formatDistance(new Date(connected)) })}
                </span>
              </p>
            </div>
            <Button
              label={t(connected === null ? 'connections.connect' : 'connections.disconnect')}
              size="small"
              aria-label={`${t(connected === null ? 'connections.connect' : 'connections.disconnect')}: ${name}`}
              busy={(connect.isPending && connect.variables === id) || (disconnect.isPending && disconnect.variables === id)}
              onClick={() => (connected === null ? connect : disconnect).mutate(id)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
