import { bugs, homepage } from '../../../package.json'

/** Where the product lives and takes reports. */
export const PROJECT_URL: string = homepage
export const ISSUES_URL: string = bugs.url
