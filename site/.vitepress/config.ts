import { defineConfig } from 'vitepress'
import { SECTIONS } from '../pages.ts'

const menu = SECTIONS.map(({ title, open, pages }) => ({
  text: title,
  collapsed: !open,
  items: pages.map((page) => ({ text: page.title, link: `/${page.file.replace(/(index)?\.md$/, '')}` })),
}))

/** The site is static, searches in the browser, and asks no other server for anything. */
export default defineConfig({
  title: 'Satchel',
  description: 'A self-hosted web file manager with sharing and administration',
  lang: 'en',
  srcDir: '.pages',
  outDir: '../dist/site',
  base: process.env['SITE_BASE'] ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  markdown: { languageAlias: { caddyfile: 'nginx' } },
  head: [['link', { rel: 'icon', href: `${process.env['SITE_BASE'] ?? '/'}logo.svg`, type: 'image/svg+xml' }]],
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Install', link: '/install' },
      { text: 'Move from File Browser', link: '/migrate' },
      { text: 'Settings', link: '/configuration' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: menu,
    footer: { message: 'Apache-2.0. Satchel sends nothing to anyone: no telemetry, no update checks.' },
  },
})
