import { Suspense } from 'react'
import { type TokensOf, useTokens } from '../../../data/tokens.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { TokenRow } from './token-row.tsx'
import list from '../item-list.module.css'

/** API tokens, the newest first. */
export function TokenList({ of }: { of: TokensOf }) {
  return (
    <Suspense fallback={<Loading height="64px" tone="muted" />}>
      <Tokens of={of} />
    </Suspense>
  )
}

function Tokens({ of }: { of: TokensOf }) {
  const tokens = useTokens(of)
  if (tokens.length === 0) return <p className="muted text-small">{t('tokens.none')}</p>
  return (
    <ul className={list.list} aria-label={t('title.tokens')}>
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} showsUser={of === 'everybody'} />
      ))}
    </ul>
  )
}
