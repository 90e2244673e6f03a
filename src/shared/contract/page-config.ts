import * as z from 'zod/mini'

/** The id of the JSON block in the page. */
export const PAGE_CONFIG_ID = 'page-config'

/** Written by the server into every page and read by the web application; the keys are the predecessor's, and `MinimumPasswordLength`. */
export const PageConfig = z.object({
  AuthMethod: z.string(),
  BaseURL: z.string(),
  CSS: z.boolean(),
  Color: z.string(),
  /** Whether people sign in with their name and password of a directory. */
  Directories: z._default(z.boolean(), false),
  DisableExternal: z.boolean(),
  DisableUsedPercentage: z.boolean(),
  EnableExec: z.boolean(),
  EnableThumbs: z.boolean(),
  HideLoginButton: z.boolean(),
  LoginPage: z.boolean(),
  LogoutPage: z.string(),
  /** In UTF-8 bytes, so that forms can say it beforehand; 0 if it is not known. */
  MinimumPasswordLength: z._default(z.number(), 0),
  Name: z.string(),
  NoAuth: z.boolean(),
  /** Whether anybody can sign in with a passkey. */
  Passkeys: z._default(z.boolean(), false),
  /** Whether somebody who has forgotten a password may ask for a link. */
  PasswordReset: z._default(z.boolean(), false),
  /** Through which people can sign in, besides or instead of a password. */
  Providers: z._default(z.array(z.object({ id: z.string(), name: z.string() })), []),
  ProvidersOnly: z._default(z.boolean(), false),
  ReCaptcha: z.boolean(),
  ReCaptchaHost: z.optional(z.string()),
  ReCaptchaKey: z.optional(z.string()),
  ResizePreview: z.boolean(),
  Signup: z.boolean(),
  /** Whether the server knows snapshots of its files. */
  Snapshots: z._default(z.boolean(), false),
  StaticURL: z.string(),
  Theme: z.string(),
  TusSettings: z.object({ chunkSize: z.number(), retryCount: z.number() }),
  Version: z.string(),
  /** Whether programs reach files by WebDAV. */
  WebDAV: z._default(z.boolean(), false),
  /** The share with people that the page is in; `BaseURL` ends with its address. */
  WithMe: z.optional(z.string()),
  /** The view as somebody else that the page shows. */
  ViewAs: z.optional(z.string()),
})
export type PageConfig = z.infer<typeof PageConfig>
