import * as z from 'zod/mini'
import { PAGE_CONFIG_ID, PageConfig } from '../../shared/contract/page-config.ts'

declare global {
  interface Window {
    /** For custom scripts and front ends made for File Browser. */
    FileBrowser?: PageConfig
  }
}

/** For `npm run dev` and pages without a server. */
const DEFAULTS: PageConfig = {
  AuthMethod: 'json',
  BaseURL: '',
  CSS: false,
  Color: '',
  Directories: false,
  DisableExternal: false,
  DisableUsedPercentage: false,
  EnableExec: false,
  EnableThumbs: true,
  HideLoginButton: false,
  LoginPage: true,
  LogoutPage: '/login',
  MinimumPasswordLength: 12,
  Name: '',
  NoAuth: false,
  Passkeys: false,
  PasswordReset: false,
  Providers: [],
  ProvidersOnly: false,
  ReCaptcha: false,
  ResizePreview: true,
  Signup: false,
  Snapshots: false,
  StaticURL: '/static',
  Theme: '',
  TusSettings: { chunkSize: 10 * 1024 * 1024, retryCount: 5 },
  Version: '',
  WebDAV: true,
}

/** The configuration of the page. Throws if the server wrote something invalid. */
export const pageConfig: PageConfig = readPageConfig(globalThis.document)
if (globalThis.window !== undefined) window.FileBrowser = pageConfig

/** The name of the instance; the product's name if branding has none. */
export const instanceName = pageConfig.Name === '' ? 'Satchel' : pageConfig.Name

function readPageConfig(page: Document | undefined): PageConfig {
  const text = page?.getElementById(PAGE_CONFIG_ID)?.textContent?.trim() ?? ''
  return text === '' ? DEFAULTS : z.parse(PageConfig, JSON.parse(text))
}
