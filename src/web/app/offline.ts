import { instanceName, pageConfig } from '../data/page-config.ts'
import { currentLanguage, t } from '../i18n/i18n.tsx'
import { trustedTypesPolicy } from '../ui/trusted-types.ts'

/**
 * Registers the service worker, which makes the application installable and caches an offline page in the current language. Needs a secure context
 * (TLS or localhost).
 */
export async function prepareOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return
  const scope = `${pageConfig.BaseURL}/`
  // sw.js opens the same cache; one origin can host several instances.
  const cache = await caches.open(`satchel ${scope}`)
  await cache.put(`${scope}offline`, new Response(offlinePage(), { headers: HEADERS }))
  const script = `${scope}sw.js`
  const policy = trustedTypesPolicy('satchel-offline', { createScriptURL: () => script })
  await navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script, { scope })
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** A self-contained page: no scripts and no other files. Its link reloads the current address. */
function offlinePage(): string {
  const { tag, dir } = currentLanguage()
  const scheme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
  return `<!doctype html>
<html lang="${tag}" dir="${dir}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(instanceName)}</title>
<style>
  :root { color-scheme: ${scheme}; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f1f4f4, #0b1113); color: light-dark(#111d20, #e7eef0) }
  main { display: grid; align-content: center; justify-items: center; gap: 12px; min-height: 90dvh; padding: 24px; text-align: center }
  body { margin: 0 }
  h1 { margin: 0; font-size: 24px }
  p { max-width: 46ch; margin: 0 0 12px }
  a { padding: 11px 20px; border-radius: 10px; background: light-dark(#0a6b7c, #52c4d5); color: light-dark(#fff, #04262c); font-weight: 600; text-decoration: none }
</style>
<main>
  <h1>${escaped(t('errors.offline.title'))}</h1>
  <p>${escaped(t('offline.text', { name: instanceName }))}</p>
  <a href="">${escaped(t('action.retry'))}</a>
</main>
</html>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
