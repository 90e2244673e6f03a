import * as z from 'zod/mini'

/** The id of the JSON block in the page. */
export const PAGE_CONFIG_ID = 'page-config'

/** Written by the server into every page and read by the web application; the keys are the predecessor's. */
export const PageConfig = z.object({
  AuthMethod: z.string(),
  BaseURL: z.string(),
  CSS: z.boolean(),
  Color: z.string(),
  DisableExternal: z.boolean(),
  DisableUsedPercentage: z.boolean(),
  EnableExec: z.boolean(),
  EnableThumbs: z.boolean(),
  HideLoginButton: z.boolean(),
  LoginPage: z.boolean(),
  LogoutPage: z.string(),
  Name: z.string(),
  NoAuth: z.boolean(),
  ReCaptcha: z.boolean(),
  ReCaptchaHost: z.optional(z.string()),
  ReCaptchaKey: z.optional(z.string()),
  ResizePreview: z.boolean(),
  Signup: z.boolean(),
  StaticURL: z.string(),
  Theme: z.string(),
  TusSettings: z.object({ chunkSize: z.number(), retryCount: z.number() }),
  Version: z.string(),
})
export type PageConfig = z.infer<typeof PageConfig>
