import { useEffect, useState } from 'react'
import { formatBytes, formatNumber } from '../../../i18n/format.ts'
import { currentLanguage, t } from '../../../i18n/i18n.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { displayName } from '../../display-name.ts'
import type { ByteSource } from '../byte-source.ts'
import type { ViewerProps } from '../viewers.ts'
import { type FontMetadata, readFontMetadata } from './font-metadata.ts'
import styles from './font-view.module.css'
import { coveredBy, type Sample } from './samples.ts'

const SIZES_PX = [14, 18, 24, 36, 56, 84] as const
/** Larger fonts would be held in memory several times. */
const MOST_BYTES = 64 * 1024 * 1024

/** Makes family names unique. */
let shown = 0

interface Loaded {
  /** A generated family name that only the samples use. */
  readonly family: string
  readonly facts: FontMetadata | null
  readonly covered: readonly Sample[]
}

/** Font viewer: editable sample text in several sizes, supported scripts and metadata. */
export function FontView({ name, source, otherwise }: ViewerProps) {
  const font = useFont(source)
  const [words, setWords] = useState('')
  if (font === 'broken') return otherwise
  if (font === null) return <Spinner size={32} />
  const { family, facts, covered } = font
  const look = { fontFamily: `"${family}"` }
  const usual = covered[0]?.text ?? displayName(name)
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={displayName(name)} data-part="font">
      <div className={styles.sheet}>
        <TextField
          label={t('font.words')}
          value={words}
          maxLength={200}
          placeholder={usual}
          onValue={setWords}
          autoComplete="off"
          spellCheck={false}
        />
        <ul aria-label={t('font.sizes')}>
          {SIZES_PX.map((size) => (
            <li key={size} className={styles.line}>
              <span className="faint text-caption">{formatNumber(size)}</span>
              <span className={styles.sample} style={{ ...look, fontSize: size }} dir="auto">
                {words === '' ? usual : words}
              </span>
            </li>
          ))}
        </ul>
        {covered.length > 0 && (
          <section>
            <h2 className="space-below-5 text-section">{t('font.scripts')}</h2>
            <dl className={styles.scripts}>
              {covered.map((sample) => (
                <div key={sample.text} className={styles.script}>
                  <dt>{scriptName(sample.script)}</dt>
                  <dd lang={sample.lang} dir="auto" style={look}>
                    {sample.text}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        <section>
          <h2 className="space-below-5 text-section">{t('font.facts')}</h2>
          <Facts facts={facts} size={source.size} />
        </section>
      </div>
    </div>
  )
}

function Facts({ facts, size }: { facts: FontMetadata | null; size: number }) {
  const { names, glyphs, format, axes } = facts ?? { names: {}, glyphs: null, format: null, axes: [] }
  const varies = axes.map(({ tag, min, max }) => `${tag} ${formatNumber(min)}–${formatNumber(max)}`).join(', ')
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    [t('font.fact.family'), names.family],
    [t('font.fact.style'), names.style],
    [t('font.fact.format'), format],
    [t('font.fact.glyphs'), glyphs === null ? null : formatNumber(glyphs)],
    [t('font.fact.axes'), varies],
    [t('font.fact.version'), names.version],
    [t('font.fact.maker'), names.maker],
    [t('font.fact.copyright'), names.copyright],
    [t('font.fact.licence'), names.licence],
    [t('font.fact.size'), formatBytes(size)],
  ]
  return (
    <dl className={styles.facts}>
      {rows.map(([label, value]) =>
        value ? (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd dir="auto">{displayName(value)}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

function useFont(source: ByteSource): Loaded | 'broken' | null {
  const [font, setFont] = useState<Loaded | 'broken' | null>(null)
  // Adds the font to the document while mounted.
  useEffect(() => {
    const left = new AbortController()
    let face: FontFace | null = null
    const load = async (): Promise<Loaded> => {
      if (source.size > MOST_BYTES) throw new RangeError('too large')
      const bytes = await source.read(0, source.size, { signal: left.signal })
      const family = `shown-font-${++shown}`
      const loaded = await new FontFace(family, bytes.buffer).load()
      const facts = await readFontMetadata(bytes)
      left.signal.throwIfAborted()
      face = loaded
      document.fonts.add(loaded)
      return { family, facts, covered: coveredBy(family) }
    }
    load().then(
      (loaded) => !left.signal.aborted && setFont(loaded),
      () => !left.signal.aborted && setFont('broken'),
    )
    return () => {
      left.abort()
      if (face !== null) document.fonts.delete(face)
    }
  }, [source])
  return font
}

function scriptName(script: string): string {
  return new Intl.DisplayNames([currentLanguage().tag], { type: 'script' }).of(script) ?? script
}
