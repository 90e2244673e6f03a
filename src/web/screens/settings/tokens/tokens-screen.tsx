import { t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { TokenList } from './token-list.tsx'

/** Everybody's API tokens, for administrators. */
export function TokensScreen() {
  return (
    <Card title={t('title.tokens')} text={t('tokens.all.text')}>
      <TokenList of="everybody" />
    </Card>
  )
}
