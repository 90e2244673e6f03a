import { Fragment, useEffect, useState } from 'react'
import type { PhotoFacts as Told } from '../../../../shared/contract/photos.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { readImageSize } from '../../../data/image-size.ts'
import { cameraClock, exposureText, placeAddress, placeText, zoneText } from '../../../data/photo-texts.ts'
import { usePhotoFacts } from '../../../data/photos.ts'
import { formatDateExact, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Fact } from './fact.tsx'

export interface PhotoFactsProps {
  path: FilePath
  modified: string | number
  type: 'image' | 'video'
}

/** What a photo or film says about itself, as lines of the details. */
export function PhotoFacts({ path, modified, type }: PhotoFactsProps) {
  const facts = usePhotoFacts(path, modified)
  if (facts === undefined) return null
  const { width, height, title, caption, camera, lens, place, rating } = facts
  const exposure = exposureOf(facts)
  return (
    <>
      {width !== null && height !== null ? <Pixels width={width} height={height} /> : type === 'image' && <ReadPixels path={path} />}
      {facts.takenFrom !== 'modified' && <Fact label={t('photo.taken')}>{takenText(facts, type)}</Fact>}
      {title !== null && <Fact label={t('photo.title')}>{displayName(title)}</Fact>}
      {caption !== null && <Fact label={t('photo.caption')}>{displayName(caption)}</Fact>}
      {camera !== null && <Fact label={t('photo.camera')}>{displayName(camera)}</Fact>}
      {lens !== null && <Fact label={t('photo.lens')}>{displayName(lens)}</Fact>}
      {exposure.length > 0 && (
        <Fact label={t('photo.exposure')}>
          {exposure.map((part, at) => (
            <Fragment key={at}>
              {at > 0 && ' · '}
              {/* In right-to-left languages, a number would go to the part before it. */}
              <bdi>{part}</bdi>
            </Fragment>
          ))}
        </Fact>
      )}
      {place !== null && (
        <Fact label={t('photo.place')}>
          <a href={placeAddress(place)} dir="ltr">
            {placeText(place)}
          </a>
        </Fact>
      )}
      {rating !== null && rating > 0 && <Fact label={t('photo.rating')}>{t('photo.rating.value', { rating: formatNumber(rating) })}</Fact>}
    </>
  )
}

function takenText(facts: Told, type: 'image' | 'video'): string {
  const { taken, offset, takenFrom } = facts
  // Films have their moment in UTC, which says nothing about the clock where they were taken.
  if (type === 'video' && offset === 0) return formatDateExact(new Date(taken))
  const date = formatDateExact(cameraClock(taken))
  if (takenFrom === 'name') return t('photo.taken.named', { date })
  const zone = zoneText(facts)
  return zone === '' ? date : `${date} (${zone})`
}

/** As far as it is known. */
function exposureOf({ exposure, aperture, iso, focalLength }: Told): string[] {
  return (
    [
      exposure !== null && t('photo.seconds', { time: exposureText(exposure, formatNumber) }),
      aperture !== null && `f/${formatNumber(Math.round(aperture * 10) / 10)}`,
      iso !== null && `ISO ${iso}`,
      focalLength !== null && t('photo.millimetres', { length: formatNumber(Math.round(focalLength * 10) / 10) }),
    ]
      .filter((part) => part !== false)
      // A number stays with its unit.
      .map((part) => part.replaceAll(' ', '\u00a0'))
  )
}

function Pixels({ width, height }: { width: number; height: number }) {
  return <Fact label={t('files.info.pixels')}>{t('files.info.pixels.value', { width, height })}</Fact>
}

/** Of formats without metadata; not shown if the first bytes do not contain the dimensions. */
function ReadPixels({ path }: { path: FilePath }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  // Requests from the server.
  useEffect(() => {
    const left = new AbortController()
    void readImageSize(path, { signal: left.signal }).then(setSize, () => undefined)
    return () => left.abort()
  }, [path])
  return size && <Pixels {...size} />
}
