import * as z from 'zod/mini'
import { PAGE_CONFIG_ID, PageConfig } from '../../shared/contract/page-config.ts'

declare global {
  interface Window {
    /** For custom scripts and front ends of the predecessor. */
    FileBrowser?: PageConfig
  }
}

/** What `npm run dev` and pictures without a server live by. */
const DEFAULTS: PageConfig = {
  AuthMethod: 'json',
  BaseURL: '',
  CSS: false,
  Color: '',
  DisableExternal: false,
  DisableUsedPercentage: false,
  EnableExec: false,
  EnableThumbs: true,
  HideLoginButton: false,
  LoginPage: true,
  LogoutPage: '/login',
  Name: '',
  NoAuth: false,
  ReCaptcha: false,
  ResizePreview: true,
  Signup: false,
  StaticURL: '/static',
  Theme: '',
  TusSettings: { chunkSize: 10 * 1024 * 1024, retryCount: 5 },
  Version: '',
}

/** The page's configuration, read once. Fails loudly when the server wrote something else than it promised. */
export const pageConfig: PageConfig = readPageConfig(globalThis.document)
if (globalThis.window !== undefined) window.FileBrowser = pageConfig

/** The instance's name; the product's own when branding gives none. */
export const instanceName = pageConfig.Name === '' ? 'Satchel' : pageConfig.Name

function readPageConfig(page: Document | undefined): PageConfig {
  const text = page?.getElementById(PAGE_CONFIG_ID)?.textContent?.trim() ?? ''
  return text === '' ? DEFAULTS : z.parse(PageConfig, JSON.parse(text))
}
