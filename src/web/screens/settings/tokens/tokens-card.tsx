import { ask, registerPrompts } from '../../../data/prompts.ts'
import { Link } from '../../../router/router.tsx'
import { t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { inTime } from '../../../data/chunks.ts'
import { Button, buttonClassName } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { TokenList } from './token-list.tsx'

registerPrompts({
  'api-token': lazyPart(async () => (await inTime(import('./token-dialog.tsx'))).TokenDialog),
})

/** The user's own API tokens. */
export function TokensCard() {
  return (
    <Card
      title={t('title.tokens')}
      text={t('tokens.text')}
      footer={
        <>
          <Link to="/settings/api" className={buttonClassName({ variant: 'quiet' })}>
            {t('tokens.reference')}
          </Link>
          <Button label={t('tokens.new')} onClick={() => void ask('api-token', {})} />
        </>
      }
    >
      <TokenList of="me" />
    </Card>
  )
}
