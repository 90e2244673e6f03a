/** A parsed User-Agent header. */
export interface Agent {
  readonly kind: 'computer' | 'mobile' | 'program' | 'unknown'
  /** Name of the browser or program; null if unknown. */
  readonly name: string | null
  readonly system: string | null
}

/** The first match wins: many browsers also name the one they derive from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|OPiOS|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\b(DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS|Focus)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bEpiphany\//, 'Epiphany'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string, Agent['kind']])[] = [
  [/\biPad\b/, 'iPadOS', 'mobile'],
  [/\b(iPhone|iPod)\b/, 'iOS', 'mobile'],
  [/\bAndroid\b/, 'Android', 'mobile'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bMac(intosh| OS X)\b/, 'macOS', 'computer'],
  [/\bFreeBSD\b/, 'FreeBSD', 'computer'],
  [/\bOpenBSD\b/, 'OpenBSD', 'computer'],
  [/\b(Linux|X11)\b/, 'Linux', 'computer'],
]

/** Maximum length of a displayed program name, which clients choose freely. */
const MAX_NAME = 40

/** Parses a User-Agent header (RFC 9110 §10.1.5): browsers by their tokens after `Mozilla/5.0`, programs by their first product. */
export function agentFrom(userAgent: string): Agent {
  const [, system = null, kind = 'unknown'] = SYSTEMS.find(([pattern]) => pattern.test(userAgent)) ?? []
  if (!userAgent.startsWith('Mozilla/')) {
    const program = /^[\w.!#$%&'*+^`|~-]+/.exec(userAgent)?.[0].slice(0, MAX_NAME) ?? null
    // Old versions of Opera put their own name first.
    if (program !== null && program !== 'Opera') return { kind: 'program', name: program, system }
  }
  const [, name = null] = BROWSERS.find(([pattern]) => pattern.test(userAgent)) ?? []
  return { kind, name, system }
}
