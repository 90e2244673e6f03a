import { bugs, homepage } from '../../../package.json'

/** Where the product lives and takes reports (decision 32). */
export const PROJECT_URL: string = homepage
export const ISSUES_URL: string = bugs.url
