/** Embedded by the compiler; the import is its path. */
declare module 'satchel.zst' {
  const path: string
  export default path
}
