/** A script with sample text. */
export interface Sample {
  /** ISO 15924. */
  readonly script: string
  readonly lang: string
  readonly text: string
}

export const SAMPLES: readonly Sample[] = [
  { script: 'Latn', lang: 'en', text: 'Six quiet jackdaws hop over my big frozen flag. 0123456789 !?&@' },
  { script: 'Latn', lang: 'fr', text: 'À É Î Õ Ü ß æ ç ð ğ ł ñ ø œ ș ž' },
  { script: 'Grek', lang: 'el', text: 'Α Β Γ Δ Θ Λ Ξ Π Σ Φ Ψ Ω αβγδεζηθ' },
  { script: 'Cyrl', lang: 'ru', text: 'А Б В Г Д Ж З И Л Ф Ц Щ Ы Э Ю Я абвгд' },
  { script: 'Arab', lang: 'ar', text: 'ا ب ت ج ح د ر س ص ط ع ف ق ك ل م ن ه و ي' },
  { script: 'Hebr', lang: 'he', text: 'א ב ג ד ה ו ז ח ט י כ ל מ נ ס ע פ צ ק ר ש ת' },
  { script: 'Deva', lang: 'hi', text: 'अ आ इ ई उ क ख ग घ च छ ज ट ठ ड' },
  { script: 'Beng', lang: 'bn', text: 'অ আ ই ঈ উ ক খ গ ঘ চ ছ জ' },
  { script: 'Thai', lang: 'th', text: 'ก ข ค ง จ ฉ ช ซ ญ ฎ ฏ ฐ' },
  { script: 'Hans', lang: 'zh-CN', text: '天地日月山水火木金土人心' },
  { script: 'Jpan', lang: 'ja', text: 'あいうえお かきくけこ アイウエオ' },
  { script: 'Kore', lang: 'ko', text: '가나다라마바사아자차카타파하' },
]

const LETTERS = 5
const SIZE = 32

/** The samples whose characters a font has. `family` must be loaded in the document. */
export function coveredBy(family: string): readonly Sample[] {
  const canvas = Object.assign(document.createElement('canvas'), { width: 2 * SIZE, height: 2 * SIZE })
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (pen === null) return SAMPLES
  const drawn = (letter: string, font: string): string => {
    pen.clearRect(0, 0, canvas.width, canvas.height)
    pen.font = `${SIZE}px ${font}`
    pen.fillText(letter, SIZE / 2, 1.4 * SIZE)
    return pen.getImageData(0, 0, canvas.width, canvas.height).data.join()
  }
  // Missing glyphs come from the fallback font: a character that measures the same with two fallbacks is the font's own.
  const has = (letter: string): boolean => {
    const [before, beforeOther] = [drawn(letter, `"${family}", serif`), drawn(letter, `"${family}", monospace`)]
    const [serif, monospace] = [drawn(letter, 'serif'), drawn(letter, 'monospace')]
    return serif === monospace ? before !== serif : before === beforeOther
  }
  return SAMPLES.filter(({ text }) => lettersOf(text).every(has))
}

function lettersOf(text: string): readonly string[] {
  return [...text].filter((one) => /\p{L}/u.test(one)).slice(0, LETTERS)
}
