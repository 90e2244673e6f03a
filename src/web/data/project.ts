import { bugs, homepage } from '../../../package.json'

/** Home page and issue tracker of the product. */
export const PROJECT_URL: string = homepage
export const ISSUES_URL: string = bugs.url
