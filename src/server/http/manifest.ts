import type { PageConfig } from '../../shared/contract/page-config.ts'

/** Addresses under the base URL. They must never change: installed applications request them again. */
export const MANIFEST = '/manifest.webmanifest'
export const SERVICE_WORKER = '/sw.js'

const ICONS = 'img/icons'
const PLAIN = [192, 512].map((size) => ({ size, name: `${ICONS}/android-chrome-${size}x${size}.png` }))
const MASKABLE = [192, 512].map((size) => ({ size, name: `${ICONS}/maskable-${size}x${size}.png` }))
/** The background colour of the page, per theme. */
const GROUND = { light: '#f1f4f4', dark: '#0b1113' }

/**
 * Name and appearance of an installed application (W3C application manifest).
 * @param isOwn whether the operator provided a picture of that name; mixing ours with theirs would show another logo on some screens
 */
export async function manifestOf(config: PageConfig, isOwn: (name: string) => Promise<boolean>): Promise<Record<string, unknown>> {
  const { BaseURL, StaticURL, Name, Color, Theme } = config
  const name = Name === '' ? 'Satchel' : Name
  const home = `${BaseURL}/`
  const ground = Theme === 'dark' ? GROUND.dark : GROUND.light
  const icon = ({ size, name: file }: { size: number; name: string }, purpose: 'any' | 'maskable') => ({
    src: `${StaticURL}/${file}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const owned = async (icons: typeof PLAIN): Promise<boolean> => (await Promise.all(icons.map((one) => isOwn(one.name)))).includes(true)
  const maskable = (await owned(PLAIN)) && !(await owned(MASKABLE)) ? [] : MASKABLE
  return {
    id: home,
    name,
    short_name: name,
    start_url: home,
    scope: home,
    display: 'standalone',
    background_color: ground,
    theme_color: Color === '' ? ground : Color,
    icons: [...PLAIN.map((one) => icon(one, 'any')), ...maskable.map((one) => icon(one, 'maskable'))],
  }
}
