import { type Language, pickLanguage } from '../../shared/languages.ts'
import ar from './texts/ar.json' with { type: 'json' }
import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }
import is from './texts/is.json' with { type: 'json' }
import it from './texts/it.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }
import ko from './texts/ko.json' with { type: 'json' }
import nlBe from './texts/nl-be.json' with { type: 'json' }
import pl from './texts/pl.json' with { type: 'json' }
import ptBr from './texts/pt-br.json' with { type: 'json' }
import pt from './texts/pt.json' with { type: 'json' }
import ro from './texts/ro.json' with { type: 'json' }
import ru from './texts/ru.json' with { type: 'json' }
import svSe from './texts/sv-se.json' with { type: 'json' }
import zhCn from './texts/zh-cn.json' with { type: 'json' }
import zhTw from './texts/zh-tw.json' with { type: 'json' }

export type MailText = keyof typeof en

type Texts = Readonly<Record<MailText, string>>

const TEXTS: Readonly<Record<Language['code'], Texts>> = {
  ar,
  de,
  en,
  es,
  fr,
  is,
  it,
  ja,
  ko,
  'nl-be': nlBe,
  pl,
  pt,
  'pt-br': ptBr,
  ro,
  ru,
  'sv-se': svSe,
  'zh-cn': zhCn,
  'zh-tw': zhTw,
}

export const LANGUAGES_OF_MAIL = Object.keys(TEXTS)

/** The texts of mails in somebody's language; English if `locale` is empty or unknown. */
export function textsFor(locale: string): { language: Language; texts: Texts } {
  const language = pickLanguage(locale, [])
  return { language, texts: TEXTS[language.code] }
}
