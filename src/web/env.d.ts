declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

declare module '*.css' {}

/** Address of a worker, as the build writes it. */
declare module '*?worker&url' {
  const address: string
  export default address
}

declare module '*.css?inline' {
  const css: string
  export default css
}

interface ImportMeta {
  /** Vite: one lazy import for each matching file. */
  glob<Module>(patterns: readonly string[], options: { import: 'default'; query?: string }): Record<string, () => Promise<Module>>
}

/** The second part of a catalogue, as the build writes it. */
declare module '*.json?late' {
  const messages: Record<string, string>
  export default messages
}
